#include "formats/read/json_instance.hpp"
#include "formats/read/reader.hpp"

namespace neuroprim::formats {

namespace {

/// GeoJSON is asked first, so that whatever else is an object is ours.
Match recognises_json(const Sniffed& sniffed) {
    return sniffed.first_line.value.starts_with('{') ? Match::certain : Match::no;
}

std::vector<Instance> read_json(const Text& text) {
    JsonCursor cursor(text);
    Instance instance = read_json_instance(cursor);
    cursor.finish();
    return just(std::move(instance));
}

}  // namespace

extern const Reader json_reader = {"json", "NeuroPrim's own JSON", recognises_json, read_json};

}  // namespace neuroprim::formats
