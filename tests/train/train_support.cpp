#include "train_support.hpp"

#include <random>

#include "train/teacher.hpp"

namespace neuroprim::train {

TemporaryFolder::TemporaryFolder() {
    std::random_device random;
    path_ = std::filesystem::temp_directory_path() /
            ("neuroprim-train-" + std::to_string(random()) + "-" + std::to_string(random()));
    std::filesystem::create_directories(path_);
}

TemporaryFolder::~TemporaryFolder() {
    std::error_code ignored;
    std::filesystem::remove_all(path_, ignored);
}

ProblemOptions TrainableCase::options() const {
    ProblemOptions result;
    if (degree > 0) result.degree = degree;
    if (hops > 0) result.hops = hops;
    if (diameter > 0) result.diameter = diameter;
    if (capacity > 0) result.capacity = capacity;
    if (length > 0) result.length = length;
    return result;
}

Rules TrainableCase::rules() const {
    const Rules rules = make_rules(problem, options());
    return leaf_start ? from_a_leaf(rules) : rules;
}

std::vector<TrainableCase> trainable_cases() {
    constexpr auto mixed = InstanceOptions::EdgeWeights::mixed;
    return {{.problem = "mst"},
            {.problem = "dcmst", .degree = 2},
            {.problem = "dcmst", .degree = 3},
            {.problem = "dcmst", .degree = 2, .leaf_start = true},
            {.problem = "dcmst", .degree = 3, .leaf_start = true},
            {.problem = "mrcst"},
            {.problem = "stp"},
            {.problem = "hmst", .hops = 2},
            {.problem = "cmst", .capacity = 4},
            {.problem = "cmst", .capacity = 9, .demands = {1, 5}},
            {.problem = "lmst", .length = 110},
            {.problem = "bdmst", .diameter = 4},
            {.problem = "pcst"},
            {.problem = "gmst"},
            {.problem = "tree", .degree = 3, .hops = 4},
            {.problem = "tree", .hops = 3, .capacity = 5, .demands = {1, 2}},
            {.problem = "stp", .length = 130},
            {.problem = "mrcst", .degree = 3, .diameter = 6},
            {.problem = "mst", .weights = mixed},
            {.problem = "dcmst", .degree = 2, .weights = mixed},
            {.problem = "mrcst", .weights = mixed},
            {.problem = "stp", .weights = mixed},
            {.problem = "lmst", .length = 110, .weights = mixed},
            {.problem = "pcst", .weights = mixed},
            {.problem = "tree", .hops = 4, .capacity = 5, .length = 150, .weights = mixed}};
}

Graphs draw_case(const TrainableCase& what, const InstanceOptions& options, const BatchPart& part) {
    InstanceOptions with_weights = options;
    with_weights.weights = what.weights;
    return draw_graphs(with_weights, what.rules(), part, what.demands);
}

LibraryProblem library_problem(const Rules& rules, const Graphs& graphs, std::int64_t g, Vertex root) {
    LibraryProblem result;
    const Graphs floats =
        graphs.changed([](const at::Tensor& x) { return x.is_floating_point() ? x.to(at::kFloat) : x; });
    result.instance = std::make_unique<Instance>(instance_of(floats, g));
    result.problem = std::make_unique<Problem>(*result.instance, specification_of(floats, g, rules, root));
    return result;
}

Tree tree_of(const Trajectories& trajectories, std::int64_t b) {
    Tree tree;
    tree.start = static_cast<Vertex>(trajectories.start[b].item<std::int64_t>());
    const auto length = trajectories.lengths[b].item<std::int32_t>();
    for (std::int64_t t = 0; t < length; ++t) {
        tree.edges.push_back({static_cast<Vertex>(trajectories.sources[b][t].item<std::int64_t>()),
                              static_cast<Vertex>(trajectories.targets[b][t].item<std::int64_t>())});
    }
    return tree;
}

PolicyModule small_policy(std::uint64_t seed, int decoder_layers, bool told) {
    torch::manual_seed(seed);
    PolicyConfig config;
    config.d_v = 16;
    config.d_e = 8;
    config.d_f = 24;
    config.heads = 4;
    config.encoder_layers = 2;
    config.decoder_layers = decoder_layers;
    config.attention_size = decoder_layers > 1 ? 5 : 0;
    if (decoder_layers > 1) config.features = {"distance", "weights"};
    if (told) config.features.emplace_back("specification");
    PolicyModule policy(config);
    const torch::NoGradGuard no_gradients;
    for (const auto& item : policy->named_parameters()) {
        for (const char* name : {"distance", "specification", "row"}) {
            if (item.key().find(name) != std::string::npos) item.value().uniform_(-0.5, 0.5);
        }
    }
    return policy;
}

const ProcessGroup& alone() {
    static const ProcessGroup group(Place{}, false);
    return group;
}

}  // namespace neuroprim::train
