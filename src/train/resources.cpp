#include "train/resources.hpp"

#include <ATen/ATen.h>
#include <ATen/core/grad_mode.h>

#include <cmath>

#include "policy/specification.hpp"

namespace neuroprim::train {

namespace {

at::Tensor straight_distances(const at::Tensor& points) {
    return (points.unsqueeze(2) - points.unsqueeze(1)).square().sum(3).sqrt();
}

/// (…, 3) as policy::RowFacts writes a count.
std::vector<at::Tensor> count_facts(const at::Tensor& left, const at::TensorOptions& floats) {
    return {left.clamp_max(neuroprim::policy::most_left).to(floats) / 4, (left == 1).to(floats),
            (left == 2).to(floats)};
}

}  // namespace

at::Tensor edge_weights(const Graphs& graphs) {
    return graphs.weights.defined() ? graphs.weights.to(graphs.points.options()) : straight_distances(graphs.points);
}

at::Tensor weight_units(const Graphs& graphs) {
    const auto extent = (graphs.points.amax(1) - graphs.points.amin(1)).amax(1, true);
    auto scale = 1 / at::where(extent > 0, extent, at::ones_like(extent));  // into the unit square
    if (!graphs.weights.defined()) return scale;
    const auto apart = straight_distances(graphs.points);
    const auto weights = edge_weights(graphs);
    const auto counts = (apart > 0) & (weights > 0);
    const auto ratios = at::where(counts, apart / weights, at::ones_like(apart)).log();
    const auto mean = ratios.sum({1, 2}) / counts.sum({1, 2}).clamp_min(1);
    const auto has_any = counts.flatten(1).any(1, true);
    return at::where(has_any, scale * mean.exp().unsqueeze(1), at::ones_like(scale));
}

at::Tensor leave_times(const at::Tensor& enter, const Graphs& graphs) {
    const auto groups = graphs.groups.repeat_interleave(enter.size(0) / graphs.size(), 0);
    const auto none = at::full_like(enter, never);
    return none.scatter_reduce(1, groups, enter, "amin").gather(1, groups);
}

at::Tensor input_facts(const Graphs& graphs, const Rules& rules, const at::Tensor& coordinates) {
    const std::int64_t n = graphs.vertices();
    const auto floats = coordinates.options();
    const auto none = at::zeros({graphs.size(), n}, floats);
    const auto whole = [&](double value) { return at::full({graphs.size(), n}, value, floats); };
    const auto per_graph = [&](const at::Tensor& x) { return x.to(floats).view({-1, 1}).expand({-1, n}); };
    const auto units = weight_units(graphs).to(floats);
    at::Tensor root = none;
    at::Tensor from_root = none;
    if (graphs.roots.defined()) {
        root = none.scatter(1, graphs.roots.unsqueeze(1), 1);
        const auto place = coordinates.gather(1, graphs.roots.view({-1, 1, 1}).expand({-1, 1, 2}));
        from_root = (coordinates - place).square().sum(2).sqrt();
    }
    at::Tensor grouped = none;
    at::Tensor to_centre = at::zeros_like(coordinates);
    at::Tensor share = none;
    if (graphs.groups.defined()) {
        grouped = at::ones_like(none);
        // A product and no scattered sums, whose order differs from time to time on a GPU.
        const auto together = (graphs.groups.unsqueeze(2) == graphs.groups.unsqueeze(1)).to(floats);  // (G, n, n)
        share = 1 / together.sum(2);
        to_centre = at::bmm(together, coordinates) * share.unsqueeze(2) - coordinates;
    }
    at::Tensor prize = none;
    if (graphs.prizes.defined()) {
        prize = at::log1p(std::sqrt(static_cast<double>(n)) * units * graphs.prizes.to(floats));
    }
    at::Tensor demand = none;
    at::Tensor mean_demand = none;
    if (graphs.demands.defined()) {
        demand = graphs.demands.to(floats) / rules.capacity;
        mean_demand = demand.mean(1, true).expand({-1, n});
    }
    const double degree = rules.degree_limit > 0 ? 1.0 / rules.degree_limit : 0;
    at::Tensor degrees = whole(degree);
    at::Tensor is_leaf = none;
    if (rules.leaf_start && rules.degree_limit > 0) {
        degrees = degrees.scatter(1, graphs.roots.unsqueeze(1), 1);
        is_leaf = root;
    }
    const auto reciprocal = [](int limit) { return limit > 0 ? 1.0 / limit : 0; };
    return at::stack({root,
                      from_root,
                      grouped,
                      to_centre.select(2, 0),
                      to_centre.select(2, 1),
                      share,
                      prize,
                      demand,
                      degrees,
                      is_leaf,
                      whole(rules.cost == Rules::Cost::routing_cost ? 1 : 0),
                      none,
                      none,
                      whole(rules.coverage == Coverage::terminals ? 1 : 0),
                      whole(rules.coverage == Coverage::groups ? 1 : 0),
                      whole(rules.coverage == Coverage::optional ? 1 : 0),
                      whole(reciprocal(rules.hop_limit)),
                      graphs.length_limits.defined()
                          ? per_graph(1 / (graphs.length_limits.to(floats) * units.squeeze(1)).clamp_min(1e-3))
                          : none,
                      mean_demand,
                      whole(reciprocal(rules.diameter_limit)),
                      degrees.mean(1, true).expand({-1, n}),
                      whole(std::log(static_cast<double>(n)) / 5)},
                     2);
}

Resources::Resources(const Graphs& graphs, const Rules& rules, const at::Tensor& starts)
    : rules_(rules), count_(starts.size(0)), n_(graphs.vertices()), floats_(graphs.points.options()) {
    const auto ints = starts.options().dtype(at::kInt);
    const auto at_start = starts.unsqueeze(1);
    degree_ = at::zeros({count_, n_}, ints).scatter_(1, at_start, rules.start_degree());
    depth_ = at::zeros({count_, n_}, ints);
    is_root_ = at::zeros({count_, n_}, floats_);
    if (rules.one_start) is_root_.scatter_(1, at_start, 1);
    if (rules.length_percent > 0) {
        weights_ = edge_weights(graphs).flatten(1);
        length_ = at::zeros({count_, n_}, floats_);
        limit_ = per_trajectory(graphs.length_limits.to(floats_)).unsqueeze(1);
        unit_ = per_trajectory(weight_units(graphs));
    }
    if (rules.capacity > 0) {
        demands_ = per_trajectory(graphs.demands.to(floats_));
        branch_ = at_start.expand({count_, n_}).clone();
        load_ = at::zeros({count_, n_}, floats_);
        least_demand_ = demands_.amin(1, true);
        mean_demand_ = demands_.mean(1, true);
    }
    if (rules.diameter_limit > 0) {
        eccentricity_ = at::zeros({count_, n_}, ints);
        distance_ = at::zeros({count_, n_, n_}, ints);
        inside_ = at::zeros({count_, n_}, ints.dtype(at::kBool)).scatter_(1, at_start, true);
    }
}

at::Tensor Resources::per_trajectory(const at::Tensor& per_graph) const {
    return per_graph.repeat_interleave(count_ / per_graph.size(0), 0);
}

at::Tensor Resources::branch_load() const {
    return load_.gather(1, branch_);
}

void Resources::add(const at::Tensor& u, const at::Tensor& v, const at::Tensor& moves) {
    const auto put = [&](at::Tensor& table, const at::Tensor& value) {
        table.scatter_(1, v, at::where(moves, value, table.gather(1, v)));
    };
    put(depth_, depth_.gather(1, u) + 1);
    degree_.scatter_add_(1, u, moves.to(at::kInt));
    degree_.scatter_add_(1, v, moves.to(at::kInt));
    if (length_.defined()) {
        const auto numbers = (u * n_ + v).reshape({weights_.size(0), -1});
        put(length_, length_.gather(1, u) + weights_.gather(1, numbers).view_as(u));
    }
    if (load_.defined()) {
        // A branch has the number of the vertex that it begins with; what hangs from the start begins one.
        const auto from_start = depth_.gather(1, u) == 0;
        put(branch_, at::where(from_start, v, branch_.gather(1, u)));
        load_.scatter_add_(1, branch_.gather(1, v), demands_.gather(1, v) * moves);
    }
    if (distance_.defined()) {
        const auto row = [&](const at::Tensor& x) { return x.unsqueeze(2).expand({-1, 1, n_}); };
        const auto farther = distance_.gather(1, row(u)) + 1;                  // (B, 1, n) of tree vertices
        const auto seen = inside_.unsqueeze(1) & moves.unsqueeze(2);           // (B, 1, n)
        const auto apart = at::where(seen, farther, at::zeros_like(farther));  // (B, 1, n)
        distance_.scatter_(1, row(v), at::where(moves.unsqueeze(2), apart, distance_.gather(1, row(v))));
        const auto column = v.unsqueeze(1).expand({-1, n_, 1});
        distance_.scatter_(2, column,
                           at::where(moves.unsqueeze(2), apart.transpose(1, 2), distance_.gather(2, column)));
        eccentricity_ = at::maximum(eccentricity_, apart.squeeze(1));
        put(eccentricity_, apart.squeeze(1).amax(1, true));
        put(inside_, at::ones_like(moves));
    }
}

at::Tensor Resources::full() const {
    at::Tensor result = at::zeros_like(degree_, degree_.options().dtype(at::kBool));
    if (rules_.degree_limit > 0) result = result | (degree_ >= rules_.degree_limit);
    if (rules_.hop_limit > 0) result = result | (depth_ >= rules_.hop_limit);
    if (rules_.diameter_limit > 0) result = result | (eccentricity_ >= rules_.diameter_limit);
    if (rules_.capacity > 0) result = result | (least_demand_ > load_left());
    return result;
}

at::Tensor Resources::length_left() const {
    return length_.defined() ? limit_ * (1 + resource_tolerance) - length_ : at::Tensor();
}

at::Tensor Resources::load_left() const {
    return load_.defined() ? rules_.capacity * (1 + resource_tolerance) - branch_load() : at::Tensor();
}

at::Tensor Resources::facts() const {
    std::vector<at::Tensor> result;
    const auto add_count = [&](int limit, const at::Tensor& used) {
        const auto facts = count_facts(limit > 0 ? limit - used : at::zeros_like(degree_), floats_);
        result.insert(result.end(), facts.begin(), facts.end());
    };
    add_count(rules_.hop_limit, depth_);
    add_count(rules_.diameter_limit, eccentricity_);
    add_count(rules_.degree_limit, degree_);
    const auto none = at::zeros({count_, n_}, floats_);
    const auto length = length_.defined() ? limit_ - length_ : none;
    result.push_back(length_.defined() ? length * unit_ : none);
    result.push_back(length_.defined() ? length / limit_ : none);
    const auto load = load_.defined() ? rules_.capacity - branch_load() : none;
    result.push_back(load_.defined() ? load / rules_.capacity : none);
    result.push_back(load_.defined() ? (load / mean_demand_).clamp_max(neuroprim::policy::most_left) / 4 : none);
    result.push_back(is_root_);
    return at::stack(result, 2);
}

StepResources step_resources(const Trajectories& trajectories, const Graphs& graphs, const Rules& rules,
                             bool with_facts) {
    const at::NoGradGuard no_gradients;
    StepResources result;
    if (rules.length_percent > 0) result.weights = edge_weights(graphs);
    if (rules.capacity > 0) result.demands = graphs.demands.to(graphs.points.options());
    if (graphs.groups.defined()) result.leave = leave_times(trajectories.enter, graphs);
    if (!with_facts && !rules.has_pair_rule()) return result;
    Resources resources(graphs, rules, trajectories.start);
    std::vector<at::Tensor> facts;
    std::vector<at::Tensor> lengths;
    std::vector<at::Tensor> loads;
    for (std::int64_t t = 0; t < trajectories.sources.size(1); ++t) {
        if (with_facts) facts.push_back(resources.facts());
        if (rules.length_percent > 0) lengths.push_back(resources.length_left());
        if (rules.capacity > 0) loads.push_back(resources.load_left());
        resources.add(trajectories.sources.narrow(1, t, 1), trajectories.targets.narrow(1, t, 1),
                      (t < trajectories.lengths).unsqueeze(1));
    }
    if (!facts.empty()) result.facts = at::stack(facts, 1);
    if (!lengths.empty()) result.length_left = at::stack(lengths, 1);
    if (!loads.empty()) result.load_left = at::stack(loads, 1);
    return result;
}

}  // namespace neuroprim::train
