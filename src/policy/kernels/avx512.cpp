#define NEUROPRIM_KERNELS avx512_kernels
#define NEUROPRIM_KERNELS_NAME "avx512"
#define NEUROPRIM_LANES 8
#define NEUROPRIM_TILE_ROWS 12
#define NEUROPRIM_WIDE 1
#include "policy/kernels/implementation.hpp"
