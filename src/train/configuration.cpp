#include "train/configuration.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>
#include <sstream>

#include "neuroprim/error.hpp"
#include "neuroprim/parameters.hpp"
#include "policy/model.hpp"
#include "train/device.hpp"

namespace neuroprim::train {

namespace {

using C = Configuration;

std::string describe(const Value& value) {
    return std::visit(
        [](const auto& held) -> std::string {
            if constexpr (std::is_same_v<std::decay_t<decltype(held)>, std::string>) {
                return fmt::format("\"{}\"", held);
            } else {
                return fmt::format("{}", held);
            }
        },
        value);
}

/// A limit by the name and with the help of the table of parameters, as far as that is not about inputs. Batches draw
/// whole numbers, from `least` on: smaller ones leave random graphs without a tree.
Option limit_named(std::string_view name, Range C::*member, double least, std::string_view drawn = "") {
    constexpr double any = 1e15;
    const Parameter& known = parameter(name);
    const std::string_view help = known.help.substr(0, known.help.find(';'));
    return {std::string(name), member, fmt::format("{}{}", help, drawn), std::max(least, known.range.least), any, {}};
}

std::vector<Option> make_options() {
    constexpr double any = 1e15;
    return {
        {"problem",
         &C::problem,
         "What to train for: mst, dcmst, mrcst, stp, hmst, cmst, bdmst, lmst, pcst, gmst; tree: what the limits say",
         0,
         any,
         {"mst", "dcmst", "mrcst", "stp", "hmst", "cmst", "bdmst", "lmst", "pcst", "gmst", "tree"}},
        limit_named("degree", &C::degree, 2, ": D, or D..E drawn per batch, as all limits"),
        limit_named("hops", &C::hops, 1),
        limit_named("diameter", &C::diameter, 2),
        limit_named("capacity", &C::capacity, 1),
        limit_named("demands", &C::demands, 1, ", drawn one by one"),
        limit_named("length", &C::length, 100, ", in percent of the longest straight one"),
        {"mix", &C::mix, "Several specifications: \"hmst hops=2..8 weight=2; cmst capacity=5..20\"", 0, any, {}},
        {"d_v", &C::d_v, "Vertex features", 1, 1 << 14, {}},
        {"d_e", &C::d_e, "Edge features and decoder state", 2, 1 << 12, {}},
        {"d_f", &C::d_f, "Inner width of the encoder", 1, 1 << 16, {}},
        {"heads", &C::heads, "Attention heads", 1, 64, {}},
        {"encoder_layers", &C::encoder_layers, "Encoder layers", 1, 64, {}},
        {"decoder_layers", &C::decoder_layers, "Decoder layers", 1, 64, {}},
        {"clip", &C::clip, "Logits lie between -clip and clip", 0.1, 1000, {}},
        {"attention_size",
         &C::attention_size,
         "Vertex attention × ln n / ln this; 0: as in the paper",
         2,
         100000,
         {}},
        {"features",
         &C::features,
         "What the policy has beyond the paper's, with commas between: distance, weights, specification, layer_norms",
         0,
         any,
         {}},
        {"init",
         &C::init,
         "Start from this exported policy (fine-tuning); one of half the d_v is widened",
         0,
         any,
         {}},
        {"n", &C::n, "Vertices of the random graphs, the fewest with --n-max", 2, 100000, {}},
        {"n_max", &C::n_max, "Most vertices: each batch draws its size; 0: always n", 0, 100000, {}},
        {"grow", &C::grow, "Updates over which the largest graphs grow from n to n_max", 0, 1e12, {}},
        {"shape",
         &C::shape,
         "Where points lie: uniform, clustered, mixed; remainder: what a growing path has left around its end",
         0,
         any,
         {"uniform", "clustered", "mixed", "remainder"}},
        {"leaf_start", &C::leaf_start, "The start has one edge only: an end of the path with --degree 2", 0, any, {}},
        {"weights",
         &C::weights,
         "Weights of edges: straight distances, or mixed: those of half the graphs times random factors",
         0,
         any,
         {"straight", "mixed"}},
        {"terminals_min", &C::terminals_min, "stp: fewest terminals; each batch draws its number", 1, 100000, {}},
        {"terminals_max", &C::terminals_max, "stp: most terminals; 0: n", 0, 100000, {}},
        {"graphs", &C::graphs, "Graphs per update, over all processes", 1, 1e9, {}},
        {"trajectories", &C::trajectories, "Trees sampled per graph", 2, 1e6, {}},
        {"distinct_starts", &C::distinct_starts, "Take every start once before any is taken again", 0, any, {}},
        {"updates", &C::updates, "How many updates to make", 1, 1e12, {}},
        {"learning_rate", &C::learning_rate, "Adam's step size", 1e-12, 10, {}},
        {"schedule",
         &C::schedule,
         "Learning rate: constant, or cosine down to 0 at the last update",
         0,
         any,
         {"constant", "cosine"}},
        {"warmup", &C::warmup, "Updates over which the learning rate grows from 0", 0, 1e12, {}},
        {"gradient_clip", &C::gradient_clip, "Longest gradient; 0: no limit", 0, any, {}},
        {"leader", &C::leader, "The cheapest tree of a graph counts this many times", 1, 1e6, {}},
        {"normalise", &C::normalise, "Measure costs in deviations of the graph's own", 0, any, {}},
        {"imitates",
         &C::imitates,
         "Learn from the trees that this exported policy samples, not from its own; imitates=FILE in a mix",
         0,
         any,
         {}},
        {"teacher",
         &C::teacher,
         "Imitate the solver's local search with so many perturbations per graph instead of sampling; 0: sample",
         0,
         1e9,
         {}},
        {"teacher_uses",
         &C::teacher_uses,
         "Updates that learn from the same trees, mirrored and from other starts",
         1,
         1000,
         {}},
        {"teacher_order",
         &C::teacher_order,
         "Which edge of the teacher's tree comes next: cheapest, random",
         0,
         any,
         {"cheapest", "random"}},
        {"pruned_edge_penalty",
         &C::pruned_edge_penalty,
         "stp: share of their weight that edges cost which are pruned in the end",
         0,
         1,
         {}},
        {"entropy_weight", &C::entropy_weight, "Reward for undecided policies, per step", 0, 1000, {}},
        {"seed", &C::seed, "Everything random follows from it", 0, any, {}},
        {"log_every", &C::log_every, "Updates between two lines of metrics", 1, 1e12, {}, false},
        {"validate_every", &C::validate_every, "Updates between two validations; 0: none", 0, 1e12, {}, false},
        {"validation_graphs", &C::validation_graphs, "Graphs of the fixed validation set", 1, 1e6, {}, false},
        {"validation_seed", &C::validation_seed, "Seed of the validation set", 0, any, {}, false},
        {"checkpoint_every", &C::checkpoint_every, "Updates between two checkpoints", 1, 1e12, {}, false},
        {"keep", &C::keep, "Checkpoints kept", 1, 1e6, {}, false},
        {"tensorboard", &C::tensorboard, "Write a TensorBoard event file too", 0, any, {}, false},
        {"device", &C::device, "auto, cpu, cuda or cuda:K", 0, any, {}, false},
        {"decoder",
         &C::decoder,
         "auto, plain (tensor operations), fused (CUDA kernels)",
         0,
         any,
         {"auto", "plain", "fused"},
         false},
        {"threads", &C::threads, "Threads; 0: as many as the machine has", 0, 4096, {}, false},
        {"time_limit", &C::time_limit, "Stop and save after this many seconds; 0: no limit", 0, any, {}, false},
    };
}

const Option& option_named(const std::string& name, const std::string& source, long line) {
    const auto& all = options();
    const auto found = std::find_if(all.begin(), all.end(),
                                    [&](const Option& o) { return o.name == name || former_name(o.name) == name; });
    if (found != all.end()) return *found;
    throw InputError(source, line, fmt::format("unknown option \"{}\"", name));
}

struct Assign {
    Configuration& configuration;
    const Option& option;
    const Value& value;
    const std::string& source;
    long line;

    [[noreturn]] void fail(const std::string& expected) const {
        throw InputError(source, line,
                         fmt::format("{}: expected {}, found {}", option.name, expected, describe(value)));
    }

    void check_range(double number) const {
        if (number >= option.least && number <= option.most) return;
        if (option.most >= 1e12) fail(fmt::format("a number of at least {}", option.least));
        fail(fmt::format("a number from {} to {}", option.least, option.most));
    }

    void operator()(std::int64_t C::*member) const {
        const auto* whole = std::get_if<std::int64_t>(&value);
        if (whole == nullptr) fail("a whole number");
        check_range(static_cast<double>(*whole));
        configuration.*member = *whole;
    }

    void operator()(double C::*member) const {
        const auto* whole = std::get_if<std::int64_t>(&value);
        const auto* real = std::get_if<double>(&value);
        if (whole == nullptr && real == nullptr) fail("a number");
        const double number = whole != nullptr ? static_cast<double>(*whole) : *real;
        check_range(number);
        configuration.*member = number;
    }

    void operator()(Range C::*member) const {
        Range range;
        if (const auto* whole = std::get_if<std::int64_t>(&value)) {
            range = {*whole, *whole};
        } else if (const auto* text = std::get_if<std::string>(&value)) {
            try {
                range = parse_range(*text, option.name);
            } catch (const InputError&) {
                fail("a whole number or a range such as 2..8");
            }
        } else {
            fail("a whole number or a range such as 2..8");
        }
        if (range != Range{}) check_range(static_cast<double>(range.low));  // 0: not given
        configuration.*member = range;
    }

    void operator()(bool C::*member) const {
        const auto* flag = std::get_if<bool>(&value);
        if (flag == nullptr) fail("true or false");
        configuration.*member = *flag;
    }

    void operator()(std::string C::*member) const {
        const auto* text = std::get_if<std::string>(&value);
        if (text == nullptr) fail("a text");
        const auto& choices = option.choices;
        if (!choices.empty() && std::find(choices.begin(), choices.end(), *text) == choices.end()) {
            fail(fmt::format("one of {}", fmt::join(choices, ", ")));
        }
        configuration.*member = *text;
    }
};

Value value_of(const Configuration& configuration, const Option& option) {
    return std::visit(
        [&](auto member) -> Value {
            if constexpr (std::is_same_v<decltype(member), Range C::*>) {
                const Range range = configuration.*member;
                return range.low == range.high ? Value(range.low) : Value(to_text(range));
            } else {
                return configuration.*member;
            }
        },
        option.member);
}

/// 0 stands for "not given" in limits that must otherwise be larger.
bool is_unset(const Option& option, const Value& value) {
    return option.name == "attention_size" && value == Value(std::int64_t{0});
}

}  // namespace

const std::vector<Option>& options() {
    static const std::vector<Option> all = make_options();
    return all;
}

std::string former_name(const std::string& name) {
    return name == "pruned_edge_penalty" ? "waste" : "";
}

const std::vector<std::string>& policy_options() {
    static const std::vector<std::string> names = {
        "d_v", "d_e", "d_f", "heads", "encoder_layers", "decoder_layers", "clip", "attention_size", "features"};
    return names;
}

void set(Configuration& configuration, const std::string& name, const Value& value, const std::string& source,
         long line) {
    const Option& option = option_named(name, source, line);
    if (is_unset(option, value)) {
        configuration.*std::get<std::int64_t C::*>(option.member) = 0;
        return;
    }
    std::visit(Assign{configuration, option, value, source, line}, option.member);
}

std::vector<Setting> preset_settings(const std::string& name) {
    if (name != "paper") throw InputError(fmt::format("unknown preset \"{}\": expected paper", name));
    // Section 4, "Hyperparameters": 100 epochs of 2500 batches; about 512 trajectories a batch, so that with n = 50
    // of each graph there are 10 graphs. The text speaks of no gradient clipping.
    const Configuration standard;
    std::vector<Setting> settings;
    const auto add = [&](const std::string& key, const Value& value) {
        settings.push_back({key, value, "preset paper", 0});
    };
    for (const std::string& key : policy_options()) add(key, value_of(standard, option_named(key, "", 0)));
    add("n", std::int64_t{50});
    add("shape", std::string("uniform"));
    add("weights", std::string("straight"));
    add("graphs", std::int64_t{10});
    add("trajectories", std::int64_t{50});
    add("updates", std::int64_t{250000});
    add("learning_rate", 1e-4);
    add("schedule", std::string("constant"));
    add("warmup", std::int64_t{0});
    add("gradient_clip", 0.0);
    add("entropy_weight", 0.0);
    add("leader", 1.0);
    add("normalise", false);
    add("grow", std::int64_t{0});
    add("imitates", std::string());
    add("teacher", std::int64_t{0});
    add("pruned_edge_penalty", 1.0);  // its code prunes nothing
    add("seed", std::int64_t{0});
    return settings;
}

void check(const Configuration& configuration) {
    (void)configuration.kinds();
    neuroprim::policy::check(configuration.policy(), "configuration");
    const auto fail = [](const std::string& message) { throw InputError("configuration", 0, message); };
    if (configuration.weights != "straight" && !neuroprim::policy::sees_weights(configuration.policy())) {
        fail(fmt::format("weights {}: the policy would not see them; give it the features distance,weights",
                         configuration.weights));
    }
    if (configuration.leaf_start && !configuration.mix.empty()) fail("leaf_start and mix do not go together");
    if (configuration.leaf_start && configuration.teacher > 0) fail("leaf_start and teacher do not go together");
    if (configuration.leaf_start && !configuration.degree.is_given()) {
        fail("leaf_start needs a degree limit: the start counts as having all its edges but one");
    }
    const auto imitates = [](const SpecificationKind& kind) { return !kind.imitates.empty(); };
    const bool has_policies_to_imitate = std::ranges::any_of(configuration.kinds(), imitates);
    if (has_policies_to_imitate && configuration.teacher > 0) fail("imitates and teacher do not go together");
    if (!configuration.imitates.empty() && !configuration.mix.empty()) {
        fail("imitates and mix do not go together: say imitates=FILE after each kind of the mix that learns so");
    }
    if (configuration.n_max != 0 && configuration.n_max < configuration.n) {
        fail(fmt::format("n_max {} is less than n {}", configuration.n_max, configuration.n));
    }
    if (configuration.terminals_min > configuration.n) {
        fail(fmt::format("terminals_min {} is more than n {}", configuration.terminals_min, configuration.n));
    }
    if (configuration.terminals_max != 0 && configuration.terminals_max < configuration.terminals_min) {
        fail(fmt::format("terminals_max {} is less than terminals_min {}", configuration.terminals_max,
                         configuration.terminals_min));
    }
    if (configuration.warmup > configuration.updates) {
        fail(fmt::format("warmup {} is longer than the run of {} updates", configuration.warmup,
                         configuration.updates));
    }
    if (!is_device_name(configuration.device)) {
        fail(fmt::format("device: expected auto, cpu, cuda or cuda:K, found \"{}\"", configuration.device));
    }
}

std::string to_json(const Configuration& configuration) {
    nlohmann::ordered_json json;
    for (const Option& option : options()) {
        std::visit([&](const auto& held) { json[option.name] = held; }, value_of(configuration, option));
    }
    return json.dump(4) + "\n";
}

void check_resumable(const Configuration& stored, const Configuration& wanted, const std::string& source) {
    for (const Option& option : options()) {
        // More updates continue a run of constant learning rate as if it had been planned so.
        if (option.name == "updates" && stored.schedule == "constant") continue;
        if (!option.method) continue;
        const Value before = value_of(stored, option);
        const Value after = value_of(wanted, option);
        if (before == after) continue;
        throw InputError(source, 0,
                         fmt::format("{} was {} when this run began and cannot become {}: start a new run in another "
                                     "folder, with --init to keep what was learned",
                                     option.name, describe(before), describe(after)));
    }
}

std::vector<SpecificationKind> Configuration::kinds() const {
    if (!mix.empty()) return parse_mix(mix);
    SpecificationKind kind{.preset = problem,
                           .degree = degree,
                           .hops = hops,
                           .diameter = diameter,
                           .capacity = capacity,
                           .demands = demands,
                           .length = length,
                           .leaf_start = leaf_start,
                           .imitates = imitates};
    (void)tightest_rules(kind);
    return {kind};
}

bool Configuration::has_one_specification() const {
    const auto is_fixed = [](const Range& range) { return range.low == range.high; };
    return mix.empty() && is_fixed(degree) && is_fixed(hops) && is_fixed(diameter) && is_fixed(capacity) &&
           is_fixed(length);
}

Rules Configuration::rules() const {
    if (!has_one_specification()) throw InputError("the batches of this configuration have different specifications");
    Rules rules = tightest_rules(kinds().front());
    rules.pruned_edge_penalty = pruned_edge_penalty;
    return rules;
}

PolicyConfig Configuration::policy() const {
    PolicyConfig config;
    config.d_v = static_cast<int>(d_v);
    config.d_e = static_cast<int>(d_e);
    config.d_f = static_cast<int>(d_f);
    config.heads = static_cast<int>(heads);
    config.encoder_layers = static_cast<int>(encoder_layers);
    config.decoder_layers = static_cast<int>(decoder_layers);
    config.clip = clip;
    config.attention_size = static_cast<int>(attention_size);
    std::istringstream names(features);
    for (std::string name; std::getline(names, name, ',');) config.features.push_back(name);
    config.problem = mix.empty() ? problem : "tree";
    return config;
}

InstanceOptions Configuration::instances() const {
    InstanceOptions result;
    result.n_min = n;
    result.n_max = n_max == 0 ? n : n_max;
    result.terminals_min = terminals_min;
    result.terminals_max = terminals_max;
    using Shape = InstanceOptions::Shape;
    result.shape = shape == "clustered"   ? Shape::clustered
                   : shape == "mixed"     ? Shape::mixed
                   : shape == "remainder" ? Shape::remainder
                                          : Shape::uniform;
    using EdgeWeights = InstanceOptions::EdgeWeights;
    result.weights = weights == "mixed" ? EdgeWeights::mixed : EdgeWeights::straight;
    return result;
}

}  // namespace neuroprim::train
