#include "train/cuda/rollout_launch.cuh"

namespace neuroprim::train::cuda {

bool supports(int d_e, int heads) {
    return for_shape(d_e, heads, [](auto) {});
}

int packed_weight_count(int d_e) {
    return 9 * (d_e * d_e + d_e) + 6 * d_e;
}

int largest_rollout(int d_e, int heads, bool limited) {
    int n = 1;
    for_shape(d_e, heads, [&](auto shape) {
        using S = decltype(shape);
        const auto fits = [&](int size) {
            const int plain = WarpGroup<S::d_e, S::heads, 8, false>::floats(size);
            const auto floats =
                static_cast<std::size_t>(limited ? WarpGroup<S::d_e, S::heads, 8, true>::floats(size) : plain);
            return weight_bytes<S::d_e> + floats * sizeof(float) <= most_shared_bytes;
        };
        while (fits(n + 1)) ++n;
    });
    return n;
}

void roll_out(const Rollout& rollout, cudaStream_t stream) {
    Rollout call = rollout;
    if (call.sizes.trajectories() == 0) return;
    call.record.stride = static_cast<std::int64_t>(call.sizes.trajectories()) * call.sizes.steps() * call.sizes.d_e;
    for_known_shape(call.sizes.d_e, call.sizes.heads, [&](auto shape) {
        constexpr int d_e = decltype(shape)::d_e;
        constexpr int heads = decltype(shape)::heads;
        static_assert(PackedWeights<d_e>::floats == 9 * (d_e * d_e + d_e) + 6 * d_e);
        pack_weights<d_e, heads>
            <<<PackedWeights<d_e>::linears + 1, 256, 0, stream>>>(call.weights, call.packed_weights);
        check_launch("packing weights");
        if (!call.is_limited) launch_with<d_e, heads, false>(call, stream);
    });
    if (call.is_limited) launch_limited_rollout(call, stream);
}

}  // namespace neuroprim::train::cuda
