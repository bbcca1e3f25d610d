#include "policy/memory.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <limits>

#include "graph/available_memory.hpp"
#include "neuroprim/error.hpp"
#include "policy/model.hpp"

namespace neuroprim {

namespace policy {

namespace {

std::size_t directed_edges(const Problem& problem) {
    const auto n = static_cast<std::size_t>(problem.size());
    return problem.weights().is_complete() ? n * n : 2 * problem.weights().edge_count();
}

/// What the encoder's layers hold besides the tables, and give back before those are made.
std::size_t layer_bytes(const PolicyConfig& config, std::size_t n, int threads) {
    constexpr std::size_t most_queries = 96;
    const auto widths = static_cast<std::size_t>(7 * config.d_v + config.d_f);
    return n * (widths + most_queries * static_cast<std::size_t>(std::max(1, threads))) * sizeof(float);
}

std::string readable_bytes(std::size_t bytes) {
    constexpr double gigabyte = 1e9;
    const double size = static_cast<double>(bytes) / gigabyte;
    return size < 1 ? fmt::format("{:.0f} MB", 1000 * size) : fmt::format("{:.1f} GB", size);
}

}  // namespace

std::size_t table_bytes(const PolicyConfig& config, const Problem& problem) {
    const auto n = static_cast<std::size_t>(problem.size());
    const auto d_e = static_cast<std::size_t>(config.d_e);
    const auto layers = static_cast<std::size_t>(config.decoder_layers);
    const std::size_t edges = directed_edges(problem);
    std::size_t result = edges * (2 * layers * d_e + d_e + d_e / 2) * sizeof(float);
    result += n * (static_cast<std::size_t>(config.d_v) + d_e / 2) * sizeof(float);
    if (!problem.weights().is_complete()) result += edges * sizeof(Vertex) + (n + 1) * sizeof(std::size_t);
    return result;
}

std::size_t encoding_bytes(const PolicyConfig& config, const Problem& problem, int threads) {
    const auto n = static_cast<std::size_t>(problem.size());
    const std::size_t distances = sees_distances(config) ? n * n * sizeof(float) : 0;
    return distances + std::max(table_bytes(config, problem), layer_bytes(config, n, threads));
}

void require_memory(std::size_t needed, std::optional<std::size_t> most, Vertex n) {
    constexpr std::size_t never_refused = std::size_t{64} << 20;
    if (!most && needed <= never_refused) return;
    const std::size_t limit = most ? *most : default_max_memory();
    if (needed <= limit) return;
    throw TooLarge(fmt::format(
        "the policy needs {} of memory for {} vertices, but {} is the limit{}: give it more by --max-memory "
        "(max_memory in Python), or let --method search do without the policy",
        readable_bytes(needed), n, readable_bytes(limit), most ? "" : ", three quarters of what is free"));
}

}  // namespace policy

std::size_t memory_needed(const Policy& policy, const Problem& problem, const EncodeOptions& options) {
    return policy::encoding_bytes(policy.config(), problem, options.threads);
}

std::size_t default_max_memory() {
    const auto available = available_memory();
    return available ? *available / 4 * 3 : std::numeric_limits<std::size_t>::max();
}

}  // namespace neuroprim
