#include <array>
#include <nlohmann/json.hpp>

#include "formats/write/output_file.hpp"
#include "formats/write/writer_choice.hpp"
#include "neuroprim/explanation_files.hpp"

namespace neuroprim {

namespace {

constexpr std::array<FormatInfo, 3> explanation_formats = {{
    {"json", "the steps"},
    {"svg", "a moving picture, or a strip of pictures"},
    {"png", "a strip of pictures"},
}};

}  // namespace

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

void check_explanation_path(const std::string& path) {
    (void)formats::chosen_format(path, {}, explanation_formats);
    formats::check_writable(path);
}

void write_explanation(const std::string& path, const Instance& instance, const Explanation& explanation,
                       bool strip) {
    const std::string_view format = explanation_formats[formats::chosen_format(path, {}, explanation_formats)].name;
    if (format == "json") {
        formats::write_file(path, explanation_to_json(instance, explanation) + "\n");
    } else if (format == "svg" && !strip) {
        formats::write_file(path, explanation_to_animation(instance, explanation));
    } else {
        write_picture(path, explanation_to_strip(instance, explanation));
    }
}

}  // namespace neuroprim
