#include <expat.h>
#include <fmt/format.h>

#include <algorithm>
#include <exception>
#include <limits>
#include <map>
#include <memory>

#include "formats/read/named_graph.hpp"
#include "formats/read/reader.hpp"
#include "formats/text/values.hpp"
#include "neuroprim/error.hpp"

namespace neuroprim::formats {

namespace {

Match recognises_graphml(const Sniffed& sniffed) {
    const std::string_view content = sniffed.text.content;
    if (!sniffed.first_line.value.starts_with('<')) return Match::no;
    constexpr std::size_t head = 4096;
    return content.substr(0, head).find("<graphml") != std::string_view::npos ? Match::certain : Match::no;
}

/// Reads the elements as they come, so that memory goes only into the graph. What other programs put between ours
/// (drawings of yEd, ports) is passed over.
class GraphmlParser {
public:
    explicit GraphmlParser(const Text& text)
        : text_(text), graph_(text), parser_(XML_ParserCreate(nullptr), XML_ParserFree) {
        if (!parser_) throw std::bad_alloc();
        XML_SetUserData(parser_.get(), this);
        XML_SetElementHandler(parser_.get(), on_start, on_end);
        XML_SetCharacterDataHandler(parser_.get(), on_text);
    }

    Instance read() {
        constexpr std::size_t piece = std::size_t{1} << 20;  // the parser counts in int
        std::string_view rest = text_.content;
        while (true) {
            const std::string_view now = rest.substr(0, piece);
            rest.remove_prefix(now.size());
            const auto status = XML_Parse(parser_.get(), now.data(), static_cast<int>(now.size()),
                                          rest.empty() ? XML_TRUE : XML_FALSE);
            if (failure_) std::rethrow_exception(failure_);
            if (status != XML_STATUS_OK) {
                text_.fail(at(),
                           fmt::format("no well-formed XML: {}", XML_ErrorString(XML_GetErrorCode(parser_.get()))));
            }
            if (rest.empty()) break;
        }
        if (graphs_ == 0) text_.fail("expected an element <graph>, found none");
        for (const auto& edge : waiting_) {
            graph_.add_edge(graph_.node(edge.from, edge.at), graph_.node(edge.to, edge.at), edge.weight, edge.at);
        }
        return std::move(graph_).to_instance();
    }

private:
    struct Attribute {
        std::string name;
        bool is_for_nodes = false;
        bool is_for_edges = false;
        std::optional<std::string> usual;
        std::size_t at = 0;
    };

    struct WaitingEdge {
        std::string from;
        std::string to;
        std::optional<double> weight;
        std::size_t at = 0;
    };

    static std::string_view local_name(const char* name) {
        const std::string_view whole = name;
        const auto colon = whole.rfind(':');
        return colon == std::string_view::npos ? whole : whole.substr(colon + 1);
    }

    /// Exceptions must not pass through the parser, which is C: they wait till it has returned.
    template <class Work>
    void guarded(Work&& work) {
        if (failure_) return;
        try {
            work();
        } catch (...) {
            failure_ = std::current_exception();
            XML_StopParser(parser_.get(), XML_FALSE);
        }
    }

    static void on_start(void* self, const char* name, const char** attributes) {
        auto& parser = *static_cast<GraphmlParser*>(self);
        parser.guarded([&] { parser.start(local_name(name), attributes); });
    }
    static void on_end(void* self, const char* name) {
        auto& parser = *static_cast<GraphmlParser*>(self);
        parser.guarded([&] { parser.end(local_name(name)); });
    }
    static void on_text(void* self, const char* text, int length) {
        auto& parser = *static_cast<GraphmlParser*>(self);
        parser.guarded([&] {
            if (parser.collects_) parser.collected_.append(text, static_cast<std::size_t>(length));
        });
    }

    [[nodiscard]] std::size_t at() const {
        const auto byte = XML_GetCurrentByteIndex(parser_.get());
        return byte < 0 ? 0 : std::min(static_cast<std::size_t>(byte), text_.content.size());
    }

    [[nodiscard]] std::string needed(const char** attributes, std::string_view key, std::string_view element) const {
        for (; *attributes != nullptr; attributes += 2) {
            if (key == attributes[0]) return attributes[1];
        }
        text_.fail(at(), fmt::format("<{}> has no attribute {}", element, key));
    }

    static std::string optional(const char** attributes, std::string_view key) {
        for (; *attributes != nullptr; attributes += 2) {
            if (key == attributes[0]) return attributes[1];
        }
        return {};
    }

    void start(std::string_view element, const char** attributes) {
        if (skipped_ > 0) {
            ++skipped_;
        } else if (element == "graphml" || element == "desc") {
            // nothing to know
        } else if (element == "key") {
            start_key(attributes);
        } else if (element == "default" || element == "data") {
            if (element == "data") data_key_ = needed(attributes, "key", element);
            collected_.clear();
            collected_at_ = at();
            collects_ = true;
        } else if (element == "graph") {
            if (++graphs_ > 1) text_.fail(at(), "more than one <graph>: a file holds one, and none inside a node");
            if (optional(attributes, "edgedefault") == "directed") {
                text_.warn(at(), "the graph is directed: its edges are read without a direction");
            }
        } else if (element == "node") {
            node_ = graph_.add_node(needed(attributes, "id", element), at());
            inside_ = Inside::node;
        } else if (element == "edge") {
            edge_ = {needed(attributes, "source", element), needed(attributes, "target", element), {}, at()};
            rank_ = std::numeric_limits<std::size_t>::max();
            inside_ = Inside::edge;
        } else if (element == "hyperedge") {
            text_.fail(at(), "a <hyperedge> joins more than two nodes: only edges are read");
        } else {
            skipped_ = 1;
        }
    }

    void end(std::string_view element) {
        if (skipped_ > 0) {
            --skipped_;
        } else if (element == "default") {
            collects_ = false;
            if (!keys_.empty() && !last_key_.empty()) keys_[last_key_].usual = collected_;
        } else if (element == "data") {
            collects_ = false;
            take_data();
        } else if (element == "node") {
            set_usual_of_node();
            inside_ = Inside::neither;
        } else if (element == "edge") {
            finish_edge();
            inside_ = Inside::neither;
        }
    }

    void start_key(const char** attributes) {
        Attribute key;
        last_key_ = needed(attributes, "id", "key");
        key.name = optional(attributes, "attr.name");
        if (key.name.empty()) key.name = last_key_;
        const std::string about = optional(attributes, "for");
        const bool is_for_all = about.empty() || about == "all";
        key.is_for_nodes = is_for_all || about == "node";
        key.is_for_edges = is_for_all || about == "edge";
        key.at = at();
        keys_[last_key_] = std::move(key);
    }

    void take_data() {
        const auto key = keys_.find(data_key_);
        if (key == keys_.end()) {
            text_.fail(collected_at_,
                       fmt::format("<data> has the key {}, which no <key> declares", in_quotes(data_key_)));
        }
        if (inside_ == Inside::neither) return;
        const Token value{trimmed(collected_), collected_at_};
        if (inside_ == Inside::node) {
            said_.push_back(data_key_);
            graph_.set_attribute(node_, key->second.name, value);
        } else {
            take_weight(key->second.name, value);
        }
    }

    void take_weight(std::string_view name, const Token& value) {
        const auto rank = NamedGraph::weight_rank(name);
        if (!rank || *rank >= rank_) return;
        rank_ = *rank;
        edge_.weight = to_weight(text_, value);
    }

    void set_usual_of_node() {
        for (const auto& [id, key] : keys_) {
            const bool is_said = std::find(said_.begin(), said_.end(), id) != said_.end();
            if (key.is_for_nodes && key.usual && !is_said) {
                graph_.set_attribute(node_, key.name, {trimmed(*key.usual), key.at});
            }
        }
        said_.clear();
    }

    void finish_edge() {
        const std::size_t said = rank_;
        if (said == std::numeric_limits<std::size_t>::max()) {
            for (const auto& [id, key] : keys_) {
                if (key.is_for_edges && key.usual) take_weight(key.name, {trimmed(*key.usual), key.at});
            }
        }
        waiting_.push_back(std::move(edge_));  // nodes may follow
    }

    enum class Inside { neither, node, edge };

    const Text& text_;
    NamedGraph graph_;
    std::unique_ptr<std::remove_pointer_t<XML_Parser>, decltype(&XML_ParserFree)> parser_;
    std::exception_ptr failure_;
    std::map<std::string, Attribute> keys_;
    std::string last_key_;
    std::vector<WaitingEdge> waiting_;
    std::vector<std::string> said_;  // keys of the data of this node
    int graphs_ = 0;
    int skipped_ = 0;  // depth inside an element that is no concern of ours
    Inside inside_ = Inside::neither;
    Vertex node_ = no_vertex;
    WaitingEdge edge_;
    std::size_t rank_ = 0;  // of the attribute that the edge has its weight from
    bool collects_ = false;
    std::string data_key_;
    std::string collected_;
    std::size_t collected_at_ = 0;
};

std::vector<Instance> read_graphml(const Text& text) {
    return just(GraphmlParser(text).read());
}

}  // namespace

extern const Reader graphml_reader = {"graphml", "GraphML", recognises_graphml, read_graphml};

}  // namespace neuroprim::formats
