#pragma once

#include <cstddef>
#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "neuroprim/error.hpp"
#include "neuroprim/instance.hpp"
#include "neuroprim/map_options.hpp"
#include "neuroprim/solution.hpp"
#include "neuroprim/tree.hpp"
#include "neuroprim/tree_spec.hpp"

namespace neuroprim {

/// A file format by its short name (`tsplib`, `steinlib`, …), as `--format` takes it.
struct FormatInfo {
    std::string_view name;
    std::string_view title;
};

/// Formats that instances are read from.
[[nodiscard]] std::span<const FormatInfo> input_formats();

/// The content of a file is in none of the formats that are read: perhaps it was never meant to be.
class UnknownFormat : public InputError {
public:
    using InputError::InputError;
};

/// Called with what a reader skipped or took for granted, as one line `file:7: …`. May be empty: nobody is told.
using Warn = std::function<void(const std::string&)>;

/// A text of a million points has 40 MB; what is larger than this is rather a device, or packed by mistake.
inline constexpr std::size_t default_max_input = std::size_t{2} << 30;

/// How instances are read.
struct ReadOptions {
    std::string format = {};                    ///< empty: told by the content
    std::size_t max_input = default_max_input;  ///< bytes of text, once unpacked
    Warn warn = {};
    MapOptions map = {};  ///< for formats that hold streets
};

/// Reads every instance of a file: `-` is standard input, `file.txt#3` picks the third problem of a file that holds
/// several, `file.txt#name` the one of that name, gzip is unpacked. The format is told by the content unless `format`
/// names it. Throws InputError with file, line and what was expected; UnknownFormat when no format fits; TooLarge,
/// having read no further, when there is more text than `max_input`.
[[nodiscard]] std::vector<Instance> read_instances(const std::string& path, const ReadOptions& options);
[[nodiscard]] std::vector<Instance> read_instances(const std::string& path, std::string_view format = {});

/// The same from memory; `source` names the text in errors and, without its folder and ending, the instance.
[[nodiscard]] std::vector<Instance> parse_instances(std::string_view text, const std::string& source,
                                                    const ReadOptions& options);
[[nodiscard]] std::vector<Instance> parse_instances(std::string_view text, const std::string& source,
                                                    std::string_view format = {});

/// The short name of the format that `parse_instances` would take the text for. Throws UnknownFormat when none fits.
[[nodiscard]] std::string_view detected_format(std::string_view text, const std::string& source);

/// Reads a tree written by `solution_to_json` or as CSV edges; `-` is standard input.
[[nodiscard]] Tree read_tree(const std::string& path, const Instance& instance,
                             std::size_t max_input = default_max_input);
[[nodiscard]] Tree parse_tree(std::string_view text, const std::string& source, const Instance& instance,
                              std::size_t max_input = default_max_input);

/// Formats that a solved tree is written in, by the ending of the file name: json, csv, geojson, dot, svg, png and
/// those of other graph tools.
[[nodiscard]] std::span<const FormatInfo> tree_formats();

/// The tree must be one of this instance. `-` is JSON on standard output. A file appears whole or not at all; throws
/// InputError when it cannot be written or when the format cannot hold the tree.
void write_solution(const std::string& path, const Instance& instance, const Solution& solution);

/// Throws what `write_solution` would throw about this path now: an unknown ending, a folder that does not exist or
/// may not be written in. Leaves nothing behind: for the time before a long search.
void check_solution_path(const std::string& path);

/// Formats that an instance is written in: json, tsp, stp, csv (points, or edges when it has no points), geojson and
/// those of other graph tools.
[[nodiscard]] std::span<const FormatInfo> instance_formats();

/// `format` overrides the ending of the file name; `-` is standard output, as JSON unless `format` says otherwise.
/// Throws InputError when the format would lose what decides the answer: the metric, requirements, or facts
/// about vertices such as terminals, prizes or the root.
void write_instance(const std::string& path, const Instance& instance, std::string_view format = {});

/// Throws what `write_instance` would throw about this path now.
void check_instance_path(const std::string& path, std::string_view format = {});

/// The JSON object of one solution (docs/formats.md).
[[nodiscard]] std::string solution_to_json(const Instance& instance, const Solution& solution);

/// An area that edges go around. Inside is what an odd number of its rings surround.
struct Obstacle {
    std::string called;  ///< in messages
    std::vector<std::vector<Point>> rings;
};

/// All areas of a GeoJSON file, in degrees, or in the plane as `metric` says. Throws InputError, also when there is
/// none.
[[nodiscard]] std::vector<Obstacle> read_obstacles(const std::string& path, Metric metric,
                                                   const ReadOptions& options = {});
[[nodiscard]] std::vector<Obstacle> parse_obstacles(std::string_view text, const std::string& source, Metric metric,
                                                    const ReadOptions& options = {});

/// The points with edges that go around the obstacles by the shortest way: weights become a matrix, the points a
/// layout, and the map knows how edges run. Pairs without a way have no edge. Throws InputError for graphs with edges
/// of their own, for points inside an obstacle, and for more points than a matrix is made for. About O(n² + n k)
/// tests of straight ways for k corners.
[[nodiscard]] Instance around_obstacles(Instance instance, std::span<const Obstacle> obstacles);

/// A table of cables, one row each: capacity,price with or without a header. By rising capacity. Throws InputError.
[[nodiscard]] std::vector<Cable> read_cables(const std::string& path);
[[nodiscard]] std::vector<Cable> parse_cables(std::string_view table, const std::string& source);

}  // namespace neuroprim
