// A submission in another language: read and named, not judged here yet.
__global__ void relu_kernel(const float* x, float* y, long n) {
    long i = blockIdx.x * (long)blockDim.x + threadIdx.x;
    if (i < n) y[i] = x[i] > 0.f ? x[i] : (x[i] == x[i] ? 0.f : x[i]);
}
