#include "train_support.hpp"

#include <random>

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
    return result;
}

std::vector<TrainableCase> trainable_cases() {
    return {{"mst", 0, 0}, {"dcmst", 2, 0}, {"dcmst", 3, 0}, {"mrcst", 0, 0}, {"stp", 0, 0}, {"hmst", 0, 2}};
}

LibraryProblem library_problem(const TrainableCase& what, const Graphs& graphs, std::int64_t g, Vertex root) {
    LibraryProblem result;
    result.instance = std::make_unique<Instance>();
    const auto points = graphs.points[g].to(at::kDouble).contiguous();
    std::vector<Point> list;
    for (std::int64_t v = 0; v < graphs.vertices(); ++v) {
        list.push_back({points.data_ptr<double>()[2 * v], points.data_ptr<double>()[2 * v + 1]});
        if (what.steiner() && graphs.terminals[g][v].item<bool>()) {
            result.instance->terminals.push_back(static_cast<Vertex>(v));
        }
    }
    result.instance->weights = Weights::from_points(std::move(list));
    ProblemOptions options = what.options();
    if (what.hops > 0) options.root = root;
    result.problem = make_problem(what.problem, *result.instance, options);
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

PolicyModule small_policy(std::uint64_t seed, int decoder_layers) {
    torch::manual_seed(seed);
    PolicyConfig config;
    config.d_v = 16;
    config.d_e = 8;
    config.d_f = 24;
    config.heads = 4;
    config.encoder_layers = 2;
    config.decoder_layers = decoder_layers;
    config.attention_size = decoder_layers > 1 ? 5 : 0;
    if (decoder_layers > 1) config.features = {"distance"};
    PolicyModule policy(config);
    const torch::NoGradGuard no_gradients;
    for (const auto& item : policy->named_parameters()) {
        if (item.key().find("distance") != std::string::npos) item.value().uniform_(-0.5, 0.5);
    }
    return policy;
}

const ProcessGroup& alone() {
    static const ProcessGroup group(Place{}, false);
    return group;
}

}  // namespace neuroprim::train
