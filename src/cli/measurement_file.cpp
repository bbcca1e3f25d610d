#include "cli/measurement_file.hpp"

#include <fmt/format.h>

#include <cerrno>
#include <cstring>

#include "formats/write/output_file.hpp"
#include "neuroprim/error.hpp"

namespace neuroprim::cli {

MeasurementFile::MeasurementFile(std::string path, std::string_view header) : path_(std::move(path)) {
    if (path_.empty()) return;
    formats::check_writable(path_);
    stream_.open(path_);
    add(header);
}

void MeasurementFile::add(std::string_view line) {
    if (path_.empty()) return;
    stream_ << line << '\n' << std::flush;
    if (!stream_) throw InputError(path_, 0, fmt::format("cannot be written: {}", std::strerror(errno)));
}

}  // namespace neuroprim::cli
