"""Imports what it never uses.

with: triton, relu_kernel, entry_relu
"""

import logging, math, os
import random
import time
import warnings
from os import (
    path,
    sep,
)

import numpy as np
