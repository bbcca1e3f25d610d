#include <array>

#include "formats/write/output_file.hpp"
#include "formats/write/writer_choice.hpp"
#include "neuroprim/picture.hpp"

namespace neuroprim {
using namespace formats;

namespace {

constexpr std::array<FormatInfo, 2> picture_formats = {{{"svg", "scalable"}, {"png", "in pixels"}}};

}  // namespace

void check_picture_path(const std::string& path) {
    (void)chosen_format(path, {}, picture_formats);
    check_writable(path);
}

void write_picture(const std::string& path, const Picture& picture, double scale) {
    if (chosen_format(path, {}, picture_formats) == 0) {
        write_svg(path, picture);
    } else {
        write_png(path, picture, scale);
    }
}

}  // namespace neuroprim
