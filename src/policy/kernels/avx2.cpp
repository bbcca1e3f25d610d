#define NEUROPRIM_KERNELS avx2_kernels
#define NEUROPRIM_KERNELS_NAME "avx2"
#define NEUROPRIM_LANES 8
#define NEUROPRIM_TILE_ROWS 6
#include "policy/kernels/implementation.hpp"
