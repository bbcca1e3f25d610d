#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "neuroprim/problem.hpp"
#include "neuroprim/tree.hpp"

namespace neuroprim {

/// Everything that fixes the shape of a policy, and what its file tells about its training (docs/model.md).
struct PolicyConfig {
    int d_v = 256;           ///< vertex features; a multiple of `heads`
    int d_e = 16;            ///< edge features and decoder state; even, a multiple of `heads`
    int d_f = 512;           ///< inner width of the encoder's feed-forward layers
    int heads = 8;           ///< at most 64
    int encoder_layers = 3;  ///< at least 1
    int decoder_layers = 1;  ///< at least 1
    double clip = 10;        ///< C of the paper: logits lie in [−C, C]
    int attention_size = 0;  ///< scores of vertex attention × ln n / ln this, so that it stays as sharp when
                             ///< a graph has more vertices to look at; 0: as they are, as in the paper
    std::string problem;     ///< the registry's name of the problem it was trained for, may be empty
    std::vector<std::string> features;  ///< beyond the paper: `distance`, `weights`, `specification`, `layer_norms`
    std::map<std::string, std::string> facts;  ///< how it was trained, kept as it is

    friend bool operator==(const PolicyConfig&, const PolicyConfig&) = default;
};

/// How a file holds the numbers of large matrices: in 32 or in 16 bits, or each as the file had it that the policy
/// was read from, bit by bit. Everything else has 32 bits always.
enum class Precision { full, half, stored };

namespace policy {
struct Model;
struct EdgeTables;
}  // namespace policy

/// A trained policy. Immutable, cheap to copy, shared between threads.
///
/// The fastest instruction set of the machine is chosen when a policy is made; the environment variable
/// NEUROPRIM_ISA (`portable`, `avx2`, `avx512`) chooses another.
class Policy {
public:
    /// Reads a safetensors file. Everything is checked before use, the checksum of its numbers too where it has one:
    /// throws InputError naming file and tensor.
    [[nodiscard]] static Policy load(const std::filesystem::path& path);

    /// Seeded random weights, for tests and benchmarks: not trained, but nothing in it is trivial.
    [[nodiscard]] static Policy random(const PolicyConfig& config, std::uint64_t seed);

    /// Writes a file beside `path` and moves it there, so that readers see the old or the new one, never a part. It
    /// carries a checksum.
    void save(const std::filesystem::path& path, Precision precision = Precision::full) const;

    /// The same policy with all scores of attention over vertices and edges multiplied: above one it looks at fewer
    /// things at a time, which helps in graphs larger than those it was trained with.
    [[nodiscard]] Policy sharpened(double factor) const;

    /// A policy of twice as many vertex features that says the same, up to rounding, for training to go on with.
    /// `seed` draws how the copies of a feature begin to differ.
    [[nodiscard]] Policy widened(std::uint64_t seed) const;

    /// Every number the mean of this policy's and that of `earlier`, which counts for `share` (0 to 1). The two must
    /// be stages of one training: what `earlier` does not see yet counts as zero. Such a mean often keeps what both
    /// stages are good at. Throws InputError where their sizes differ or `earlier` sees more.
    [[nodiscard]] Policy averaged_with(const Policy& earlier, double share) const;

    [[nodiscard]] const PolicyConfig& config() const;
    [[nodiscard]] std::string_view instruction_set() const;

    /// Of the numbers in the file that it was read from, as that states it; empty where there is none.
    [[nodiscard]] std::string_view checksum() const;

    [[nodiscard]] const policy::Model& model() const { return *model_; }

private:
    explicit Policy(std::shared_ptr<const policy::Model> model) : model_(std::move(model)) {}
    friend class Encoded;

    std::shared_ptr<const policy::Model> model_;
};

/// Rotations and reflections that keep the unit square.
inline constexpr int square_symmetries = 8;

struct EncodeOptions {
    int symmetry = 0;  ///< 0..7: which symmetry of the square the coordinates are seen under; 0 as they are
    int threads = 1;
    double turn = 0;  ///< degrees by which the points are turned before that

    /// Where the vertices are, for whoever encodes an instance without coordinates more than once; empty: found anew.
    std::span<const Point> points = {};

    /// Bytes; a larger `memory_needed` is refused by TooLarge. Not given: `default_max_memory()`.
    std::optional<std::size_t> max_memory = {};

    /// Asked now and then from any thread; once true, the constructor of `Encoded` throws Interrupted within some
    /// milliseconds.
    std::function<bool()> interrupted = {};
};

/// What the policy knows about one instance before the first step: the features and key tables of all edges,
/// shared by all its trajectories. Immutable, cheap to copy. About (3·d_e + d_e/2)·4 bytes per directed edge
/// with one decoder layer: 224 MB for 1000 points at d_e = 16.
class Encoded {
public:
    /// The vertex features come from the instance's points or layout, or from planar coordinates fitted to its
    /// weights; which vertices are terminals comes from `problem.required`. Throws Interrupted when the options say
    /// so.
    Encoded(const Policy& policy, const Problem& problem, const EncodeOptions& options = {});

    [[nodiscard]] Policy policy() const;
    [[nodiscard]] Vertex size() const;
    [[nodiscard]] std::size_t bytes() const;
    [[nodiscard]] const policy::EdgeTables& tables() const { return *tables_; }

private:
    std::shared_ptr<const policy::EdgeTables> tables_;
};

[[nodiscard]] inline Encoded encode(const Policy& policy, const Problem& problem, const EncodeOptions& options = {}) {
    return {policy, problem, options};
}

/// Bytes that it takes to make `Encoded(policy, problem, options)`, within some percent; most of them stay in it.
/// O(1).
[[nodiscard]] std::size_t memory_needed(const Policy& policy, const Problem& problem,
                                        const EncodeOptions& options = {});

/// Three quarters of the memory that is available now, to the system or to the control group of this process.
[[nodiscard]] std::size_t default_max_memory();

/// Where a trajectory begins, and which stream of random numbers it draws from: results depend on nothing else.
struct Start {
    Vertex vertex = 0;
    std::uint64_t stream = 0;
    std::span<const Edge> prefix = {};  ///< taken first, as they are, without a choice; they must be open one by one
};

/// Where a policy may begin a greedy tree, streams numbered from zero: where the problem allows any construction to
/// begin, and then, if terminals are to be spanned without a root, at every other vertex. Such a vertex is seldom the
/// most probable one, even where it should be in the tree. A tree that begins there has it, and where it does not pay
/// it is pruned.
[[nodiscard]] std::vector<Start> all_starts(const Problem& problem);

/// The vertices over which so many greedy trees are spread, 0 for as many as there are: those where any construction
/// may begin, if they are enough; otherwise all of the above.
[[nodiscard]] std::vector<Vertex> greedy_starts(const Problem& problem, std::size_t trees);

struct Rollout {
    Tree tree;                   ///< as grown: not pruned
    double log_probability = 0;  ///< of all choices, under the distribution they were drawn from; a prefix is none
    bool complete = false;       ///< false: a dead end or an interruption, and `tree` is only a part
    std::size_t edges_visited = 0;
    std::vector<Edge> alternatives = {};  ///< the edges of highest score at the first choice, best first
};

enum class DecodeMode { greedy, sample };

/// One decision, as an observer sees it. The spans live for the call only.
struct DecodeStep {
    std::size_t trajectory = 0;   ///< index into the starts
    std::size_t step = 0;         ///< from zero
    std::span<const Edge> edges;  ///< every open edge, ordered by (u, v)
    std::span<const float> probabilities;
    std::size_t chosen = 0;  ///< index into `edges`
};

struct DecodeOptions {
    DecodeMode mode = DecodeMode::greedy;
    double temperature = 1;         ///< logits are divided by it
    std::uint64_t seed = 0;         ///< sampling draws from Random(seed, start.stream)
    int threads = 1;                ///< changes the time only, never the answer
    bool log_probabilities = true;  ///< greedy decoding is a little faster without
    std::size_t alternatives = 0;   ///< how many to list at the first choice of each trajectory

    /// Called at every decision of every trajectory, one at a time. It makes decoding run on one thread.
    std::function<void(const DecodeStep&)> observer;

    /// Asked now and then from any thread; once true, what is unfinished is returned as it stands, within some
    /// milliseconds.
    std::function<bool()> interrupted;
};

/// Grows one tree per start. Greedy takes the edge of highest score, ties to the smaller (u, v).
[[nodiscard]] std::vector<Rollout> decode(const Encoded& encoded, const Problem& problem,
                                          std::span<const Start> starts, const DecodeOptions& options = {});

/// Log-probability that the policy grows exactly this tree from `tree.start`, edge by edge in the given order;
/// −∞ if the rules forbid one of its steps. Its first n − 1 or fewer edges need not finish the construction.
[[nodiscard]] double log_probability(const Encoded& encoded, const Problem& problem, const Tree& tree,
                                     double temperature = 1);

}  // namespace neuroprim
