#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <utility>

#include "formats/read/numbered_points.hpp"
#include "formats/read/reader.hpp"
#include "formats/read/tsplib_matrix.hpp"
#include "formats/text/scanner.hpp"
#include "formats/text/values.hpp"

namespace neuroprim::formats {

namespace {

constexpr std::array<std::string_view, 10> keywords = {"NAME",
                                                       "TYPE",
                                                       "COMMENT",
                                                       "DIMENSION",
                                                       "CAPACITY",
                                                       "EDGE_WEIGHT_TYPE",
                                                       "EDGE_WEIGHT_FORMAT",
                                                       "EDGE_DATA_FORMAT",
                                                       "NODE_COORD_TYPE",
                                                       "DISPLAY_DATA_TYPE"};

constexpr std::array<std::pair<std::string_view, Metric>, 6> metrics = {{{"EUC_2D", Metric::euc_2d},
                                                                         {"CEIL_2D", Metric::ceil_2d},
                                                                         {"MAN_2D", Metric::man_2d},
                                                                         {"MAX_2D", Metric::max_2d},
                                                                         {"ATT", Metric::att},
                                                                         {"GEO", Metric::geo}}};

/// `KEYWORD : value`, with or without spaces around the colon, or a keyword alone.
struct Entry {
    Token keyword;
    Token value;
    bool has_colon = false;
};

Entry split(const Token& line) {
    const std::size_t end = std::min(line.value.find_first_of(": \t"), line.value.size());
    const Token rest = trimmed({line.value.substr(end), line.at + end});
    const bool has_colon = rest.value.starts_with(':');
    const std::size_t skip = has_colon ? 1 : 0;
    return {{line.value.substr(0, end), line.at}, trimmed({rest.value.substr(skip), rest.at + skip}), has_colon};
}

bool is_section(std::string_view keyword) {
    constexpr std::string_view ending = "_SECTION";
    return keyword.size() > ending.size() && same_word(keyword.substr(keyword.size() - ending.size()), ending);
}

Match recognises_tsplib(const Sniffed& sniffed) {
    const Entry entry = split(sniffed.first_line);
    if (is_section(entry.keyword.value)) return Match::certain;
    const bool known = std::any_of(keywords.begin(), keywords.end(),
                                   [&](std::string_view keyword) { return same_word(keyword, entry.keyword.value); });
    return known && entry.has_colon ? Match::certain : Match::no;
}

class Tsplib {
public:
    explicit Tsplib(const Text& text) : text_(text), scanner_(text) {}

    Instance read() {
        for (Token line = scanner_.line(); !line.value.empty(); line = scanner_.line()) {
            const Entry entry = split(line);
            if (same_word(entry.keyword.value, "EOF")) break;
            if (is_section(entry.keyword.value)) {
                if (!entry.value.value.empty()) {
                    fail_expected(text_, entry.value, "a new line after the section's name");
                }
                read_section(entry.keyword);
            } else {
                read_entry(entry);
            }
        }
        return finish();
    }

private:
    void read_entry(const Entry& entry) {
        const auto is = [&](std::string_view keyword) { return same_word(entry.keyword.value, keyword); };
        if (is("DIMENSION")) {
            if (n_ != 0) text_.fail(entry.keyword.at, "DIMENSION is given twice");
            n_ = to_vertex_count(text_, entry.value);
        } else if (is("TYPE")) {
            check_type(entry.value);
        } else if (is("EDGE_WEIGHT_TYPE")) {
            if (!weight_type_.empty()) text_.fail(entry.keyword.at, "EDGE_WEIGHT_TYPE is given twice");
            read_weight_type(entry.value);
        } else if (is("EDGE_WEIGHT_FORMAT")) {
            // FUNCTION says that coordinates give the weights, which EDGE_WEIGHT_TYPE says as well.
            if (!same_word(entry.value.value, "FUNCTION")) layout_ = to_matrix_layout(text_, entry.value);
        } else if (!entry.has_colon && std::none_of(keywords.begin(), keywords.end(), is)) {
            fail_expected(text_, entry.keyword, expected_here());
        }
    }

    /// Extra numbers after a section are the usual reason for a line that is no keyword.
    std::string expected_here() const {
        if (section_.empty()) return "a TSPLIB keyword";
        return fmt::format("a TSPLIB keyword after the {} of {} vertices", section_, n_);
    }

    void check_type(const Token& value) const {
        // The word only: some files add a remark, as in "TYPE : TSP (M.~Hofmeister)".
        const std::string_view word = value.value.substr(0, value.value.find_first_of(" \t"));
        for (const auto* type : {"TSP", "ATSP", "CVRP"}) {
            if (same_word(word, type)) return;
        }
        fail_expected(text_, value, "TYPE TSP, ATSP or CVRP");
    }

    void read_weight_type(const Token& value) {
        weight_type_ = value.value;
        if (same_word(value.value, "EXPLICIT")) return;
        std::string known = "EXPLICIT";
        for (const auto& [name, metric] : metrics) {
            if (same_word(value.value, name)) {
                metric_ = metric;
                return;
            }
            known += fmt::format(", {}", name);
        }
        fail_expected(text_, value, fmt::format("an EDGE_WEIGHT_TYPE ({})", known));
    }

    void read_section(const Token& keyword) {
        const auto is = [&](std::string_view name) { return same_word(keyword.value, name); };
        section_ = keyword.value;
        if (n_ == 0) text_.fail(keyword.at, fmt::format("{} comes before the DIMENSION", keyword.value));
        if (weight_type_.empty()) {
            text_.fail(keyword.at, fmt::format("{} comes before the EDGE_WEIGHT_TYPE", keyword.value));
        }
        if (is("NODE_COORD_SECTION")) {
            points_ = read_points(metric_.value_or(Metric::euclidean));
        } else if (is("DISPLAY_DATA_SECTION")) {
            display_ = read_points(Metric::euclidean);
        } else if (is("EDGE_WEIGHT_SECTION")) {
            if (!layout_) text_.fail(keyword.at, "EDGE_WEIGHT_SECTION comes before the EDGE_WEIGHT_FORMAT");
            matrix_ = read_matrix(scanner_, n_, *layout_);
        } else if (is("EDGE_DATA_SECTION")) {
            text_.fail(keyword.at, "EDGE_DATA_SECTION lists edges without weights, which cannot be read");
        } else {
            skip_section();
            if (!is("TOUR_SECTION")) skipped_.push_back(keyword);
        }
    }

    /// What else a file asks of tours and vehicles, such as demands or fixed edges, a spanning tree does not hear of.
    void warn_of_skipped_sections() const {
        if (skipped_.empty()) return;
        std::vector<std::string_view> names;
        for (const Token& name : skipped_) names.push_back(name.value);
        text_.warn(skipped_.front().at, fmt::format("skipped what is not read: {}", fmt::join(names, ", ")));
    }

    std::vector<Point> read_points(Metric metric) {
        NumberedPoints points(text_, n_);
        for (Vertex v = 0; v < n_; ++v) {
            const Token number = scanner_.word();
            if (number.value.empty() || same_word(number.value, "EOF")) {
                fail_expected(text_, number, fmt::format("vertex {} of {}", v + 1, n_));
            }
            const double x = to_number(text_, scanner_.word(), "a coordinate");
            const double y = to_number(text_, scanner_.word(), "a coordinate");
            check_position(text_, number.at, {x, y}, metric);
            points.add(number, {x, y});
        }
        return points.in_order(text_.content.size());
    }

    void skip_section() {
        for (;;) {
            Scanner ahead = scanner_;
            if (!parse_number(ahead.word().value)) return;
            scanner_ = ahead;
        }
    }

    Instance finish() {
        if (n_ == 0) text_.fail("DIMENSION is missing");
        if (weight_type_.empty()) text_.fail("EDGE_WEIGHT_TYPE is missing");
        warn_of_skipped_sections();
        Instance instance;
        instance.name = text_.name;
        if (metric_) {
            if (points_.empty()) text_.fail("NODE_COORD_SECTION is missing: the file may be cut off");
            instance.weights = Weights::from_points(std::move(points_), *metric_);
        } else {
            if (!matrix_) text_.fail("EDGE_WEIGHT_SECTION is missing: the file may be cut off");
            instance.weights = Weights::from_lower_triangle(n_, *matrix_);
            instance.layout = display_.empty() ? std::move(points_) : std::move(display_);
        }
        return instance;
    }

    const Text& text_;
    Scanner scanner_;
    Vertex n_ = 0;
    std::string_view section_;      // the last one read
    std::string_view weight_type_;  // EXPLICIT, or what metric_ says
    std::optional<Metric> metric_;
    std::optional<MatrixLayout> layout_;
    std::vector<Point> points_;
    std::vector<Point> display_;
    std::optional<std::vector<double>> matrix_;
    std::vector<Token> skipped_;  // names of sections
};

std::vector<Instance> read_tsplib(const Text& text) {
    return just(Tsplib(text).read());
}

}  // namespace

extern const Reader tsplib_reader = {"tsplib", "TSPLIB", recognises_tsplib, read_tsplib};

}  // namespace neuroprim::formats
