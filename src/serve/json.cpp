#include "serve/json.hpp"

#include <utility>

#include "formats/write/json_object.hpp"
#include "neuroprim/optimality.hpp"

namespace neuroprim::serve {

std::string to_json(const Progress& progress) {
    formats::JsonObject object(formats::JsonObject::Layout::line);
    object.number("cost", progress.cost);
    object.number("bound", progress.bound);
    object.number("gap_percent", gap_percent(progress.cost, progress.bound));
    object.number("seconds", progress.seconds);
    object.text("found_by", progress.found_by);
    if (progress.edges) object.edges("edges", *progress.edges);
    return std::move(object).finish();
}

}  // namespace neuroprim::serve
