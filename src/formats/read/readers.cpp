#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <filesystem>

#include "formats/read/reader.hpp"
#include "formats/text/csv_numbers.hpp"
#include "formats/text/input_file.hpp"
#include "formats/text/scanner.hpp"
#include "formats/text/values.hpp"
#include "neuroprim/error.hpp"
#include "neuroprim/formats.hpp"

namespace neuroprim {

namespace formats {

// Each is defined in its own file, which stands before this one where files are joined.
// NOLINTBEGIN(readability-redundant-declaration)
extern const Reader tsplib_reader, steinlib_reader, geojson_reader, json_reader, matrix_reader, csv_points_reader,
    csv_edges_reader, capmst_reader, orlib_reader, ocst_reader, crd_reader, sym_reader, graphml_reader,
    matrix_market_reader, node_link_reader, metis_reader, osm_reader, gdal_reader;
// NOLINTEND(readability-redundant-declaration)

namespace {

/// A new format is one file and its name here and in the line above. Asked in this order.
constexpr std::array readers = {
    &tsplib_reader,    &steinlib_reader, &graphml_reader, &matrix_market_reader, &metis_reader,     &geojson_reader,
    &node_link_reader, &json_reader,     &matrix_reader,  &csv_points_reader,    &csv_edges_reader, &capmst_reader,
    &orlib_reader,     &ocst_reader,     &crd_reader,     &sym_reader,           &osm_reader,       &gdal_reader};

std::string known_names() {
    std::string names;
    for (const Reader* reader : readers) names += fmt::format("{}{}", names.empty() ? "" : ", ", reader->name);
    return names;
}

const Reader& reader_named(std::string_view name) {
    for (const Reader* reader : readers) {
        if (reader->name == name) return *reader;
    }
    throw InputError(fmt::format("unknown format {}: expected one of {}", in_quotes(name), known_names()));
}

[[noreturn]] void fail_unknown(const Text& text, const Token& first_line) {
    const Text only{first_line.value, {}, {}};
    Scanner words(only);
    std::size_t decimal_commas = 0;
    for (Token word = words.word(); !word.value.empty(); word = words.word()) {
        decimal_commas += with_decimal_point(word.value) ? 1 : 0;
    }
    if (decimal_commas > 1) {
        throw UnknownFormat(text.source, 0,
                            fmt::format("found {}: {}", in_quotes(first_line.value), decimal_comma_advice));
    }
    const bool is_table = first_line.value.find_first_of(",;\t") != std::string_view::npos;
    const bool is_remark = first_line.value.starts_with('#') || same_word(first_line.value.substr(0, 4), "sep=");
    const char* advice = is_remark  ? "; leave the first line out, which is a remark"
                         : is_table ? "; the header of a table names x,y or lon,lat for points, u,v,weight for edges"
                                    : "";
    throw UnknownFormat(
        text.source, 0,
        fmt::format("the content does not tell the format: name it with --format ({}){}", known_names(), advice));
}

const Reader& reader_for(const Text& text) {
    const Sniffed sniffed(text);
    std::vector<const Reader*> possible;
    for (const Reader* reader : readers) {
        const Match match = reader->recognises(sniffed);
        if (match == Match::certain) return *reader;
        if (match == Match::possible) possible.push_back(reader);
    }
    if (possible.size() == 1) return *possible.front();
    if (possible.empty()) fail_unknown(text, sniffed.first_line);
    std::string readings;
    for (const Reader* reader : possible) {
        readings += fmt::format("{}{} (--format {})", readings.empty() ? "" : " or as ", reader->title, reader->name);
    }
    text.fail(fmt::format("the {} numbers can be read as {}: name the format", sniffed.numbers->numbers, readings));
}

/// The reader of a file that is no text, as the format or the first bytes say; nullptr for text.
const Reader* file_reader(const std::string& path, const ReadOptions& options) {
    if (path == "-") return nullptr;
    if (!options.format.empty()) {
        const Reader& reader = reader_named(options.format);
        return reader.read_file != nullptr ? &reader : nullptr;
    }
    const std::string head = first_bytes(path);
    for (const Reader* reader : readers) {
        if (reader->recognises_file != nullptr && reader->recognises_file(head)) return reader;
    }
    return nullptr;
}

/// `file.txt#3` names the third problem of file.txt, `file.txt#tc80-2` the one of that name, unless a file has just
/// that name.
struct Selection {
    std::string path;
    std::string problem;  // empty: all
};

bool is_digits(std::string_view text) {
    return !text.empty() && text.find_first_not_of("0123456789") == std::string_view::npos;
}

Selection selection_in(const std::string& path) {
    const std::size_t hash = path.rfind('#');
    if (hash == std::string_view::npos) return {path, {}};
    const std::string file = path.substr(0, hash);
    const std::string problem = path.substr(hash + 1);
    std::error_code ignored;
    const bool picks = is_digits(problem) || (!problem.empty() && std::filesystem::exists(file, ignored));
    if (!picks || std::filesystem::exists(path, ignored)) return {path, {}};
    return {file, problem};
}

Instance picked(std::vector<Instance> instances, const std::string& problem, const std::string& source) {
    if (is_digits(problem)) {
        // Too many digits for an integer are too many for any file.
        const auto number = parse_integer(problem).value_or(std::numeric_limits<std::int64_t>::max());
        const auto count = static_cast<std::int64_t>(instances.size());
        if (number < 1 || number > count) {
            throw InputError(source, 0, fmt::format("there is no problem #{}: the file holds {}", problem, count));
        }
        return std::move(instances[static_cast<std::size_t>(number - 1)]);
    }
    std::vector<std::string> names;
    for (Instance& instance : instances) {
        if (same_word(instance.name, problem)) return std::move(instance);
        names.push_back(instance.name);
    }
    throw InputError(source, 0,
                     fmt::format("there is no problem named {}: the file holds {}", in_quotes(problem),
                                 in_quotes(fmt::format("{}", fmt::join(names, ", ")))));
}

}  // namespace

}  // namespace formats

std::span<const FormatInfo> input_formats() {
    static const auto infos = [] {
        std::array<FormatInfo, formats::readers.size()> result;
        std::transform(formats::readers.begin(), formats::readers.end(), result.begin(),
                       [](const formats::Reader* reader) {
                           return FormatInfo{reader->name, reader->title};
                       });
        return result;
    }();
    return infos;
}

std::vector<Instance> parse_instances(std::string_view text, const std::string& source, const ReadOptions& options) {
    const formats::TextFile file(text, source, options.max_input, options.warn, &options.map);
    const auto& reader =
        options.format.empty() ? formats::reader_for(file.text()) : formats::reader_named(options.format);
    return reader.read(file.text());
}

std::vector<Instance> parse_instances(std::string_view text, const std::string& source, std::string_view format) {
    return parse_instances(text, source, ReadOptions{std::string(format)});
}

std::string_view detected_format(std::string_view text, const std::string& source) {
    const formats::TextFile file(text, source);
    return formats::reader_for(file.text()).name;
}

std::vector<Instance> read_instances(const std::string& path, const ReadOptions& options) {
    const auto [file, problem] = formats::selection_in(path);
    const std::string source = formats::source_name(file);
    const formats::Reader* reader = formats::file_reader(file, options);
    if (reader != nullptr) formats::check_file_size(file, options.max_input);
    auto instances = reader != nullptr
                         ? reader->read_file(file, options)
                         : parse_instances(formats::file_content(file, options.max_input), source, options);
    if (problem.empty()) return instances;
    return formats::just(formats::picked(std::move(instances), problem, source));
}

std::vector<Instance> read_instances(const std::string& path, std::string_view format) {
    return read_instances(path, ReadOptions{std::string(format)});
}

}  // namespace neuroprim
