#pragma once

#include <ATen/core/Tensor.h>

#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "neuroprim/problem.hpp"
#include "train/distributed.hpp"
#include "train/instances.hpp"
#include "train/policy_module.hpp"
#include "train/policy_parts.hpp"
#include "train/rules.hpp"
#include "train/trajectories.hpp"

namespace neuroprim::train {

/// A folder that is gone when the test is over.
class TemporaryFolder {
public:
    TemporaryFolder();
    ~TemporaryFolder();
    TemporaryFolder(const TemporaryFolder&) = delete;
    TemporaryFolder& operator=(const TemporaryFolder&) = delete;

    [[nodiscard]] const std::filesystem::path& path() const { return path_; }
    std::filesystem::path operator/(const std::string& name) const { return path_ / name; }

private:
    std::filesystem::path path_;
};

/// A problem that policies are trained for, with its options.
struct TrainableCase {
    std::string problem;
    int degree = 0;
    int hops = 0;
    int diameter = 0;
    int capacity = 0;
    int length = 0;  // percent
    Range demands = {};
    InstanceOptions::EdgeWeights weights = InstanceOptions::EdgeWeights::straight;
    bool leaf_start = false;

    [[nodiscard]] ProblemOptions options() const;
    [[nodiscard]] Rules rules() const;
};

/// Every rule there is: mst, dcmst of degree 2 and 3, mrcst, stp, hmst, then limits on loads, lengths and diameters,
/// groups, prizes and combinations, and some of them with weights that are not straight distances.
[[nodiscard]] std::vector<TrainableCase> trainable_cases();

/// The graphs of a batch for a case.
[[nodiscard]] Graphs draw_case(const TrainableCase& what, const InstanceOptions& options, const BatchPart& part);

/// Graph g as the library sees it, with `root` where hops are counted from.
struct LibraryProblem {
    std::unique_ptr<Instance> instance;
    std::unique_ptr<Problem> problem;
};
[[nodiscard]] LibraryProblem library_problem(const Rules& rules, const Graphs& graphs, std::int64_t g, Vertex root);

/// Trajectory b as a tree.
[[nodiscard]] Tree tree_of(const Trajectories& trajectories, std::int64_t b);

/// A small policy with random weights; `told` the specification or not. With more layers it sees weights of edges.
[[nodiscard]] PolicyModule small_policy(std::uint64_t seed, int decoder_layers = 1, bool told = false);

[[nodiscard]] const ProcessGroup& alone();

}  // namespace neuroprim::train
