#pragma once

#include <array>
#include <bit>
#include <cstdint>

namespace neuroprim {

/// xoshiro256++ by Blackman and Vigna, seeded through splitmix64: the same numbers on every platform, unlike
/// the standard distributions. `stream` gives independent generators for one seed, one per task or trajectory.
class Random {
public:
    explicit Random(std::uint64_t seed, std::uint64_t stream = 0) {
        std::uint64_t state = seed ^ (stream * 0xd1342543de82ef95ULL);
        for (auto& word : state_) word = splitmix(state);
    }

    [[nodiscard]] std::uint64_t next() {
        const std::uint64_t result = std::rotl(state_[0] + state_[3], 23) + state_[0];
        const std::uint64_t shifted = state_[1] << 17;
        state_[2] ^= state_[0];
        state_[3] ^= state_[1];
        state_[1] ^= state_[2];
        state_[0] ^= state_[3];
        state_[2] ^= shifted;
        state_[3] = std::rotl(state_[3], 45);
        return result;
    }

    /// Uniform in [0, 1).
    [[nodiscard]] double uniform() { return static_cast<double>(next() >> 11) * 0x1.0p-53; }

    /// Uniform in [0, bound), bound ≥ 1, without modulo bias worth measuring (bound ≪ 2⁶⁴).
    [[nodiscard]] std::uint64_t below(std::uint64_t bound) {
        return static_cast<std::uint64_t>((static_cast<__uint128_t>(next()) * bound) >> 64);
    }

private:
    static std::uint64_t splitmix(std::uint64_t& state) {
        state += 0x9e3779b97f4a7c15ULL;
        std::uint64_t z = state;
        z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9ULL;
        z = (z ^ (z >> 27)) * 0x94d049bb133111ebULL;
        return z ^ (z >> 31);
    }

    std::array<std::uint64_t, 4> state_{};
};

}  // namespace neuroprim
