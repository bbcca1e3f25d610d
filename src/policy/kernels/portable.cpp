#define NEUROPRIM_KERNELS portable_kernels
#define NEUROPRIM_KERNELS_NAME "portable"
#define NEUROPRIM_LANES 4
#define NEUROPRIM_TILE_ROWS 2
#include "policy/kernels/implementation.hpp"
