"""Functions of torch that compute, by module: with `torch_names` all that a wrapper may name.

What is missing here is refused by name, so a function that torch gets in a later version has to be
added; `tests/checks/test_allowed.py` holds every name against the installed torch.
"""

FUNCTIONS = frozenset(
    """
    abs abs_ absolute acos acos_ acosh acosh_ adaptive_avg_pool1d adaptive_max_pool1d add addbmm
    addcdiv addcmul addmm addmv addmv_ addr adjoint affine_grid_generator alias_copy all
    allclose amax amin aminmax angle any arccos arccos_ arccosh arccosh_ arcsin arcsin_ arcsinh
    arcsinh_ arctan arctan2 arctan_ arctanh arctanh_ argmax argmin argsort argwhere as_strided_
    as_strided_copy as_strided_scatter asarray asin asin_ asinh asinh_ atan atan2 atan_ atanh
    atanh_ atleast_1d atleast_2d atleast_3d avg_pool1d baddbmm bartlett_window batch_norm
    batch_norm_backward_elemt batch_norm_backward_reduce batch_norm_elemt
    batch_norm_gather_stats batch_norm_gather_stats_with_counts batch_norm_stats
    batch_norm_update_stats bilinear binary_cross_entropy_with_logits bincount bitwise_and
    bitwise_left_shift bitwise_not bitwise_or bitwise_right_shift bitwise_xor blackman_window
    block_diag bmm bucketize cartesian_prod cat ccol_indices_copy cdist ceil ceil_ celu celu_
    chain_matmul channel_shuffle cholesky cholesky_inverse cholesky_solve
    choose_qparams_optimized clamp clamp_ clamp_max clamp_max_ clamp_min clamp_min_ clip clip_
    col_indices_copy column_stack combinations complex concat concatenate conj conj_physical
    conj_physical_ constant_pad_nd conv1d conv2d conv3d conv_tbc conv_transpose1d
    conv_transpose2d conv_transpose3d convolution copysign corrcoef cos cos_ cosh cosh_
    cosine_embedding_loss cosine_similarity count_nonzero cov cross crow_indices_copy ctc_loss
    cudnn_affine_grid_generator cudnn_batch_norm cudnn_convolution cudnn_convolution_add_relu
    cudnn_convolution_relu cudnn_convolution_transpose cudnn_grid_sampler cudnn_is_acceptable
    cummax cummin cumprod cumsum cumulative_trapezoid deg2rad deg2rad_ dequantize det detach_
    detach_copy diag diag_embed diagflat diagonal_copy diagonal_scatter diff digamma dist div
    divide dot dsmm dsplit dstack eig einsum embedding embedding_bag embedding_renorm_
    empty_permuted empty_quantized eq equal erf erf_ erfc erfc_ erfinv exp exp2 exp2_ exp_
    expand_copy expm1 expm1_ fake_quantize_per_channel_affine fake_quantize_per_tensor_affine
    fill fill_ fix fix_ flip fliplr flipud float_power floor floor_ floor_divide fmax fmin fmod
    frac frac_ frexp frobenius_norm fused_moving_avg_obs_fake_quant gather gcd gcd_ ge geqrf ger
    get_float32_matmul_precision gradient greater greater_equal grid_sampler grid_sampler_2d
    grid_sampler_3d group_norm gru gru_cell gt hamming_window hann_window hardshrink hash_tensor
    heaviside hinge_embedding_loss histc histogram histogramdd hsmm hsplit hspmm hstack hypot i0
    i0_ igamma igammac imag index_add index_copy index_fill index_put index_put_ index_reduce
    index_select indices_copy inner instance_norm int_repr inverse is_conj is_inference
    is_inference_mode_enabled is_neg is_same_size is_signed isclose isfinite isin isinf isnan
    isneginf isposinf isreal istft kaiser_window kl_div kron kthvalue layer_norm lcm lcm_ ldexp
    ldexp_ le lerp less less_equal lgamma linspace lobpcg log log10 log10_ log1p log1p_ log2
    log2_ log_ log_softmax logaddexp logaddexp2 logcumsumexp logdet logical_and logical_not
    logical_or logical_xor logit logit_ logspace logsumexp lstm lstm_cell lstsq lt lu lu_solve
    lu_unpack margin_ranking_loss masked_fill masked_scatter masked_select matmul matrix_exp
    matrix_power matrix_rank max max_pool1d max_pool1d_with_indices max_pool2d max_pool3d
    maximum mean median meshgrid min minimum mm mode msort mul multiply mv mvlgamma nan_to_num
    nan_to_num_ nanmean nanmedian nanquantile nansum narrow_copy native_batch_norm
    native_channel_shuffle native_group_norm native_layer_norm native_norm ne neg neg_ negative
    negative_ nextafter nonzero nonzero_static norm norm_except_dim not_equal nuclear_norm orgqr
    ormqr outer pairwise_distance pca_lowrank pdist permute_copy pinverse pixel_shuffle
    pixel_unshuffle poisson_nll_loss polar polygamma positive pow prelu prod put
    q_per_channel_axis q_per_channel_scales q_per_channel_zero_points q_scale q_zero_point qr
    quantile quantize_per_channel quantize_per_tensor quantize_per_tensor_dynamic
    quantized_batch_norm quantized_gru_cell quantized_lstm_cell quantized_max_pool1d
    quantized_max_pool2d quantized_max_pool3d quantized_rnn_relu_cell quantized_rnn_tanh_cell
    rad2deg rad2deg_ range real reciprocal reciprocal_ relu relu_ remainder renorm
    repeat_interleave resolve_conj resolve_neg rms_norm rnn_relu rnn_relu_cell rnn_tanh
    rnn_tanh_cell roll rot90 round round_ row_indices_copy row_stack rsqrt rsqrt_ rsub saddmm
    scatter scatter_add scatter_reduce searchsorted segment_reduce select_copy select_scatter
    selu selu_ sgn sigmoid sigmoid_ sign signbit sin sin_ sinc sinc_ sinh sinh_ slice_copy
    slice_inverse slice_scatter slogdet smm softmax solve sort sparse_bsc_tensor
    sparse_bsr_tensor sparse_compressed_tensor sparse_coo_tensor sparse_csc_tensor
    sparse_csr_tensor split_copy split_with_sizes split_with_sizes_copy spmm sqrt sqrt_ square
    square_ squeeze_copy sspaddmm stack std std_mean stft sub subtract sum svd svd_lowrank
    symeig t_copy take take_along_dim tan tan_ tanh tanh_ tensordot threshold threshold_ tile
    topk trace transpose_copy trapezoid trapz triangular_solve tril tril_indices
    triplet_margin_loss triu triu_indices true_divide trunc trunc_ unbind_copy unfold_copy
    unique unique_consecutive unravel_index unsafe_chunk unsafe_split unsafe_split_with_sizes
    unsqueeze_copy values_copy vander var var_mean vdot view_as_complex_copy view_as_real_copy
    view_copy vsplit vstack where xlogy xlogy_ zero_
    """.split()  # noqa: SIM905
)
"""Of `torch` itself, beside what `torch_names` calls preparing or random."""

FUNCTIONAL = frozenset(
    """
    adaptive_avg_pool1d adaptive_avg_pool2d adaptive_avg_pool3d adaptive_max_pool1d
    adaptive_max_pool1d_with_indices adaptive_max_pool2d adaptive_max_pool2d_with_indices
    adaptive_max_pool3d adaptive_max_pool3d_with_indices affine_grid avg_pool1d avg_pool2d
    avg_pool3d batch_norm bilinear binary_cross_entropy binary_cross_entropy_with_logits celu
    celu_ channel_shuffle conv1d conv2d conv3d conv_tbc conv_transpose1d conv_transpose2d
    conv_transpose3d cosine_embedding_loss cosine_similarity cross_entropy ctc_loss elu elu_
    embedding embedding_bag fold fractional_max_pool2d fractional_max_pool2d_with_indices
    fractional_max_pool3d fractional_max_pool3d_with_indices gaussian_nll_loss gelu glu
    grid_sample group_norm grouped_mm gumbel_softmax hardshrink hardsigmoid hardswish hardtanh
    hardtanh_ hinge_embedding_loss huber_loss instance_norm interpolate kl_div l1_loss
    layer_norm leaky_relu leaky_relu_ linear linear_cross_entropy local_response_norm
    log_softmax logsigmoid lp_pool1d lp_pool2d lp_pool3d margin_ranking_loss max_pool1d
    max_pool1d_with_indices max_pool2d max_pool2d_with_indices max_pool3d
    max_pool3d_with_indices max_unpool1d max_unpool2d max_unpool3d mish mse_loss
    multi_head_attention_forward multi_margin_loss multilabel_margin_loss
    multilabel_soft_margin_loss native_channel_shuffle nll_loss normalize one_hot pad
    pairwise_distance pdist pixel_shuffle pixel_unshuffle poisson_nll_loss prelu relu relu6
    relu_ rms_norm rrelu scaled_dot_product_attention scaled_grouped_mm scaled_mm selu selu_
    sigmoid silu smooth_l1_loss soft_margin_loss softmax softmin softplus softshrink softsign
    tanh tanhshrink threshold threshold_ triplet_margin_loss triplet_margin_with_distance_loss
    unfold upsample upsample_bilinear upsample_nearest
    """.split()  # noqa: SIM905
)
"""Of `torch.nn.functional`, beside dropout."""

LINALG = frozenset(
    """
    cholesky cholesky_ex cross det diagonal eig eigh eigvals eigvalsh householder_product inv
    inv_ex ldl_factor ldl_factor_ex ldl_solve lstsq lu lu_factor lu_factor_ex lu_solve matmul
    matrix_exp matrix_norm matrix_power matrix_rank multi_dot norm pinv qr slogdet solve
    solve_ex solve_triangular svd svdvals tensorinv tensorsolve vander vecdot vector_norm
    """.split()  # noqa: SIM905
)
"""Of `torch.linalg`."""

FFT = frozenset(
    """
    fft fft2 fftfreq fftn fftshift hfft hfft2 hfftn ifft ifft2 ifftn ifftshift ihfft ihfft2
    ihfftn irfft irfft2 irfftn rfft rfft2 rfftfreq rfftn
    """.split()  # noqa: SIM905
)
"""Of `torch.fft`."""

SPECIAL = frozenset(
    """
    airy_ai bessel_j0 bessel_j1 bessel_y0 bessel_y1 chebyshev_polynomial_t
    chebyshev_polynomial_u chebyshev_polynomial_v chebyshev_polynomial_w digamma entr erf erfc
    erfcx erfinv exp2 expit expm1 gammainc gammaincc gammaln hermite_polynomial_h
    hermite_polynomial_he i0 i0e i1 i1e laguerre_polynomial_l legendre_polynomial_p log1p
    log_ndtr log_softmax logit logsumexp modified_bessel_i0 modified_bessel_i1
    modified_bessel_k0 modified_bessel_k1 multigammaln ndtr ndtri polygamma psi round
    scaled_modified_bessel_k0 scaled_modified_bessel_k1 shifted_chebyshev_polynomial_t
    shifted_chebyshev_polynomial_u shifted_chebyshev_polynomial_v shifted_chebyshev_polynomial_w
    sinc softmax spherical_bessel_j0 xlog1py xlogy zeta
    """.split()  # noqa: SIM905
)
"""Of `torch.special`."""
