#include "search/windows/window_trees.hpp"

#include <algorithm>
#include <utility>

#include "policy/planar_features.hpp"
#include "search/augmentation.hpp"

namespace neuroprim {

std::vector<Start> window_starts(const Problem& window, std::size_t most, std::size_t shift) {
    const std::vector<Vertex> allowed = greedy_starts(window, 0);
    const std::size_t count = std::min(most, allowed.size());
    std::vector<Start> starts(count);
    for (std::size_t k = 0; k < count; ++k) {
        starts[k] = {allowed[(k * allowed.size() / count + shift) % allowed.size()], k};
    }
    return starts;
}

void offer_window_trees(const Policy& policy, const Problem& window, const WindowLook& look, const StopToken& stop,
                        const std::function<void(Tree)>& offer) {
    const auto interrupted = [&stop] { return stop.expired(); };
    std::vector<Point> fitted;
    if (look.points.empty()) fitted = policy::feature_points(window.instance(), interrupted);
    DecodeOptions greedy;
    greedy.log_probabilities = false;
    greedy.threads = look.threads;
    greedy.interrupted = interrupted;
    DecodeOptions sampling = greedy;
    sampling.mode = DecodeMode::sample;
    sampling.temperature = look.temperature;
    sampling.seed = look.seed;
    std::vector<Start> drawn(look.samples);
    for (std::size_t k = 0; k < drawn.size(); ++k) {
        drawn[k] = {look.starts[k % look.starts.size()].vertex, look.stream * look.samples + k};
    }
    const auto offer_all = [&](std::vector<Rollout> rollouts) {
        for (Rollout& rollout : rollouts) {
            if (rollout.complete) offer(std::move(rollout.tree));
        }
    };
    for (int view = 0; view < look.views; ++view) {
        EncodeOptions seen = seen_under(view, look.first_view);
        seen.points = look.points.empty() ? std::span<const Point>(fitted) : look.points;
        seen.interrupted = interrupted;
        seen.threads = look.threads;
        const Encoded encoded(policy, window, seen);
        offer_all(decode(encoded, window, look.starts, greedy));
        offer_all(decode(encoded, window, drawn, sampling));
    }
}

}  // namespace neuroprim
