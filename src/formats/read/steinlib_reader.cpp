#include <fmt/format.h>

#include <algorithm>
#include <tuple>

#include "formats/read/edge_list.hpp"
#include "formats/read/numbered_points.hpp"
#include "formats/read/reader.hpp"
#include "formats/read/steinlib_problems.hpp"
#include "formats/text/scanner.hpp"
#include "formats/text/values.hpp"

namespace neuroprim::formats {

namespace {

constexpr std::string_view magic = "33D32945";

Match recognises_steinlib(const Sniffed& sniffed) {
    const auto line = sniffed.first_line.value;
    if (same_word(line.substr(0, magic.size()), magic)) return Match::certain;
    constexpr std::string_view section = "SECTION ";
    return same_word(line.substr(0, section.size()), section) ? Match::certain : Match::no;
}

struct Arc {
    Vertex from;
    Vertex to;
    double weight;
    std::size_t at;

    [[nodiscard]] auto key() const { return std::tuple(from, to, weight); }
};

class SteinLib {
public:
    explicit SteinLib(const Text& text) : text_(text), scanner_(text) {}

    Instance read() {
        for (;;) {
            const Token line = scanner_.line();
            if (line.value.empty()) fail_expected(text_, line, "EOF as the last line (the file may be cut off)");
            const Text just_line{line.value, {}, {}};
            const std::string_view word = Scanner(just_line).word().value;
            if (same_word(word, "EOF")) break;
            if (same_word(word, "SECTION")) {
                read_section(trimmed(Token{line.value.substr(word.size()), line.at + word.size()}));
            } else if (!same_word(word.substr(0, magic.size()), magic)) {
                fail_expected(text_, line, "SECTION or EOF");
            }
        }
        return finish();
    }

private:
    /// Calls `on_line(keyword)` for every line up to END; it reads the rest of the line.
    template <class OnLine>
    void each_line(std::string_view section, OnLine&& on_line) {
        for (;;) {
            const Token keyword = scanner_.word();
            if (same_word(keyword.value, "END")) break;
            if (keyword.value.empty()) fail_expected(text_, keyword, fmt::format("END of section {}", section));
            on_line(keyword);
            const Token extra = scanner_.word_in_line();
            if (!extra.value.empty()) fail_expected(text_, extra, "the end of the line");
        }
    }

    void skip_section(const Token& name) {
        for (Token line = scanner_.line(); !same_word(line.value, "END"); line = scanner_.line()) {
            if (line.value.empty()) fail_expected(text_, line, fmt::format("END of section {}", name.value));
        }
    }

    void read_section(const Token& name) {
        const auto is = [&](std::string_view section) { return same_word(name.value, section); };
        if (is("Comment") || is("Comments")) {
            skip_section(name);
        } else if (is("Graph")) {
            read_graph();
        } else if (is("Terminals")) {
            require_graph(name);
            read_terminals();
        } else if (is("Coordinates")) {
            require_graph(name);
            read_coordinates();
        } else if (is("MaximumDegrees")) {
            require_graph(name);
            read_degrees();
        } else if (is("Presolve")) {
            read_presolve(name);
        } else {
            refuse_other_problems(text_, name, steinlib_section_problems);
            skip_section(name);
            skipped_.push_back(name);
        }
    }

    void warn_of_skipped_sections() const {
        if (skipped_.empty()) return;
        std::vector<std::string> names;
        for (const Token& name : skipped_) names.push_back(in_quotes(name.value));
        text_.warn(skipped_.front().at,
                   fmt::format("skipped what is not understood: section {}", fmt::join(names, ", section ")));
    }

    /// A presolved graph has the same best trees, but part of their cost may have been taken out of it.
    void read_presolve(const Token& name) {
        Scanner lines = scanner_;
        skip_section(name);
        const std::size_t end = end_of_section();
        for (Token word = lines.word(); word.at < end; lines.rest_of_line(), word = lines.word()) {
            if (!same_word(word.value, "Fixed")) continue;
            const double fixed = to_number(text_, lines.word_in_line());
            if (fixed == 0) continue;
            text_.warn(
                word.at,
                fmt::format("the graph is presolved: costs lack {}, which edges contracted before cost", fixed));
        }
    }

    void require_graph(const Token& section) const {
        if (n_ == 0) text_.fail(section.at, fmt::format("section {} comes before section Graph", section.value));
    }

    void read_graph() {
        if (n_ != 0) text_.fail(scanner_.line().at, "section Graph is given twice");
        Token nodes;
        std::optional<std::size_t> edge_count;
        std::optional<std::size_t> arc_count;
        each_line("Graph", [&](const Token& keyword) {
            const auto is = [&](std::string_view word) { return same_word(keyword.value, word); };
            if (is("Nodes")) {
                if (n_ != 0) text_.fail(keyword.at, "Nodes is given twice");
                nodes = scanner_.word_in_line();
                n_ = to_vertex_count(text_, nodes);
            } else if (is("Edges")) {
                edge_count = to_count(text_, scanner_.word_in_line(), "a number of edges");
            } else if (is("Arcs")) {
                arc_count = to_count(text_, scanner_.word_in_line(), "a number of arcs");
            } else if (is("E")) {
                const Arc edge = read_arc(keyword);
                edges_.push_back({edge.from, edge.to, edge.weight});
            } else if (is("A")) {
                arcs_.push_back(read_arc(keyword));
            } else {
                refuse_other_problems(text_, keyword, steinlib_graph_problems);
                fail_expected(text_, keyword, "Nodes, Edges, Arcs, E, A or END");
            }
        });
        if (n_ == 0) text_.fail(scanner_.line().at, "section Graph has no line Nodes");
        check_announced(edge_count, edges_.size(), "edges");
        check_announced(arc_count, arcs_.size(), "arcs");
        add_symmetric_arcs();
        check_plausible_size(text_, nodes.at, n_, edges_.size());
    }

    void check_announced(std::optional<std::size_t> announced, std::size_t found, std::string_view what) const {
        if (!announced || *announced == found) return;
        text_.fail(end_of_section(),
                   fmt::format("the section announces {} {}, but lists {}", *announced, what, found));
    }

    /// The END just read.
    [[nodiscard]] std::size_t end_of_section() const { return text_.content.size() - scanner_.bytes_left() - 1; }

    Vertex read_vertex() { return to_vertex(text_, scanner_.word_in_line(), n_, 1); }

    Arc read_arc(const Token& keyword) {
        if (n_ == 0) text_.fail(keyword.at, "expected Nodes before the first edge");
        const Vertex from = read_vertex();
        const Vertex to = read_vertex();
        check_no_loop(text_, keyword.at, from, to, 1);
        return {from, to, to_weight(text_, scanner_.word_in_line()), keyword.at};
    }

    /// Arcs that all have their equal opposite are an undirected graph told twice.
    void add_symmetric_arcs() {
        const auto before = [](const Arc& a, const Arc& b) { return a.key() < b.key(); };
        std::sort(arcs_.begin(), arcs_.end(), before);
        for (const Arc& arc : arcs_) {
            const Arc opposite{arc.to, arc.from, arc.weight, 0};
            if (!std::binary_search(arcs_.begin(), arcs_.end(), opposite, before)) {
                text_.fail(arc.at, fmt::format("the graph is directed: the arc {} {} has no opposite of weight {}",
                                               arc.from + 1, arc.to + 1, arc.weight));
            }
            if (arc.from < arc.to) edges_.push_back({arc.from, arc.to, arc.weight});
        }
    }

    void read_terminals() {
        std::optional<std::size_t> announced;
        std::size_t found = 0;
        each_line("Terminals", [&](const Token& keyword) {
            if (same_word(keyword.value, "Terminals")) {
                announced = to_count(text_, scanner_.word_in_line(), "a number of terminals");
            } else if (same_word(keyword.value, "T")) {
                terminals_.add(text_, keyword.at, read_vertex(), 1);
                ++found;
                refuse_weight_of_terminal();
            } else if (same_word(keyword.value, "TP")) {
                read_prize(keyword);
                ++found;
            } else if (same_word(keyword.value, "Root") || same_word(keyword.value, "RootP")) {
                if (root_) text_.fail(keyword.at, "the root is given twice");
                root_ = read_vertex();
            } else {
                refuse_other_problems(text_, keyword, steinlib_terminal_problems);
                fail_expected(text_, keyword, "Terminals, T, TP, Root, RootP or END");
            }
        });
        check_announced(announced, found, "terminals");
    }

    /// A vertex with a prize is not a terminal: the tree may leave it out for that price.
    void read_prize(const Token& keyword) {
        const Vertex v = read_vertex();
        with_prize_.add(text_, keyword.at, v, 1);
        prizes_.resize(static_cast<std::size_t>(n_));
        prizes_[static_cast<std::size_t>(v)] = to_weight(text_, scanner_.word_in_line(), "a prize");
    }

    void refuse_weight_of_terminal() const {
        const Token weight = Scanner(scanner_).word_in_line();
        if (!parse_number(weight.value)) return;
        text_.fail(weight.at, fmt::format("terminal with a weight of {}: {}", weight.value, no_vertex_weights));
    }

    void read_coordinates() {
        NumberedPoints points(text_, n_);
        each_line("Coordinates", [&](const Token& keyword) {
            const bool flat = same_word(keyword.value, "DD");
            if (!flat && !same_word(keyword.value, "DDD")) fail_expected(text_, keyword, "DD, DDD or END");
            const Token number = scanner_.word_in_line();
            const double x = to_number(text_, scanner_.word_in_line(), "a coordinate");
            const double y = to_number(text_, scanner_.word_in_line(), "a coordinate");
            if (!flat) static_cast<void>(to_number(text_, scanner_.word_in_line(), "a coordinate"));
            points.add(number, {x, y});
        });
        layout_ = points.in_order(end_of_section());
    }

    void read_degrees() {
        each_line("MaximumDegrees", [&](const Token& keyword) {
            if (!same_word(keyword.value, "MD")) fail_expected(text_, keyword, "MD or END");
            degree_limits_.push_back(to_degree_limit(text_, scanner_.word_in_line()));
        });
        if (degree_limits_.size() != static_cast<std::size_t>(n_)) {
            text_.fail(end_of_section(),
                       fmt::format("expected the degree limits of {} vertices, found {}", n_, degree_limits_.size()));
        }
    }

    Instance finish() {
        if (n_ == 0) text_.fail("section Graph is missing");
        warn_of_skipped_sections();
        Instance instance;
        instance.name = text_.name;
        instance.weights = graph_of(text_, n_, std::move(edges_), 1);
        instance.terminals = std::move(terminals_).sorted();
        instance.prizes = std::move(prizes_);
        instance.root = root_;
        instance.layout = std::move(layout_);
        instance.degree_limits = std::move(degree_limits_);
        return instance;
    }

    const Text& text_;
    Scanner scanner_;
    Vertex n_ = 0;
    std::vector<WeightedEdge> edges_;
    std::vector<Arc> arcs_;
    Terminals terminals_;
    Terminals with_prize_{"with a prize"};
    std::vector<double> prizes_;  // (n) once there is one
    std::optional<Vertex> root_;
    std::vector<Point> layout_;
    std::vector<int> degree_limits_;
    std::vector<Token> skipped_;  // names of sections
};

std::vector<Instance> read_steinlib(const Text& text) {
    return just(SteinLib(text).read());
}

}  // namespace

extern const Reader steinlib_reader = {"steinlib", "SteinLib and PACE 2018 Steiner tree files", recognises_steinlib,
                                       read_steinlib};

}  // namespace neuroprim::formats
