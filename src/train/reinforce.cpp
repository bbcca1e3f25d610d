#include "train/reinforce.hpp"

#include <fmt/format.h>
#include <torch/torch.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>

#include "neuroprim/error.hpp"
#include "policy/model.hpp"
#include "policy/specification.hpp"
#include "train/advantage.hpp"
#include "train/captured_work.hpp"
#include "train/differentiate.hpp"
#include "train/encoder.hpp"
#include "train/fused.hpp"
#include "train/imitation_data.hpp"
#include "train/instances.hpp"
#include "train/optimiser.hpp"
#include "train/policy_module.hpp"
#include "train/replay.hpp"
#include "train/rollout.hpp"
#include "train/sending.hpp"
#include "train/side_work.hpp"

namespace neuroprim::train {

namespace {

using FileTensor = neuroprim::policy::Tensor;

FileTensor to_file(const at::Tensor& tensor) {
    const auto values = tensor.detach().to(at::kCPU, at::kFloat).contiguous();
    const float* data = values.data_ptr<float>();
    return {tensor.sizes().vec(), std::vector<float>(data, data + values.numel())};
}

void from_file(const std::map<std::string, FileTensor>& file, const std::string& name, const at::Tensor& tensor) {
    const auto found = file.find(name);
    if (found == file.end()) throw InputError(fmt::format("checkpoint: tensor {} is missing", name));
    if (tensor.sizes() != at::IntArrayRef(found->second.shape)) {
        throw InputError(fmt::format("checkpoint: tensor {} has the wrong shape", name));
    }
    const at::NoGradGuard no_gradients;
    tensor.copy_(at::tensor(found->second.values).view(found->second.shape));
}

Graphs part_of(const Graphs& graphs, std::int64_t first, std::int64_t count) {
    return graphs.changed([&](const at::Tensor& x) { return x.narrow(0, first, count); });
}

Trajectories of_graphs(const Trajectories& all, std::int64_t first, std::int64_t count, std::int64_t per_graph) {
    return all.changed([&](const at::Tensor& x) { return x.narrow(0, first * per_graph, count * per_graph); });
}

/// How many graphs can be replayed at once in plain tensor operations within a sensible amount of memory.
std::int64_t graphs_per_replay(const PolicyConfig& config, const Rules& rules, std::int64_t n, std::int64_t per_graph,
                               bool cuda) {
    const double budget = cuda ? 4e9 : 3e8;
    const double rows = rules.degree_limit == 2 ? 2 : static_cast<double>(n);
    const double numbers = rows * static_cast<double>(n) * (6 * config.heads + (rows < 3 ? 8 * config.d_e : 0));
    const double bytes = 4 * numbers * static_cast<double>(per_graph * (n - 1) * config.decoder_layers);
    return std::max<std::int64_t>(1, static_cast<std::int64_t>(budget / bytes));
}

/// The same for the kernels, which store nothing of edges: the rows' facts and terms are what takes room.
std::int64_t graphs_per_fused_replay(const PolicyConfig& config, std::int64_t n, std::int64_t per_graph) {
    if (!neuroprim::policy::sees_specification(config)) return std::numeric_limits<std::int64_t>::max();
    constexpr double budget = 2e10;
    const double numbers = neuroprim::policy::row_facts + 4 * neuroprim::policy::row_terms(config);
    const double bytes = 4 * numbers * static_cast<double>(per_graph * n * (n - 1));
    return std::max<std::int64_t>(1, static_cast<std::int64_t>(budget / bytes));
}

/// Is an update the same sequence of operations each time? Costs of dead ends and terms of rows may come in pieces.
bool is_replayable(const Configuration& configuration) {
    return configuration.rules().is_simple() && !neuroprim::policy::sees_specification(configuration.policy());
}

PolicyModule make_policy(const Configuration& configuration, c10::Device device) {
    torch::manual_seed(static_cast<std::uint64_t>(configuration.seed));
    PolicyModule policy(configuration.policy());
    if (!configuration.init.empty()) {
        PolicyConfig wanted = configuration.policy();
        Policy given = Policy::load(configuration.init);
        if (2 * given.config().d_v == wanted.d_v)
            given = given.widened(static_cast<std::uint64_t>(configuration.seed));
        const auto is_wanted = [features = wanted.features](const std::string& feature) {
            return std::find(features.begin(), features.end(), feature) != features.end();
        };
        const auto& seen = given.config().features;
        const bool sees_less = std::all_of(seen.begin(), seen.end(), is_wanted);
        wanted.features = seen;  // what it does not see yet it can learn to use
        if (!sees_less ||
            neuroprim::policy::expected_tensors(given.config()) != neuroprim::policy::expected_tensors(wanted) ||
            given.config().heads != wanted.heads) {
            throw InputError(configuration.init, 0,
                             "the sizes of this policy are not those of the configuration (d_v, d_e, d_f, heads, "
                             "layers, features)");
        }
        copy_weights(given, policy);
    }
    policy->to(device);
    policy->train();
    return policy;
}

}  // namespace

Share share_of(std::int64_t graphs, int rank, int size) {
    const std::int64_t first = graphs * rank / size;
    return {first, graphs * (rank + 1) / size - first};
}

/// Everything that lives on the device. What an update reads and writes keeps its place in memory, so that the whole
/// update can be recorded once and replayed.
struct Trainer::State {
    State(const Configuration& configuration, c10::Device where)
        : device(where),
          policy(make_policy(configuration, where)),
          parts(parts_of(*policy)),
          parameters(policy->parameters()),
          adam(parameters.values),
          schedule{configuration.learning_rate, configuration.schedule == "cosine", configuration.warmup,
                   configuration.updates},
          seed(at::zeros({1}, at::TensorOptions().dtype(at::kLong).device(where))),
          factors(at::zeros({3}, parameters.values.options())),
          sums(at::zeros({5}, parameters.values.options().dtype(at::kDouble))) {}

    c10::Device device;
    PolicyModule policy;
    PolicyParts parts;
    FlatParameters parameters;
    Adam adam;
    Schedule schedule;
    bool fused = false;

    Rules rules;  // inputs of the update at hand
    Graphs graphs;
    at::Tensor starts;                     // (B)
    std::optional<Trajectories> imitated;  // trees to imitate, when somebody else grows them
    at::Tensor seed;                       // (1) of the actions
    at::Tensor factors;                    // (3) learning rate and Adam's corrections
    at::Tensor sums;                       // (5) as in Sums
    std::optional<CapturedWork> recorded;
};

Trainer::Trainer(const Configuration& configuration, c10::Device device, const ProcessGroup& group)
    : configuration_(configuration),
      kinds_(configuration.kinds()),
      group_(&group),
      teacher_threads_(at::get_num_threads()),
      state_(std::make_unique<State>(configuration, device)) {
    if (configuration.graphs < group.size()) {
        throw InputError(
            fmt::format("{} graphs per update cannot be shared by {} processes", configuration.graphs, group.size()));
    }
    const bool possible = fused::supports(configuration.policy(), device, configuration.instances().n_max) &&
                          configuration.entropy_weight == 0;
    if (configuration.decoder == "fused" && !possible) {
        throw InputError(
            "decoder fused: there are no kernels for this device, policy and entropy_weight; plain works");
    }
    state_->fused = possible && configuration.decoder != "plain";
    const InstanceOptions instances = configuration.instances();
    const std::int64_t largest = fused::largest_graph(configuration.policy(), device);
    if (configuration.decoder == "auto" && largest > 0 && instances.n_max > largest) {
        throw InputError(
            fmt::format("graphs of {} vertices are beyond the fused kernels, which hold up to {} with d_e {}; "
                        "decoder plain takes them, far more slowly and with far more memory",
                        instances.n_max, largest, configuration.d_e));
    }
    const bool is_fixed = configuration.has_one_specification() && instances.n_min == instances.n_max;
    const bool imitates = load_policies_to_imitate(device);
    if (is_fixed && !imitates && group.size() == 1 && state_->fused && is_replayable(configuration)) {
        constexpr int unrecorded = 3;  // the first ones load libraries and fill caches
        state_->recorded.emplace([this] { learn(); }, unrecorded);
    }
    if (configuration.teacher > 0) {
        imitation_data_ = std::make_unique<ImitationData>(
            [this](std::int64_t number) { return prepare_imitation_data(number); }, configuration.teacher_uses);
    }
}

Trainer::~Trainer() = default;

/// Are there any?
bool Trainer::load_policies_to_imitate(c10::Device device) {
    for (const SpecificationKind& kind : kinds_) {
        const std::string& file = kind.imitates;
        if (file.empty()) continue;
        if (!imitated_.contains(file)) imitated_.try_emplace(file, Policy::load(file), device);
        const std::string& problem = imitated_.at(file).config().problem;
        if (problem != kind.preset && problem != "tree") {
            throw InputError(file, 0, fmt::format("this policy is for {}, not for {}", problem, kind.preset));
        }
    }
    return !imitated_.empty();
}

bool Trainer::is_fused() const {
    return state_->fused;
}

void Trainer::update() {
    draw_inputs();
    if (state_->recorded) {
        state_->recorded->run();
    } else {
        learn();
    }
    ++step_;
}

/// Rules of a batch and graphs for them. Limits that leave no room for graphs of this size are widened.
Trainer::Batch Trainer::draw_batch(const std::vector<SpecificationKind>& kinds, const InstanceOptions& instances,
                                   const BatchPart& part) const {
    const auto [rules, kind, spare] = draw_rules(kinds, part.seed, part.number);
    const auto found = imitated_.find(kind.imitates);
    const FixedPolicy* imitated = found == imitated_.end() ? nullptr : &found->second;
    InstanceOptions shown = instances;
    const bool mean_nothing = imitated != nullptr && !neuroprim::policy::sees_weights(imitated->config());
    if (kind.straight || mean_nothing) shown.weights = InstanceOptions::EdgeWeights::straight;
    Batch batch{rules, draw_graphs(shown, rules, part, kind.demands), imitated};
    const double mean_demand = static_cast<double>(kind.demands.low + kind.demands.high) / 2;
    batch.rules = feasible(batch.rules, batch.graphs.vertices(), kind.demands.is_given() ? mean_demand : 1, spare);
    batch.rules.pruned_edge_penalty = configuration_.pruned_edge_penalty;
    return batch;
}

/// The largest graphs grow from n to n_max over the first updates, where `grow` says so.
InstanceOptions Trainer::instances_at(std::int64_t update) const {
    InstanceOptions instances = configuration_.instances();
    if (update < configuration_.grow) {
        instances.n_max = instances.n_min + (instances.n_max - instances.n_min) * update / configuration_.grow;
    }
    return instances;
}

/// Set `number` of graphs with the teacher's answers. Runs beside the updates.
SolvedGraphs Trainer::prepare_imitation_data(std::int64_t number) const {
    const Share share = share_of(configuration_.graphs, group_->rank(), group_->size());
    const auto seed = static_cast<std::uint64_t>(configuration_.seed);
    const BatchPart part{seed, static_cast<std::uint64_t>(number), share.first, share.count};
    const Batch batch = draw_batch(kinds_, instances_at(number * configuration_.teacher_uses), part);
    const auto roots = draw_starts(batch.graphs, batch.rules, 1, configuration_.distinct_starts, part);
    return solve_graphs(batch.graphs, batch.rules, roots,
                        {configuration_.teacher, action_seed(seed, part.number), share.first, teacher_threads_});
}

/// What is random about update `step_`, made on the CPU and sent to the device.
void Trainer::draw_inputs() {
    State& state = *state_;
    const Share share = share_of(configuration_.graphs, group_->rank(), group_->size());
    const auto seed = static_cast<std::uint64_t>(configuration_.seed);
    const auto number = static_cast<std::uint64_t>(step_);
    const BatchPart part{seed, number, share.first, share.count};
    Graphs drawn;
    at::Tensor starts;
    std::optional<Trajectories> imitated;
    const FixedPolicy* to_imitate = nullptr;
    if (imitation_data_) {
        const ImitationData::Use use = imitation_data_->for_update(step_);
        state.rules = use.solved->rules;
        drawn = mirrored(use.solved->graphs, static_cast<int>(use.time % 8));
        // Trees with a root were made for one, the first of the set's own starts.
        const BatchPart of_set{seed, static_cast<std::uint64_t>(use.set), share.first, share.count};
        starts = draw_starts(drawn, state.rules, configuration_.trajectories, configuration_.distinct_starts,
                             state.rules.one_start ? of_set : part);
        const Order order = configuration_.teacher_order == "random" ? Order::random : Order::cheapest;
        imitated = tell(*use.solved, starts, order, action_seed(seed, number), teacher_threads_);
    } else {
        Batch batch = draw_batch(kinds_, instances_at(step_), part);
        state.rules = batch.rules;
        drawn = std::move(batch.graphs);
        to_imitate = batch.imitated;
        starts = draw_starts(drawn, state.rules, configuration_.trajectories, configuration_.distinct_starts, part);
    }
    send(state.graphs, drawn, state.device);
    if (!state.starts.defined() || state.starts.sizes() != starts.sizes()) {
        state.starts = at::empty_like(starts, state.device);
    }
    send(state.starts, starts);
    if (imitated) {
        send(state.imitated, *imitated, state.device);
    } else if (to_imitate != nullptr) {
        const Choice choice{false, action_seed(seed, number), share.first * configuration_.trajectories};
        state.imitated = to_imitate->roll_out(state.graphs, state.rules, state.starts, choice);
    } else {
        state.imitated.reset();
    }
    send(state.seed, at::full({1}, static_cast<std::int64_t>(action_seed(seed, number)), at::kLong));
    ++state.adam.steps;
    const auto factors = state.adam.factors(state.schedule.at(step_));
    send(state.factors, at::tensor(at::ArrayRef<float>(factors)));
}

/// One update from the inputs to the parameters: a fixed sequence of operations on the device.
void Trainer::learn() {
    State& state = *state_;
    const std::int64_t per_graph = configuration_.trajectories;
    const std::int64_t graph_count = state.graphs.size();
    const std::int64_t first = share_of(configuration_.graphs, group_->rank(), group_->size()).first * per_graph;
    const bool fused = state.fused;
    const std::int64_t steps = graph_count * per_graph * (state.graphs.vertices() - 1);
    const std::shared_ptr<SideWork> side = fused ? side_work_for(steps) : nullptr;
    const Tables tables = encode(state.parts, state.graphs, *group_, state.rules, side);
    const Tables fixed = changed(tables, [](const at::Tensor& x) { return x.detach(); });
    Trajectories trees;
    StepRecord record;
    if (state.imitated) {
        trees = *state.imitated;
    } else if (fused) {
        fused::DeviceChoice choice;
        choice.seed = state.seed;
        choice.first = first;
        trees = fused::roll_out(state.parts, fixed, state.graphs, state.rules, state.starts, choice, &record);
    } else {
        const Choice choice{false, static_cast<std::uint64_t>(state.seed.item<std::int64_t>()), first};
        trees = roll_out(state.parts, fixed, state.graphs, state.rules, state.starts, choice);
    }

    // The mean over all trees of all processes. What a teacher does is better than usual by definition, but for dead
    // ends.
    const auto advantage = state.imitated ? -(trees.missing == 0).to(trees.costs.scalar_type())
                                          : advantages(trees.costs.view({graph_count, per_graph}),
                                                       {configuration_.leader, configuration_.normalise})
                                                .flatten();
    const auto total = static_cast<double>(configuration_.graphs * per_graph);
    auto log_probability = at::zeros({}, trees.costs.options());
    const auto loss = [&](const Tables& some, std::int64_t begin, std::int64_t count) -> WeightedSum {
        const Trajectories some_trees = of_graphs(trees, begin, count, per_graph);
        const bool with_entropy = configuration_.entropy_weight > 0;
        const bool is_told = neuroprim::policy::sees_specification(state.parts.config);
        const Graphs graphs = part_of(state.graphs, begin, count);
        const StepResources resources = fused ? fused::step_resources(some_trees, graphs, state.rules, is_told)
                                              : step_resources(some_trees, graphs, state.rules, is_told);
        const Likelihood likelihood =
            fused ? fused::log_probabilities(state.parts, some, some_trees, with_entropy, resources,
                                             record.part(begin * per_graph, count * per_graph))
                  : log_probabilities(state.parts, some, some_trees, with_entropy, resources);
        log_probability += likelihood.log_probabilities.detach().sum();
        const auto weights = advantage.narrow(0, begin * per_graph, count * per_graph) / total;
        if (!with_entropy) return {likelihood.log_probabilities, weights};
        const auto entropy = likelihood.entropies.sum() / total;
        return {(weights * likelihood.log_probabilities).sum() - configuration_.entropy_weight * entropy};
    };
    const std::int64_t n = state.graphs.vertices();
    const std::int64_t piece =
        fused ? std::min(graph_count, graphs_per_fused_replay(state.parts.config, n, per_graph))
              : graphs_per_replay(state.parts.config, state.rules, n, per_graph, state.device.is_cuda());
    FlatParameters& parameters = state.parameters;
    parameters.forget_gradients();
    differentiate(tables, piece, loss);
    join(side);
    parameters.collect_gradients();
    group_->sum(parameters.gradients);
    at::Tensor norm;
    if (state.fused) {
        norm = fused::adam_update(parameters.values, parameters.gradients, state.adam.first_moments,
                                  state.adam.second_moments, state.factors, configuration_.gradient_clip);
    } else {
        norm = clip_gradient(parameters.gradients, configuration_.gradient_clip);
        state.adam.update(parameters.values, parameters.gradients, state.factors);
    }
    state.sums += at::stack({trees.costs.sum(), log_probability, trees.lengths.sum().to(at::kFloat), norm,
                             (trees.missing > 0).sum().to(at::kFloat)});
}

Trainer::Sums Trainer::take_sums() {
    auto sums = state_->sums.clone();
    state_->sums.zero_();
    group_->sum(sums);
    sums = sums.cpu();
    const double* values = sums.data_ptr<double>();
    return {values[0], values[1], values[2], values[3], values[4]};
}

double Trainer::learning_rate() const {
    return state_->schedule.at(std::max<std::int64_t>(0, step_ - 1));
}

Trainer::Validation Trainer::validate() {
    Validation result;
    for (SpecificationKind kind : kinds_) {
        kind.imitates.clear();
        const std::string name = to_text(kind);
        const auto has_name = [&](const auto& known) { return known.first == name; };
        if (std::ranges::any_of(result.kinds, has_name)) continue;  // learned in more ways than one
        result.kinds.emplace_back(name, validate(kind));
        result.cost += result.kinds.back().second;
    }
    result.cost /= static_cast<double>(result.kinds.size());
    return result;
}

double Trainer::validate(const SpecificationKind& kind) {
    const at::NoGradGuard no_gradients;
    State& state = *state_;
    state.policy->eval();
    // Where sizes, terminals or limits are drawn per batch, several batches stand for the mixture.
    const InstanceOptions instances = configuration_.instances();
    const bool varied = tightest_rules(kind).coverage != Coverage::all || !configuration_.has_one_specification() ||
                        instances.n_min != instances.n_max;
    const std::int64_t all = configuration_.validation_graphs;
    const std::int64_t size = varied ? (all + 9) / 10 : std::min<std::int64_t>(all, 500);
    double total = 0;
    for (std::int64_t first = 0; first < all; first += size) {
        const BatchPart part{static_cast<std::uint64_t>(configuration_.validation_seed),
                             static_cast<std::uint64_t>(first / size), first, std::min(size, all - first)};
        Batch batch = draw_batch({kind}, instances, part);
        batch.rules.pruned_edge_penalty = 0;
        const auto starts = draw_starts(batch.graphs, batch.rules, 1, false, part).to(state.device);
        const Graphs graphs = batch.graphs.on(state.device);
        const Tables tables = encode(state.parts, graphs, *group_, batch.rules);
        const Choice greedy{true, 0, 0};
        const Trajectories trees = state.fused
                                       ? fused::roll_out(state.parts, tables, graphs, batch.rules, starts, greedy)
                                       : roll_out(state.parts, tables, graphs, batch.rules, starts, greedy);
        total += trees.costs.to(at::kDouble).sum().item<double>();
    }
    state.policy->train();
    return total / static_cast<double>(all);
}

Checkpoint Trainer::checkpoint() const {
    const State& state = *state_;
    if (!state.parameters.values.isfinite().all().item<bool>()) {
        throw InputError(
            fmt::format("training went astray: the parameters after update {} are not finite. The last "
                        "checkpoint stays; try a smaller learning_rate",
                        step_));
    }
    Checkpoint result;
    result.step = step_;
    result.configuration = to_json(configuration_);
    const auto expected = neuroprim::policy::expected_tensors(state.parts.config);
    for (const auto& item : state.policy->named_parameters()) result.model[item.key()] = to_file(item.value());
    for (const auto& item : state.policy->named_buffers()) {
        if (expected.contains(item.key())) result.model[item.key()] = to_file(item.value());
    }
    result.optimiser["first_moments"] = to_file(state.adam.first_moments);
    result.optimiser["second_moments"] = to_file(state.adam.second_moments);
    return result;
}

void Trainer::restore(const Checkpoint& checkpoint) {
    State& state = *state_;
    const auto expected = neuroprim::policy::expected_tensors(state.parts.config);
    for (const auto& item : state.policy->named_parameters()) from_file(checkpoint.model, item.key(), item.value());
    for (const auto& item : state.policy->named_buffers()) {
        if (expected.contains(item.key())) from_file(checkpoint.model, item.key(), item.value());
    }
    from_file(checkpoint.optimiser, "first_moments", state.adam.first_moments);
    from_file(checkpoint.optimiser, "second_moments", state.adam.second_moments);
    state.adam.steps = step_ = checkpoint.step;
}

void Trainer::align() {
    State& state = *state_;
    group_->broadcast(state.parameters.values);
    group_->broadcast(state.adam.first_moments);
    group_->broadcast(state.adam.second_moments);
    for (at::Tensor& buffer : state.policy->buffers()) group_->broadcast(buffer);
    auto step = at::full({1}, step_, at::TensorOptions().dtype(at::kLong).device(state.device));
    group_->broadcast(step);
    state.adam.steps = step_ = step.item<std::int64_t>();
}

}  // namespace neuroprim::train
