#include <fmt/format.h>

#include <limits>

#include "formats/read/named_graph.hpp"
#include "formats/read/reader.hpp"
#include "formats/text/json_cursor.hpp"
#include "formats/text/values.hpp"
#include "neuroprim/error.hpp"

namespace neuroprim::formats {

namespace {

/// Only this format lists nodes: our own has their number.
Match recognises_node_link(const Sniffed& sniffed) {
    if (!sniffed.first_line.value.starts_with('{')) return Match::no;
    bool found = false;
    try {
        JsonCursor cursor(sniffed.text);
        cursor.object([&](const std::string& key, std::size_t) {
            found = key == "nodes" || key == "links" || key == "multigraph";
            if (!found) cursor.skip();
            return !found;
        });
    } catch (const InputError&) {
        return Match::no;
    }
    return found ? Match::certain : Match::no;
}

/// The text of the next value: of a string its content, of all else as it stands there ("7", "[0, 1]").
std::string text_of_value(JsonCursor& cursor) {
    if (cursor.peek() == JsonCursor::Kind::string) return cursor.string();
    const std::size_t begin = cursor.at();
    cursor.skip();
    JsonCursor after = cursor;
    const std::string_view content = cursor.text().content;
    std::size_t end = std::min(after.at(), content.size());
    std::string_view value = trimmed(content.substr(begin, end - begin));
    while (!value.empty() && (is_space(value.back()) || value.back() == ',')) value.remove_suffix(1);
    return std::string(value);
}

class NodeLinkReader {
public:
    explicit NodeLinkReader(const Text& text) : text_(text), graph_(text) {}

    Instance read() {
        std::optional<std::size_t> nodes;
        std::optional<std::size_t> links;
        JsonCursor cursor(text_);
        cursor.object([&](const std::string& key, std::size_t at) {
            if (key == "nodes") nodes = cursor.at();
            if (key == "links" || key == "edges") {
                if (links) text_.fail(at, "edges are given twice: as \"links\" and as \"edges\"");
                links = cursor.at();
            }
            if (key == "directed" && cursor.peek() == JsonCursor::Kind::boolean) {
                if (cursor.boolean()) text_.warn(at, "the graph is directed: its edges are read without a direction");
                return;
            }
            cursor.skip();
        });
        cursor.finish();
        if (!nodes) text_.fail("expected the key \"nodes\"");
        if (!links) text_.fail("expected the key \"links\" or \"edges\"");
        JsonCursor at_nodes(text_, *nodes);
        at_nodes.array([&] { read_node(at_nodes); });
        JsonCursor at_links(text_, *links);
        at_links.array([&] { read_link(at_links); });
        return std::move(graph_).to_instance();
    }

private:
    void read_node(JsonCursor& cursor) {
        const std::size_t at = cursor.at();
        std::optional<std::string> id;
        JsonCursor again = cursor;
        cursor.object([&](const std::string& key, std::size_t) {
            if (key == "id") {
                id = text_of_value(cursor);
            } else {
                cursor.skip();
            }
        });
        if (!id) text_.fail(at, "a node has no key \"id\"");
        const Vertex v = graph_.add_node(*id, at);
        again.object([&](const std::string& key, std::size_t) {
            const std::size_t value_at = again.at();
            if (key == "pos" && again.peek() == JsonCursor::Kind::array) {
                std::size_t count = 0;
                again.array([&] {
                    const Token number = again.number("a coordinate");
                    if (count < 2) graph_.set_attribute(v, count == 0 ? "x" : "y", number);
                    ++count;
                });
                return;
            }
            if (key == "id" || again.peek() == JsonCursor::Kind::null) return again.skip();
            const std::string value = text_of_value(again);
            graph_.set_attribute(v, key, {value, value_at});
        });
    }

    void read_link(JsonCursor& cursor) {
        const std::size_t at = cursor.at();
        std::optional<std::string> from;
        std::optional<std::string> to;
        std::optional<double> weight;
        std::size_t best = std::numeric_limits<std::size_t>::max();
        cursor.object([&](const std::string& key, std::size_t) {
            if (key == "source") {
                from = text_of_value(cursor);
            } else if (key == "target") {
                to = text_of_value(cursor);
            } else if (const auto rank = NamedGraph::weight_rank(key);
                       rank && *rank < best && cursor.peek() == JsonCursor::Kind::number) {
                best = *rank;
                weight = to_weight(text_, cursor.number());
            } else {
                cursor.skip();
            }
        });
        if (!from || !to) text_.fail(at, "an edge needs the keys \"source\" and \"target\"");
        graph_.add_edge(graph_.node(*from, at), graph_.node(*to, at), weight, at);
    }

    const Text& text_;
    NamedGraph graph_;
};

std::vector<Instance> read_node_link(const Text& text) {
    return just(NodeLinkReader(text).read());
}

}  // namespace

extern const Reader node_link_reader = {"node-link", "NetworkX node-link JSON", recognises_node_link, read_node_link};

}  // namespace neuroprim::formats
