#include "neuroprim/error.hpp"
#include "neuroprim/picture.hpp"

namespace neuroprim {

/// The page paints pixels itself, from the SVG (client.ts).
std::string to_png(const Picture&, double) {
    throw InputError("this build draws SVG only");
}

void write_png(const std::string& path, const Picture&, double) {
    throw InputError(path, 0, "this build draws SVG only");
}

}  // namespace neuroprim
