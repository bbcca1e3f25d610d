#include "formats/streets/street_instance.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <memory>
#include <numeric>
#include <tuple>

#include "formats/read/point_list.hpp"
#include "formats/streets/forbidden_areas.hpp"
#include "formats/streets/street_addresses.hpp"
#include "formats/streets/street_network.hpp"
#include "formats/streets/street_parts.hpp"
#include "formats/text/values.hpp"
#include "neuroprim/street_map.hpp"

namespace neuroprim::formats {

namespace {

using Piece = StreetNetwork::Piece;

/// From the lines of a map to the edges of a graph.
class StreetGraph {
public:
    StreetGraph(const Text& text, const MapFeatures& map, const MapOptions& options)
        : text_(text),
          map_(map),
          options_(options),
          areas_(map.areas),
          streets_(map, options.snap_tolerance, findings_),
          street_map_(std::make_shared<StreetMap>()) {}

    Instance read() {
        if (!options_.weight_property.empty() && !options_.price_property.empty()) {
            text_.fail(
                "--weight-property is the weight of a line, --price-property that of a metre: give one of them");
        }
        const auto places = snapped_places(text_, map_, options_, areas_, streets_, findings_);
        streets_.finish();
        take_pieces();
        keep_cheapest();
        number_vertices(places);
        Instance instance = told_instance();
        add_weights(instance);
        add_map(places);
        instance.map = street_map_;
        findings_.tell(text_, map_);
        tell_parts(text_, {map_, streets_, pieces_, vertex_of_node_, vertex_of_place_, instance.size()});
        return instance;
    }

private:
    /// The points of a piece with its ends.
    [[nodiscard]] std::vector<Point> path_of(const Piece& piece) const {
        std::vector<Point> path = {streets_.at(piece.u)};
        const auto shape = streets_.shape().begin();
        path.insert(path.end(), shape + static_cast<std::ptrdiff_t>(piece.begin),
                    shape + static_cast<std::ptrdiff_t>(piece.end));
        path.push_back(streets_.at(piece.v));
        return path;
    }

    [[nodiscard]] std::size_t feature_of(const Piece& piece) const { return streets_.feature_of_line(piece.line); }

    /// Pieces that can be edges, with their weights. What is left out is drawn, and told.
    void take_pieces() {
        auto all = streets_.pieces();
        std::vector<double> length(map_.features.size(), 0);
        for (const Piece& piece : all) length[feature_of(piece)] += piece.length;
        for (const Piece& piece : all) {
            const std::size_t number = feature_of(piece);
            const auto& feature = map_.features[number];
            if (piece.u == piece.v) {
                leave_loop(piece, number);
                continue;
            }
            if (!areas_.empty()) {
                auto path = path_of(piece);
                if (const auto area = areas_.crossed_by(path)) {
                    findings_.add(Findings::Kind::forbidden, number, [&] {
                        return fmt::format("passes the forbidden area {}: what lies there is no edge",
                                           map_.name_of(map_.areas[*area].feature));
                    });
                    street_map_->backdrop.push_back(std::move(path));
                    continue;
                }
            }
            const double share = length[number] > 0 ? piece.length / length[number] : 0;
            const double weight = std::isnan(feature.weight) ? piece.length * feature.price : feature.weight * share;
            pieces_.push_back(piece);
            weights_.push_back(feature.existing ? 0 : weight);
        }
    }

    void leave_loop(const Piece& piece, std::size_t feature) {
        // What joining near points leaves behind is no street.
        if (piece.length <= 2 * options_.snap_tolerance && piece.begin == piece.end) {
            if (piece.length > 0) {
                findings_.add(Findings::Kind::no_length, feature, [&] {
                    return fmt::format("has a piece of {}, no longer than the tolerance: its ends are one vertex",
                                       readable_metres(piece.length));
                });
            }
            return;
        }
        findings_.add(Findings::Kind::loop, feature, [&] {
            return fmt::format("is a loop from {} back to itself, which no tree can use: it is left out",
                               readable_place(streets_.at(piece.u)));
        });
        street_map_->backdrop.push_back(path_of(piece));
    }

    /// Of parallel pieces the cheapest, and of equals the first, is an edge.
    void keep_cheapest() {
        std::vector<std::size_t> order(pieces_.size());
        std::iota(order.begin(), order.end(), std::size_t{0});
        const auto ends = [&](std::size_t k) { return std::minmax(pieces_[k].u, pieces_[k].v); };
        std::sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
            return std::tuple(ends(a), weights_[a], a) < std::tuple(ends(b), weights_[b], b);
        });
        std::vector<bool> keeps(pieces_.size(), true);
        std::size_t best = 0;
        for (std::size_t k = 1; k < order.size(); ++k) {
            if (ends(order[best]) != ends(order[k])) {
                best = k;
                continue;
            }
            keeps[order[k]] = false;
            const Piece& cheaper = pieces_[order[best]];
            findings_.add(Findings::Kind::parallel, feature_of(pieces_[order[k]]), [&] {
                return fmt::format("joins the same two places as {} and costs no less: only the cheaper is an edge",
                                   map_.name_of(feature_of(cheaper)));
            });
            street_map_->backdrop.push_back(path_of(pieces_[order[k]]));
        }
        std::size_t kept = 0;
        for (std::size_t k = 0; k < pieces_.size(); ++k) {
            if (!keeps[k]) continue;
            pieces_[kept] = pieces_[k];
            weights_[kept++] = weights_[k];
        }
        pieces_.resize(kept);
        weights_.resize(kept);
    }

    /// In the order in which the map has them.
    void number_vertices(const std::vector<SnappedPlace>& places) {
        vertex_of_node_.assign(streets_.node_count(), no_vertex);
        const auto number = [&](std::uint32_t node) {
            node = streets_.joined(node);
            if (vertex_of_node_[node] != no_vertex) return;
            vertex_of_node_[node] = static_cast<Vertex>(vertices_.size());
            vertices_.add(streets_.at(node));
            layout_.push_back(streets_.at(node));
        };
        for (const Piece& piece : pieces_) {
            number(piece.u);
            number(piece.v);
        }
        for (const SnappedPlace& place : places) {
            number(place.node);
            vertex_of_place_.push_back(vertex_of_node_[streets_.joined(place.node)]);
        }
        if (layout_.empty()) text_.fail("no street is left that could be an edge");
    }

    [[nodiscard]] Vertex vertex(std::uint32_t node) const { return vertex_of_node_[streets_.joined(node)]; }

    Instance told_instance() {
        tell_vertices(map_, vertex_of_place_, vertices_, findings_);
        Instance instance =
            std::move(vertices_).to_instance(text_, Metric::great_circle, PointList::SameName::number);
        instance.layout = std::move(layout_);
        return instance;
    }

    void add_weights(Instance& instance) const {
        std::vector<WeightedEdge> edges;
        edges.reserve(pieces_.size());
        for (std::size_t k = 0; k < pieces_.size(); ++k) {
            edges.push_back({vertex(pieces_[k].u), vertex(pieces_[k].v), weights_[k]});
        }
        instance.weights = Weights::from_edges(instance.size(), std::move(edges));
    }

    void add_map(const std::vector<SnappedPlace>& places) {
        StreetMap& map = *street_map_;
        map.lines.reserve(pieces_.size());
        const auto shape = streets_.shape().begin();
        for (const Piece& piece : pieces_) {
            const Vertex u = std::min(vertex(piece.u), vertex(piece.v));
            const Vertex v = std::max(vertex(piece.u), vertex(piece.v));
            const std::size_t begin = map.points.size();
            map.points.insert(map.points.end(), shape + static_cast<std::ptrdiff_t>(piece.begin),
                              shape + static_cast<std::ptrdiff_t>(piece.end));
            if (u != vertex(piece.u)) {
                std::reverse(map.points.begin() + static_cast<std::ptrdiff_t>(begin), map.points.end());
            }
            map.lines.push_back({u, v, begin, map.points.size(), map_.features[feature_of(piece)].id});
        }
        std::sort(map.lines.begin(), map.lines.end(),
                  [](const auto& a, const auto& b) { return std::tuple(a.u, a.v) < std::tuple(b.u, b.v); });
        for (std::size_t k = 0; k < places.size(); ++k) {
            const auto& place = map_.places[k];
            map.addresses.push_back(
                {map_.features[place.feature].id, place.at, vertex_of_place_[k], places[k].metres});
        }
        std::stable_sort(map.addresses.begin(), map.addresses.end(),
                         [](const auto& a, const auto& b) { return a.vertex < b.vertex; });
        for (const auto& area : map_.areas) {
            map.areas.insert(map.areas.end(), area.rings.begin(), area.rings.end());
        }
    }

    const Text& text_;
    const MapFeatures& map_;
    const MapOptions& options_;
    Findings findings_;
    ForbiddenAreas areas_;
    StreetNetwork streets_;
    std::shared_ptr<StreetMap> street_map_;
    std::vector<Piece> pieces_;
    std::vector<double> weights_;  // as pieces_
    std::vector<Vertex> vertex_of_node_;
    std::vector<Vertex> vertex_of_place_;
    PointList vertices_;
    std::vector<Point> layout_;
};

}  // namespace

Instance street_instance(const Text& text, const MapFeatures& map, const MapOptions& options) {
    return StreetGraph(text, map, options).read();
}

}  // namespace neuroprim::formats
