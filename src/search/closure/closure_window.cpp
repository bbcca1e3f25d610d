#include "search/closure/closure_window.hpp"

#include <algorithm>
#include <iterator>
#include <span>
#include <string>
#include <utility>

#include "graph/disjoint_sets.hpp"
#include "problems/required.hpp"
#include "search/closure/union_tree.hpp"

namespace neuroprim {

namespace {

double mean_weight(const Weights& weights) {
    double sum = 0;
    for (Vertex u = 0; u < weights.size(); ++u) {
        weights.for_each_neighbour(u, [&](Vertex, double weight) { sum += weight; });
    }
    return sum / (2 * std::max(1.0, static_cast<double>(weights.edge_count())));
}

bool is_junction(const Weights& weights, Vertex v) {
    int streets = 0;
    weights.for_each_neighbour(v, [&](Vertex, double) { ++streets; });
    return streets > 2;
}

bool is_in_group(const TreeSpec& spec, Vertex v) {
    return spec.coverage == Coverage::groups && spec.group(v) >= 0;
}

/// How much a part cares for short ways, beside light ones: a tree under limits needs some of either kind.
double care_for_short_ways(const ClosureOptions& options, Random& random) {
    constexpr double factors[] = {1, 0, 2, 8};
    return options.variety > 0 ? factors[random.below(std::size(factors))] : 1;
}

}  // namespace

bool has_closure_windows(const Problem& problem) {
    constexpr Vertex least = 100;           // what one look at all vertices serves as well
    constexpr Vertex most = 5'000;          // each window takes O(n) to be put back
    constexpr std::size_t most_degree = 4;  // on average: streets have three
    const TreeSpec& spec = problem.spec();
    const bool is_sparse = problem.weights().edge_count() * 2 <= most_degree * index(problem.size());
    return problem.is_plain() && spec.objective == Objective::length && spec.coverage != Coverage::all &&
           spec.has_only({Limit::hops, Limit::length}) && is_sparse && problem.size() > least &&
           problem.size() <= most;
}

bool is_wanted(const Problem& problem, Vertex v) {
    return !is_expendable(problem, v) || problem.spec().prize(v) > 0;
}

ClosureWindow::ClosureWindow(const Problem& whole, ClosureParts parts, const ClosureOptions& options, Random random)
    : whole_(&whole), parts_(std::move(parts)) {
    const TreeSpec& spec = whole.spec();
    std::vector<int> place = number_parts();
    FreeWays::Prices prices;
    std::vector<double> surcharge;
    const bool is_limited = limits_ways(whole);
    if (is_limited) {
        hang_parts(place);
        if (spec.hops)
            prices.edge = options.way_price * mean_weight(whole.weights());
        else
            prices.weight = options.way_price;
        surcharge.assign(place.size(), 0);
        for (const Vertex v : members_.front()) {
            surcharge[index(v)] =
                spec.hops ? prices.edge * hanging_.depth[index(v)] : options.way_price * length_[index(v)];
        }
    }
    FreeWays ways(whole.weights(), std::move(place), std::move(surcharge), prices);
    // Where ways are limited, nothing may be in the way of those that have none to spare. Otherwise a way through
    // another part is two ways.
    for (std::size_t k = 1; is_limited && k < members_.size(); ++k) {
        if (members_[k].size() == 1 && !is_in_group(spec, seen_at_[k])) ways.let_pass(static_cast<int>(k));
    }
    join_parts(ways, options, random);
    add_junctions(ways, options, random);

    make_instance();
    TreeSpec asked = coverage();
    const std::string name(whole.name());
    if (!is_limited) {
        problem_ = std::make_unique<Problem>(instance_, std::move(asked), name);
        return;
    }
    asked.root = 0;
    asked.length = told_length();
    problem_ = std::make_unique<ClosureProblem>(instance_, std::move(asked), name, way_limits());
}

/// (n) Which part each vertex of the graph is in.
std::vector<int> ClosureWindow::number_parts() {
    const Vertex n = whole_->size();
    const TreeSpec& spec = whole_->spec();
    DisjointSets trees(n);
    std::vector<bool> has_group(static_cast<std::size_t>(spec.group_count()), false);
    for (const auto& [u, v] : parts_.kept) {
        trees.join(u, v);
        for (const Vertex end : {u, v}) {
            if (spec.group(end) >= 0) has_group[static_cast<std::size_t>(spec.group(end))] = true;
        }
    }
    std::vector<int> number(index(n), FreeWays::free);  // of a tree, by the vertex that stands for it
    const auto show = [&](Vertex v) {
        int& part = number[index(trees.find(v))];
        if (part != FreeWays::free) return;
        if (trees.size_of(v) == 1 && is_in_group(spec, v) && has_group[static_cast<std::size_t>(spec.group(v))])
            return;
        part = static_cast<int>(seen_at_.size());
        seen_at_.push_back(v);
    };
    for (const Vertex v : parts_.shown) show(v);
    for (const auto& [u, v] : parts_.kept) show(u);
    members_.resize(seen_at_.size());
    std::vector<int> place(index(n), FreeWays::free);
    for (Vertex v = 0; v < n; ++v) {
        const int part = number[index(trees.find(v))];
        if (part != FreeWays::free) members_[static_cast<std::size_t>(part)].push_back(v);
        // The tree holds one vertex of a group, so none may be passed on the way.
        place[index(v)] = part == FreeWays::free && is_in_group(spec, v) ? FreeWays::closed : part;
    }
    return place;
}

/// All trees but the root's are reached at their top only: their heights are known from there.
void ClosureWindow::hang_parts(std::vector<int>& place) {
    hanging_ = hang(Tree{seen_at_.front(), parts_.kept}, seen_at_, whole_->size());
    length_.assign(place.size(), 0);
    for (const Vertex v : hanging_.order) {
        const Vertex above = hanging_.parent[index(v)];
        if (above == no_vertex) continue;
        length_[index(v)] = length_[index(above)] + whole_->weights()(above, v);
        if (place[index(v)] > 0) place[index(v)] = FreeWays::closed;
    }
}

void ClosureWindow::Meeting::add(int number, double distance) {
    for (std::size_t k = 0; k < far.size(); ++k) {
        if (distance >= far[k]) continue;
        std::swap(distance, far[k]);
        std::swap(number, part[k]);
    }
}

void ClosureWindow::join_parts(FreeWays& ways, const ClosureOptions& options, Random& random) {
    const std::size_t count = members_.size();
    ways_.resize(count * (count - 1) / 2);
    meetings_.resize(index(whole_->size()));
    for (std::size_t k = 0; k < count; ++k) {
        const bool hangs = k > 0 && limits_ways(*whole_);
        ways.search(hangs ? std::span<const Vertex>(&seen_at_[k], 1) : std::span<const Vertex>(members_[k]), {},
                    care_for_short_ways(options, random));
        for (const Vertex v : ways.met()) {
            const auto other = static_cast<std::size_t>(ways.place(v));
            if (other > k) ways_[other * (other - 1) / 2 + k] = {ways.way_back(v), ways.weight(v)};
        }
        for (const Vertex v : ways.reached()) meetings_[index(v)].add(static_cast<int>(k), ways.weight(v));
    }
}

/// What it saves to join three parts here, against two ways between them. May be negative.
double ClosureWindow::gain_at(const Meeting& meeting) const {
    double sum = 0;
    double longest = 0;
    for (std::size_t k = 0; k < 3; ++k) {
        const std::size_t other = (k + 1) % 3;
        const Way& way = ways_[pair_index(meeting.part[k], meeting.part[other])];
        const double weight = way.path.empty() ? meeting.far[k] + meeting.far[other] : way.weight;
        sum += weight;
        longest = std::max(longest, weight);
    }
    return sum - longest - (meeting.far[0] + meeting.far[1] + meeting.far[2]);
}

void ClosureWindow::add_junctions(FreeWays& ways, const ClosureOptions& options, Random& random) {
    std::vector<std::pair<double, Vertex>> loss;  // negative: a gain
    for (Vertex v = 0; v < whole_->size(); ++v) {
        const Meeting& meeting = meetings_[index(v)];
        if (meeting.part[2] < 0 || !is_junction(whole_->weights(), v)) continue;
        const double chance =
            options.variety * random.uniform() * (meeting.far[0] + meeting.far[1] + meeting.far[2]) / 2;
        loss.emplace_back(chance - gain_at(meeting), v);
    }
    std::sort(loss.begin(), loss.end());
    if (loss.size() > options.junctions) loss.resize(options.junctions);
    meetings_.clear();

    const std::size_t first = seen_at_.size();
    std::vector<std::size_t> number(index(whole_->size()), 0);
    for (const auto& [lost, v] : loss) {
        number[index(v)] = seen_at_.size();
        seen_at_.push_back(v);
    }
    ways_.resize(seen_at_.size() * (seen_at_.size() - 1) / 2);
    for (std::size_t k = first; k < seen_at_.size(); ++k) {
        ways.search(std::span<const Vertex>(&seen_at_[k], 1), {}, care_for_short_ways(options, random));
        const auto add = [&](std::size_t other, Vertex v) {
            ways_[pair_index(static_cast<Vertex>(k), static_cast<Vertex>(other))] = {ways.way_back(v),
                                                                                     ways.weight(v)};
        };
        for (const Vertex v : ways.met()) add(static_cast<std::size_t>(ways.place(v)), v);
        for (const Vertex v : ways.reached()) {
            if (number[index(v)] > k) add(number[index(v)], v);
        }
    }
}

void ClosureWindow::make_instance() {
    std::vector<WeightedEdge> edges;
    const auto n = static_cast<Vertex>(seen_at_.size());
    for (Vertex b = 1; b < n; ++b) {
        for (Vertex a = 0; a < b; ++a) {
            const Way& way = ways_[pair_index(a, b)];
            if (!way.path.empty()) edges.push_back({a, b, way.weight});
        }
    }
    instance_.weights = Weights::from_edges(n, std::move(edges));
    const auto positions = whole_->instance().positions();
    if (positions.empty()) return;
    for (const Vertex v : seen_at_) instance_.layout.push_back(positions[index(v)]);
}

/// Which vertices of the window must be in, which are groups, and what prizes they have.
TreeSpec ClosureWindow::coverage() const {
    const TreeSpec& all = whole_->spec();
    TreeSpec spec;
    spec.coverage = all.coverage;
    std::vector<int> number(static_cast<std::size_t>(all.group_count()), -1);
    int groups = 0;
    if (!all.prizes.empty()) spec.prizes.assign(seen_at_.size(), 0);
    if (all.coverage == Coverage::groups) spec.groups.assign(seen_at_.size(), -1);
    for (std::size_t k = 0; k < members_.size(); ++k) {
        const Vertex v = seen_at_[k];
        if (members_[k].size() > 1 || whole_->required(v)) {
            spec.terminals.push_back(static_cast<Vertex>(k));
        } else if (is_in_group(all, v)) {
            int& group = number[static_cast<std::size_t>(all.group(v))];
            if (group < 0) group = groups++;
            spec.groups[k] = group;
        } else if (!all.prizes.empty()) {
            spec.prizes[k] = all.prize(v);
        }
    }
    if (all.coverage == Coverage::groups && groups == 0) {
        spec.coverage = Coverage::terminals;
        spec.groups.clear();
    }
    return spec;
}

std::vector<WayLimit> ClosureWindow::way_limits() const {
    const TreeSpec& all = whole_->spec();
    const std::size_t n = seen_at_.size();
    std::vector<WayLimit> limits;
    const auto add = [&](double most, auto&& of_way, auto&& of_vertex) {
        WayLimit limit{most, std::vector<double>(n * n, 0), std::vector<double>(n, 0)};
        for (std::size_t b = 1; b < n; ++b) {
            for (std::size_t a = 0; a < b; ++a) {
                const Way& way = ways_[b * (b - 1) / 2 + a];
                if (way.path.empty()) continue;
                // The other end is a top, a single vertex or a junction, none of which has a depth.
                const double depth = a > 0 ? 0 : std::max(of_vertex(way.path.front()), of_vertex(way.path.back()));
                limit.way[a * n + b] = limit.way[b * n + a] = of_way(way) + depth;
            }
        }
        for (std::size_t k = 1; k < members_.size(); ++k) {
            for (const Vertex v : members_[k]) limit.height[k] = std::max(limit.height[k], of_vertex(v));
        }
        limits.push_back(std::move(limit));
    };
    if (all.hops) {
        add(
            *all.hops, [](const Way& way) { return static_cast<double>(way.path.size() - 1); },
            [&](Vertex v) { return std::max(0.0, static_cast<double>(hanging_.depth[index(v)])); });
    }
    if (all.length) {
        add(
            *all.length, [](const Way& way) { return way.weight; }, [&](Vertex v) { return length_[index(v)]; });
    }
    return limits;
}

/// What the policy is told: edges of the window have many hops, so a limit on hops is one on lengths.
double ClosureWindow::told_length() const {
    if (whole_->spec().length) return *whole_->spec().length;
    double weight = 0;
    double hops = 0;
    for (const Way& way : ways_) {
        if (way.path.empty()) continue;
        weight += way.weight;
        hops += static_cast<double>(way.path.size() - 1);
    }
    return *whole_->spec().hops * (weight > 0 ? weight / hops : 1);
}

std::vector<Edge> ClosureWindow::expanded(const Tree& tree) const {
    std::vector<Edge> edges = parts_.kept;
    for (const auto& [a, b] : tree.edges) {
        const std::vector<Vertex>& path = ways_[pair_index(a, b)].path;
        for (std::size_t k = 1; k < path.size(); ++k) edges.push_back({path[k - 1], path[k]});
    }
    return edges;
}

}  // namespace neuroprim
