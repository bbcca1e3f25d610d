#include <nlohmann/json.hpp>

#include "formats/write/output_file.hpp"
#include "neuroprim/error.hpp"
#include "neuroprim/explanation.hpp"

namespace neuroprim {

std::string explanation_to_json(const Instance& instance, const Explanation& explanation) {
    using Json = nlohmann::ordered_json;
    const auto pair = [](const Edge& edge) { return Json::array({edge.u, edge.v}); };
    Json steps = Json::array();
    for (const auto& step : explanation.steps) {
        Json alternatives = Json::array();
        for (const auto& [edge, probability] : step.alternatives) {
            alternatives.push_back({{"edge", pair(edge)}, {"probability", probability}});
        }
        steps.push_back({{"step", steps.size()},
                         {"edge", pair(step.chosen)},
                         {"probability", step.probability},
                         {"entropy", step.entropy},
                         {"open_edges", step.open_edges},
                         {"alternatives", std::move(alternatives)}});
    }
    const Json report = {{"instance", instance.name},
                         {"problem", explanation.problem},
                         {"n", instance.size()},
                         {"start", explanation.start},
                         {"complete", explanation.complete},
                         {"cost", explanation.complete ? Json(explanation.cost) : Json()},
                         {"log_probability", explanation.log_probability},
                         {"steps", std::move(steps)}};
    return report.dump(2);
}

void write_explanation(const std::string& path, const Instance& instance, const Explanation& explanation,
                       bool strip) {
    const std::string_view name = path;
    if (name.ends_with(".json") || name == "-") {
        formats::write_file(path, explanation_to_json(instance, explanation) + "\n");
    } else if (name.ends_with(".png")) {
        write_png(path, explanation_to_strip(instance, explanation));
    } else if (name.ends_with(".svg") && strip) {
        write_svg(path, explanation_to_strip(instance, explanation));
    } else if (name.ends_with(".svg")) {
        formats::write_file(path, explanation_to_animation(instance, explanation));
    } else {
        throw InputError(path, 0, "expected a name ending in .json, .svg or .png");
    }
}

}  // namespace neuroprim
