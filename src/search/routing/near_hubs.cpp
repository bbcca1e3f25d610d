#include "search/routing/near_hubs.hpp"

namespace neuroprim::routing {

void find_hubs_near(const RoutingTree& tree, Vertex v, std::vector<Vertex>& hubs) {
    constexpr int wide_steps = 3;
    constexpr std::size_t most_beside = 150;
    hubs.clear();
    int step = 0;
    for (Vertex up = v; up != no_vertex; up = tree.parent(up), ++step) {
        hubs.push_back(up);
        if (step >= wide_steps) continue;
        std::size_t beside = 0;
        for (const Vertex hub : tree.hub_children(up)) {
            if (++beside > most_beside) break;
            if (step > 0 && tree.is_above(hub, v)) continue;  // listed already, on the way up
            hubs.push_back(hub);
        }
    }
}

}  // namespace neuroprim::routing
