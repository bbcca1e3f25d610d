#pragma once

#include <cstdint>

namespace neuroprim::train::cuda {

/// One word of Philox4x32-7 (Salmon et al., 2011): random bits as a function of a counter and a key, no state.
__device__ __forceinline__ std::uint32_t philox(std::uint32_t c0, std::uint32_t c1, std::uint32_t c2,
                                                std::uint32_t c3, std::uint32_t k0, std::uint32_t k1) {
#pragma unroll
    for (int round = 0; round < 7; ++round) {
        const std::uint32_t high0 = __umulhi(0xD2511F53u, c0);
        const std::uint32_t low0 = 0xD2511F53u * c0;
        const std::uint32_t high1 = __umulhi(0xCD9E8D57u, c2);
        const std::uint32_t low1 = 0xCD9E8D57u * c2;
        c0 = high1 ^ c1 ^ k0;
        c1 = low1;
        c2 = high0 ^ c3 ^ k1;
        c3 = low0;
        k0 += 0x9E3779B9u;
        k1 += 0xBB67AE85u;
    }
    return c0;
}

/// Standard Gumbel noise −log(−log u). The fine end of the bits lies where the noise is large, because the largest
/// noise wins.
__device__ __forceinline__ float gumbel(std::uint32_t bits) {
    const float small = fminf((static_cast<float>(bits) + 0.5f) * 0x1p-32f, 0.99999994f);
    return -__logf(-log1pf(-small));
}

}  // namespace neuroprim::train::cuda
