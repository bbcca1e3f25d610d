#include "search/paths/window.hpp"

#include <algorithm>
#include <numeric>

#include "search/paths/lin_kernighan.hpp"

namespace neuroprim::paths {

namespace {

/// Long chains pay where a window is far from its optimum.
constexpr std::size_t window_depth = 5;

/// The fewest vertices that leave a chain of flips something to do.
constexpr Vertex fewest_in_window = 8;

/// The window's own numbers are places counted from its beginning.
class LocalGraph {
public:
    LocalGraph(const WindowSetting& setting, Vertex begin, Vertex end)
        : weights_(Weights::from_points(points_of(setting, begin, end), setting.weights->metric())),
          lengths_(weights_),
          near_(neighbours_of(setting, begin, end)) {}
    LocalGraph(const LocalGraph&) = delete;
    LocalGraph& operator=(const LocalGraph&) = delete;

    [[nodiscard]] const Lengths& lengths() const { return lengths_; }
    [[nodiscard]] const Neighbours& near() const { return near_; }

private:
    static std::vector<Point> points_of(const WindowSetting& setting, Vertex begin, Vertex end) {
        std::vector<Point> points;
        points.reserve(index(end - begin));
        for (Vertex k = begin; k < end; ++k) {
            points.push_back(setting.weights->points()[index(setting.path->order[index(k)])]);
        }
        return points;
    }

    static Neighbours neighbours_of(const WindowSetting& setting, Vertex begin, Vertex end) {
        std::vector<std::size_t> starts;
        std::vector<Vertex> vertices;
        starts.reserve(index(end - begin) + 1);
        for (Vertex k = begin; k < end; ++k) {
            starts.push_back(vertices.size());
            for (const Vertex u : setting.near->of(setting.path->order[index(k)])) {
                const Vertex place = setting.path->place[index(u)];
                if (begin <= place && place < end) vertices.push_back(place - begin);
            }
        }
        starts.push_back(vertices.size());
        return {std::move(starts), std::move(vertices)};
    }

    Weights weights_;
    Lengths lengths_;
    Neighbours near_;
};

/// Only a vertex that has come together with one of its neighbours may have a move that it had not before.
bool may_have_moves(const WindowSetting& setting, Vertex place, Vertex window) {
    if (setting.before == nullptr) return true;
    const PlacedPath& path = *setting.path;
    const Vertex home = setting.before->window_of(place);
    const auto near = setting.near->of(path.order[index(place)]);
    return std::any_of(near.begin(), near.end(), [&](Vertex u) {
        const Vertex other = path.place[index(u)];
        return setting.partition.window_of(other) == window && setting.before->window_of(other) != home;
    });
}

}  // namespace

WindowResult improve_window(const WindowSetting& setting, Vertex window, std::int64_t perturbations, Random random,
                            const StopToken& stop, std::span<Vertex> order) {
    const Vertex begin = setting.partition.begin(window);
    const Vertex end = setting.partition.end(window);
    const Vertex size = end - begin;
    const auto stretch = std::span(setting.path->order).subspan(index(begin), index(size));
    std::copy(stretch.begin(), stretch.end(), order.begin());
    if (size < fewest_in_window || stop.expired()) return {};

    const LocalGraph graph(setting, begin, end);
    std::vector<Vertex> places(index(size) + 1);
    std::iota(places.begin(), places.end(), 0);
    LinKernighan::Options options;
    options.depth = window_depth;
    options.looks_at_all = false;
    if (begin > 0) options.first = 0;
    if (end < setting.weights->size()) options.last = size - 1;
    LinKernighan search(graph.lengths(), graph.near(), Tour(std::move(places)), options);
    for (Vertex k = 0; k < size; ++k) {
        if (may_have_moves(setting, begin + k, window)) search.look_at(k);
    }
    std::int64_t done = 0;
    for (bool goes_on = search.descend(stop); goes_on && done < perturbations && !stop.expired(); done += goes_on) {
        goes_on = search.perturb_near(static_cast<Vertex>(done * (size + 1) / perturbations), random, stop);
    }

    const Tour& tour = search.tour();
    const Vertex opening = graph.lengths().opening();
    const Vertex first = tour.next(opening);
    const bool reversed = (options.first != no_vertex && first != options.first) ||
                          (options.last != no_vertex && tour.prev(opening) != options.last);
    std::size_t filled = 0;
    for (Vertex v = reversed ? tour.prev(opening) : first; v != opening; v = reversed ? tour.prev(v) : tour.next(v)) {
        order[filled++] = stretch[index(v)];
    }
    return {search.gained(), done};
}

}  // namespace neuroprim::paths
