#include "train/cuda/rollout_launch.cuh"

namespace neuroprim::train::cuda {

void launch_limited_rollout(const Rollout& call, cudaStream_t stream) {
    for_known_shape(call.sizes.d_e, call.sizes.heads, [&](auto shape) {
        launch_with<decltype(shape)::d_e, decltype(shape)::heads, true>(call, stream);
    });
}

}  // namespace neuroprim::train::cuda
