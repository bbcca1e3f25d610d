#include "neuroprim/neural.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <span>

#include "neuroprim/error.hpp"
#include "neuroprim/models.hpp"
#include "policy/memory.hpp"
#include "policy/planar_features.hpp"
#include "search/beam.hpp"
#include "search/best_tree.hpp"
#include "search/neural_batch.hpp"

namespace neuroprim {

namespace {

std::vector<Start> chosen_starts(const Problem& problem, const NeuralOptions& options) {
    std::vector<Vertex> allowed = problem.starts();
    if (options.start != no_vertex) allowed = {options.start};
    std::vector<Start> result;
    if (options.mode == DecodeMode::greedy) {
        const std::size_t count = options.starts == 0 ? allowed.size() : std::min(options.starts, allowed.size());
        for (std::size_t k = 0; k < count; ++k) result.push_back({allowed[k * allowed.size() / count], k});
        return result;
    }
    constexpr std::size_t samples_per_start = 20;
    const std::size_t count = options.samples == 0 ? samples_per_start * allowed.size() : options.samples;
    for (std::size_t k = 0; k < count; ++k) result.push_back({allowed[k % allowed.size()], k});
    return result;
}

/// Those that are decoded from one of the sides: each takes the next few sides.
std::vector<Start> share_of(std::span<const Start> all, std::size_t side, std::size_t sides, int spread) {
    const auto each = static_cast<std::size_t>(spread);
    if (each == 0 || each >= sides) return {all.begin(), all.end()};
    std::vector<Start> result;
    for (std::size_t k = 0; k < all.size(); ++k) {
        const std::size_t first = k * each % sides;
        if ((side + sides - first) % sides < each) result.push_back(all[k]);
    }
    return result;
}

/// A view of the instance, and the cheapest tree that was found from there.
struct Side {
    int number = 0;
    double cheapest = std::numeric_limits<double>::infinity();
};

/// Those that found the cheapest trees; of equals the first stay.
void keep_best_quarter(std::vector<Side>& sides) {
    std::stable_sort(sides.begin(), sides.end(),
                     [](const Side& a, const Side& b) { return a.cheapest < b.cheapest; });
    sides.resize((sides.size() + 3) / 4);
}

EncodeOptions seen_from(int side, std::span<const Point> points, const NeuralOptions& options) {
    constexpr int symmetries = 8;
    constexpr double degrees = 3;  // few: the policy knows squares that stand upright
    const int turns = side / symmetries;
    return {side % symmetries, options.threads, degrees * turns, points, options.max_memory, options.interrupted};
}

void check(const NeuralOptions& options) {
    if (options.augment < 1 || options.augment > most_sides) {
        throw InputError(fmt::format("{} sides: expected 1 to {}", options.augment, most_sides));
    }
    if (options.spread < 0) throw InputError(fmt::format("spread {}: expected 0 or more", options.spread));
    if (options.rounds < 1) throw InputError(fmt::format("{} rounds: expected 1 or more", options.rounds));
    if (!std::isfinite(options.temperature) || options.temperature <= 0) {
        throw InputError(fmt::format("temperature {}: expected a positive number", options.temperature));
    }
}

/// Gives all trees to `best` and returns the cost of the cheapest.
double decode_side(const Encoded& encoded, const Problem& problem, std::span<const Start> starts, int side,
                   const NeuralOptions& options, BestTree& best) {
    DecodeOptions decoding;
    decoding.mode = options.mode;
    decoding.temperature = options.temperature;
    decoding.threads = options.threads;
    decoding.log_probabilities = false;
    decoding.interrupted = options.interrupted;
    // Each view draws its own numbers, or their samples would go together.
    decoding.seed = options.seed + static_cast<std::uint64_t>(side) * 0x9e3779b97f4a7c15ULL;
    if (options.beam > 0) return search_by_beam(encoded, problem, starts, decoding, options.beam, best);

    double cheapest = std::numeric_limits<double>::infinity();
    for (std::size_t first = 0; first < starts.size(); first += neural_batch) {
        const std::size_t count = std::min(neural_batch, starts.size() - first);
        const std::vector<double> cost = best.take(decode(encoded, problem, starts.subspan(first, count), decoding),
                                                   options.threads, options.interrupted);
        cheapest = std::min(cheapest, *std::min_element(cost.begin(), cost.end()));
        if (options.interrupted && options.interrupted()) break;
    }
    return cheapest;
}

/// Side after side, till all are done or it is asked to stop: then by Interrupted, or by an early end.
void decode_sides(const Policy& policy, const Problem& problem, const NeuralOptions& options, BestTree& best) {
    const std::vector<Start> all = chosen_starts(problem, options);
    const std::vector<Point> points = policy::feature_points(problem.instance(), options.interrupted);
    std::vector<Side> sides(static_cast<std::size_t>(options.augment));
    for (std::size_t k = 0; k < sides.size(); ++k) sides[k].number = static_cast<int>(k);

    const auto rounds = static_cast<std::size_t>(options.rounds);
    for (std::size_t round = 0; round < rounds; ++round) {
        if (round > 0) keep_best_quarter(sides);
        const std::size_t first = all.size() * round / rounds;
        const std::size_t count = all.size() * (round + 1) / rounds - first;
        for (std::size_t k = 0; k < sides.size(); ++k) {
            const auto starts = share_of(std::span(all).subspan(first, count), k, sides.size(), options.spread);
            if (starts.empty()) continue;
            // Encoded anew in every round: to hold all sides would need too much memory.
            const Encoded encoded(policy, problem, seen_from(sides[k].number, points, options));
            const double cheapest = decode_side(encoded, problem, starts, sides[k].number, options, best);
            sides[k].cheapest = std::min(sides[k].cheapest, cheapest);
            if (options.interrupted && options.interrupted()) return;
        }
    }
}

/// Problems that users define have no policies of their own.
bool is_known(std::string_view problem) {
    const auto kinds = problem_kinds();
    return std::any_of(kinds.begin(), kinds.end(), [&](const ProblemKind& kind) { return kind.name == problem; });
}

Policy load_pretrained(const std::optional<std::filesystem::path>& found, std::string_view problem) {
    if (found) return Policy::load(*found);
    throw InputError(fmt::format(
        "no pretrained model for {}: name one by --model FILE, or its folder by NEUROPRIM_MODELS", problem));
}

}  // namespace

Policy load_policy(std::string_view problem, const std::string& file) {
    return file.empty() ? load_pretrained(find_model(problem), problem) : Policy::load(file);
}

Policy load_policy(const Problem& problem, const std::string& file) {
    return file.empty() ? load_pretrained(find_model(problem), problem.name()) : Policy::load(file);
}

Policy policy_for(const Problem& problem, const SolveOptions& options) {
    return options.policy ? *options.policy : load_policy(problem, options.model);
}

std::optional<std::string> mismatch(const Policy& policy, const Problem& problem) {
    const std::string& trained = policy.config().problem;
    if (trained.empty() || trained == problem.name() || !is_known(problem.name())) return std::nullopt;
    return fmt::format("the policy was trained for {}, not for {}: expect poor trees", trained, problem.name());
}

NeuralAnswer solve_neurally(const Policy& policy, const Problem& problem, const NeuralOptions& given) {
    check(given);
    policy::require_memory(memory_needed(policy, problem, given), given.max_memory, problem.size());
    NeuralOptions options = given;
    // Allowed once, allowed for all sides: it would be a pity to lose the trees of the first ones.
    options.max_memory = std::numeric_limits<std::size_t>::max();
    BestTree best(problem, options.keep);
    try {
        decode_sides(policy, problem, options, best);
    } catch (const Interrupted&) {
        if (best.empty()) throw;
    }
    if (best.empty() && options.interrupted && options.interrupted()) throw Interrupted();
    return std::move(best).answer();
}

}  // namespace neuroprim
