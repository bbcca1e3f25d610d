#include "experiments/record_file.hpp"

#include <fmt/format.h>

#include "formats/text/values.hpp"

namespace neuroprim::experiments {

RecordFile::RecordFile(const std::filesystem::path& path, const std::vector<std::string>& columns)
    : bytes_(formats::file_content(path.string())), file_(bytes_, path.string()), csv_(file_.text()) {
    csv_.next_row();
    width_ = csv_.cells().size();
    for (const auto& name : columns) {
        const auto place = formats::column_named(csv_.cells(), name);
        if (!place) file_.text().fail(0, fmt::format("expected a header with the column \"{}\"", name));
        places_.push_back(*place);
    }
}

bool RecordFile::next() {
    if (!csv_.next_row()) return false;
    formats::check_width(csv_, width_);
    return true;
}

const formats::Token& RecordFile::cell(std::size_t column) const {
    return csv_.cells()[places_[column]];
}

std::string_view RecordFile::text(std::size_t column) const {
    return cell(column).value;
}

double RecordFile::number(std::size_t column) const {
    const auto value = formats::parse_number(text(column));
    if (!value) {
        file_.text().fail(cell(column).at,
                          fmt::format("expected a number, found {}", formats::in_quotes(text(column))));
    }
    return *value;
}

}  // namespace neuroprim::experiments
