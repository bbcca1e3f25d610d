#include "neuroprim/neural.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <span>
#include <utility>

#include "neuroprim/error.hpp"
#include "neuroprim/models.hpp"
#include "policy/memory.hpp"
#include "policy/planar_features.hpp"
#include "search/augmentation.hpp"
#include "search/beam.hpp"
#include "search/best_tree.hpp"
#include "search/neural_batch.hpp"
#include "search/start_sequence.hpp"

namespace neuroprim {

namespace {

/// A view of the instance, and the cheapest tree that was found from there.
struct Augmentation {
    int number = 0;
    double cheapest = std::numeric_limits<double>::infinity();
};

/// Those that found the cheapest trees; of equals the first stay.
void keep_best_quarter(std::vector<Augmentation>& augmentations) {
    std::stable_sort(augmentations.begin(), augmentations.end(),
                     [](const Augmentation& a, const Augmentation& b) { return a.cheapest < b.cheapest; });
    augmentations.resize((augmentations.size() + 3) / 4);
}

EncodeOptions augmented(int augmentation, std::span<const Point> points, const NeuralOptions& options) {
    EncodeOptions seen = seen_under(augmentation);
    seen.threads = options.threads;
    seen.points = points;
    seen.max_memory = options.max_memory;
    seen.interrupted = options.interrupted;
    return seen;
}

void check(const NeuralOptions& options) {
    check_augmentations(options.augmentations);
    if (options.augmentations_per_start < 0)
        throw InputError(
            fmt::format("{} augmentations per start: expected 0 or more", options.augmentations_per_start));
    if (options.rounds < 1) throw InputError(fmt::format("{} rounds: expected 1 or more", options.rounds));
    if (!std::isfinite(options.temperature) || options.temperature <= 0) {
        throw InputError(fmt::format("temperature {}: expected a positive number", options.temperature));
    }
}

/// Grows trees from `starts` and then from `more`. Gives all trees to `best` and returns the cost of the cheapest.
double decode_augmentation(const Encoded& encoded, const Problem& problem, std::vector<Start> starts,
                           StartShare& more, int augmentation, const NeuralOptions& options, BestTree& best) {
    DecodeOptions decoding;
    decoding.mode = options.mode;
    decoding.temperature = options.temperature;
    decoding.threads = options.threads;
    decoding.log_probabilities = false;
    decoding.interrupted = options.interrupted;
    // Each view draws its own numbers, or their samples would go together.
    decoding.seed = options.seed + static_cast<std::uint64_t>(augmentation) * 0x9e3779b97f4a7c15ULL;
    if (options.beam > 0) {
        const std::vector<Start> others = more.next(std::numeric_limits<std::size_t>::max());
        starts.insert(starts.end(), others.begin(), others.end());
        return search_by_beam(encoded, problem, starts, decoding, options.beam, best);
    }

    double cheapest = std::numeric_limits<double>::infinity();
    for (; !starts.empty(); starts = more.next(neural_batch)) {
        const std::vector<double> cost =
            best.take(decode(encoded, problem, starts, decoding), options.threads, options.interrupted);
        cheapest = std::min(cheapest, *std::min_element(cost.begin(), cost.end()));
        if (options.interrupted && options.interrupted()) break;
    }
    return cheapest;
}

/// Augmentation after augmentation, till all are done or it is asked to stop: then by Interrupted, or by an early
/// end.
void decode_augmentations(const Policy& policy, const Problem& problem, const NeuralOptions& options,
                          BestTree& best) {
    const StartSequence all(problem, options);
    const std::vector<Point> points = policy::feature_points(problem.instance(), options.interrupted);
    std::vector<Augmentation> augmentations(static_cast<std::size_t>(options.augmentations));
    for (std::size_t k = 0; k < augmentations.size(); ++k) augmentations[k].number = static_cast<int>(k);

    const auto rounds = static_cast<std::size_t>(options.rounds);
    for (std::size_t round = 0; round < rounds; ++round) {
        if (round > 0) keep_best_quarter(augmentations);
        const StartShare::Range part{all.begin_of(round, rounds), all.begin_of(round + 1, rounds)};
        for (std::size_t k = 0; k < augmentations.size(); ++k) {
            StartShare share(all, part, {k, augmentations.size(), options.augmentations_per_start});
            std::vector<Start> starts = share.next(neural_batch);
            if (starts.empty()) continue;
            // Encoded anew in every round: to hold all augmentations would need too much memory.
            const Encoded encoded(policy, problem, augmented(augmentations[k].number, points, options));
            const double cheapest = decode_augmentation(encoded, problem, std::move(starts), share,
                                                        augmentations[k].number, options, best);
            augmentations[k].cheapest = std::min(augmentations[k].cheapest, cheapest);
            if (options.interrupted && options.interrupted()) return;
        }
    }
}

/// Problems that users define have no policies of their own.
bool is_known(std::string_view problem) {
    const auto kinds = problem_kinds();
    return std::any_of(kinds.begin(), kinds.end(), [&](const ProblemKind& kind) { return kind.name == problem; });
}

Policy load_pretrained(const std::optional<std::filesystem::path>& found, const std::string& problem) {
    if (found) return Policy::load(*found);
    throw InputError(fmt::format(
        "no pretrained model for {}: name one by --model FILE, or its folder by NEUROPRIM_MODELS", problem));
}

/// The problem's name, and why the shared model does not serve it where that might have been expected.
std::string named(const Problem& problem) {
    const auto reason = is_told_by(problem.name(), problem.spec()) ? std::nullopt : beyond_shared_model(problem);
    return reason ? fmt::format("{} ({})", problem.name(), *reason) : std::string(problem.name());
}

}  // namespace

Policy load_policy(std::string_view problem, const std::string& file) {
    return file.empty() ? load_pretrained(find_model(problem), std::string(problem)) : Policy::load(model_file(file));
}

Policy load_policy(const Problem& problem, const std::string& file) {
    return file.empty() ? load_pretrained(find_model(problem), named(problem)) : Policy::load(model_file(file));
}

Policy policy_for(const Problem& problem, const SolveOptions& options) {
    return policy_for(problem, options, problem.size());
}

Policy policy_for(const Problem& problem, const SolveOptions& options, Vertex size) {
    if (options.policy) return *options.policy;
    if (!options.model.empty()) return Policy::load(model_file(options.model));
    return load_pretrained(find_model(problem, size), named(problem));
}

std::optional<std::string> mismatch(const Policy& policy, const Problem& problem) {
    const std::string& trained = policy.config().problem;
    if (trained == shared_model && is_known(problem.name())) {
        const auto reason = beyond_shared_model(problem);
        if (!reason) return std::nullopt;
        return fmt::format("the policy was not trained for such a problem ({}): expect poor trees", *reason);
    }
    if (trained.empty() || trained == problem.name() || !is_known(problem.name())) return std::nullopt;
    return fmt::format("the policy was trained for {}, not for {}: expect poor trees", trained, problem.name());
}

NeuralAnswer solve_neurally(const Policy& policy, const Problem& problem, const NeuralOptions& given) {
    check(given);
    policy::require_memory(memory_needed(policy, problem, given), given.max_memory, problem.size());
    NeuralOptions options = given;
    // Allowed once, allowed for all augmentations: it would be a pity to lose the trees of the first ones.
    options.max_memory = std::numeric_limits<std::size_t>::max();
    BestTree best(problem, options.keep);
    try {
        decode_augmentations(policy, problem, options, best);
    } catch (const Interrupted&) {
        if (best.empty()) throw;
    }
    if (best.empty() && options.interrupted && options.interrupted()) throw Interrupted();
    return std::move(best).answer();
}

Vertex best_start(const Policy& policy, const Problem& problem, NeuralOptions options) {
    options.mode = DecodeMode::greedy;
    options.starts = problem.starts().size();
    return solve_neurally(policy, problem, options).tree.start;
}

}  // namespace neuroprim
