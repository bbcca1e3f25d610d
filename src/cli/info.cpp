#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <nlohmann/json.hpp>

#include "cli/command.hpp"
#include "cli/options.hpp"
#include "neuroprim/error.hpp"
#include "neuroprim/mst.hpp"

namespace neuroprim::cli {

namespace {

using Facts = nlohmann::ordered_json;

struct InfoArguments {
    CommonOptions common;
    InputOptions input;
    std::vector<std::string> paths;
};

std::string form_text(const Weights& weights) {
    switch (weights.form()) {
        case Weights::Form::points:
            return "points";
        case Weights::Form::matrix:
            return "matrix";
        case Weights::Form::sparse:
            return "sparse graph";
    }
    return "";
}

void add_box(Facts& facts, std::span<const Point> points) {
    Point low = points.front();
    Point high = points.front();
    std::vector<std::pair<double, double>> sorted;
    sorted.reserve(points.size());
    for (const auto& [x, y] : points) {
        low = {std::min(low.x, x), std::min(low.y, y)};
        high = {std::max(high.x, x), std::max(high.y, y)};
        sorted.emplace_back(x, y);
    }
    std::sort(sorted.begin(), sorted.end());
    const auto distinct = std::unique(sorted.begin(), sorted.end()) - sorted.begin();
    facts["x_range"] = {low.x, high.x};
    facts["y_range"] = {low.y, high.y};
    facts["duplicate_points"] = points.size() - static_cast<std::size_t>(distinct);
}

Facts describe(const Instance& instance, int threads) {
    const Weights& weights = instance.weights;
    Facts facts = {{"instance", instance.name},
                   {"n", instance.size()},
                   {"edges", weights.edge_count()},
                   {"form", form_text(weights)},
                   {"complete", weights.is_complete()}};
    if (weights.form() == Weights::Form::points) {
        facts["metric"] = to_string(weights.metric());
        add_box(facts, weights.points());
    }
    facts["terminals"] = instance.terminals.size();
    facts["degree_limits"] = !instance.degree_limits.empty();
    facts["requirements"] = !instance.requirements.empty();
    facts["names"] = !instance.names.empty();
    try {
        const Tree tree = minimum_spanning_tree(weights, threads);
        const std::vector<int> degree = degrees(tree, instance.size());
        facts["connected"] = true;
        facts["mst_cost"] = total_weight(tree, weights);
        facts["mst_max_degree"] = *std::max_element(degree.begin(), degree.end());
    } catch (const Infeasible&) {
        facts["connected"] = false;
    }
    return facts;
}

std::string as_text(const Facts& value) {
    if (value.is_boolean()) return value.get<bool>() ? "yes" : "no";
    if (value.is_string()) return value.get<std::string>();
    if (value.is_array()) {
        return fmt::format("{} … {}", readable(value[0].get<double>()), readable(value[1].get<double>()));
    }
    return readable(value.get<double>());
}

int print_info(const InfoArguments& arguments) {
    for (const auto& path : arguments.paths) {
        for (const auto& instance : arguments.input.read(path, arguments.common.warnings())) {
            const Facts facts = describe(instance, arguments.common.thread_count());
            if (arguments.common.json) {
                fmt::print("{}\n", facts.dump());
            } else if (!arguments.common.quiet) {
                for (const auto& [key, value] : facts.items()) {
                    std::string label = key;
                    std::replace(label.begin(), label.end(), '_', ' ');
                    fmt::print("{:<17} {}\n", label, as_text(value));
                }
                fmt::print("\n");
            }
        }
    }
    return exit_solved;
}

}  // namespace

Command add_info(CLI::App& root) {
    auto arguments = std::make_shared<InfoArguments>();
    CLI::App* app = root.add_subcommand("info", "Say what an input holds");
    app->add_option("input", arguments->paths, "Instances")->required()->type_name("INPUT");
    arguments->input.add_to(*app);
    arguments->common.add_to(*app);
    app->footer("Example:\n  neuroprim info berlin52.tsp\n  neuroprim info data/*.stp --json");
    return {app, [arguments] { return print_info(*arguments); }};
}

}  // namespace neuroprim::cli
