#include <gtest/gtest.h>

#include "formats/write/writers.hpp"
#include "neuroprim/formats.hpp"
#include "neuroprim/random.hpp"
#include "support/instances.hpp"

namespace neuroprim::formats {
namespace {

using testing::of_points;

/// Numbers that are good as latitude and as longitude.
std::vector<Point> random_points(Vertex n, Random& random) {
    std::vector<Point> points;
    for (Vertex v = 0; v < n; ++v) points.push_back({170 * random.uniform() - 85, 170 * random.uniform() - 85});
    return points;
}

Instance with_everything(Instance instance, Random& random) {
    const Vertex n = instance.size();
    for (Vertex v = 0; v < n; ++v) {
        instance.names.push_back("v,\"" + std::to_string(v) + "\" é");
        instance.degree_limits.push_back(1 + static_cast<int>(random.below(5)));
        if (v % 3 == 0) instance.terminals.push_back(v);
    }
    return instance;
}

/// What specifications need to know of vertices.
Instance with_facts(Instance instance, Random& random) {
    const Vertex n = instance.size();
    for (Vertex v = 0; v < n; ++v) {
        if (v % 4 == 1) instance.leaves.push_back(v);
        instance.demands.push_back(random.uniform());
        instance.masses.push_back(5 * random.uniform());
        instance.prizes.push_back(v % 2 == 0 ? 0 : random.uniform());
        instance.groups.push_back((7 - v % 8) / 2 - 1);  // 2, 2, 1, 1, 0, 0, −1, −1, …
    }
    instance.root = n / 2;
    return instance;
}

std::vector<double> random_triangle(Vertex n, Random& random) {
    std::vector<double> lower;
    for (Vertex u = 0; u < n; ++u) {
        for (Vertex v = 0; v < u; ++v) lower.push_back(random.uniform());
    }
    return lower;
}

Instance random_sparse(Vertex n, Random& random) {
    std::vector<WeightedEdge> edges;
    for (Vertex v = 1; v < n; ++v) {
        edges.push_back({static_cast<Vertex>(random.below(static_cast<std::uint64_t>(v))), v, random.uniform()});
    }
    Instance instance;
    instance.weights = Weights::from_edges(n, edges);
    return instance;
}

Instance read_back(const std::string& text, const std::string& source, std::string_view format = {}) {
    const auto instances = parse_instances(text, source, format);
    EXPECT_EQ(instances.size(), 1U);
    return instances.at(0);
}

void expect_same(const Instance& found, const Instance& expected) {
    ASSERT_EQ(found.size(), expected.size());
    EXPECT_EQ(found.weights.form(), expected.weights.form());
    EXPECT_EQ(found.weights.metric(), expected.weights.metric());
    EXPECT_EQ(found.weights.edges(), expected.weights.edges());
    EXPECT_EQ(std::vector(found.weights.points().begin(), found.weights.points().end()),
              std::vector(expected.weights.points().begin(), expected.weights.points().end()));
    EXPECT_EQ(found.layout, expected.layout);
    EXPECT_EQ(found.terminals, expected.terminals);
    EXPECT_EQ(found.degree_limits, expected.degree_limits);
    EXPECT_EQ(found.leaves, expected.leaves);
    EXPECT_EQ(found.demands, expected.demands);
    EXPECT_EQ(found.prizes, expected.prizes);
    EXPECT_EQ(found.masses, expected.masses);
    EXPECT_EQ(found.groups, expected.groups);
    EXPECT_EQ(found.root, expected.root);
    EXPECT_EQ(found.requirements, expected.requirements);
    EXPECT_EQ(found.names, expected.names);
}

TEST(RoundTrip, ThroughJsonKeepsPointsOfEveryMetric) {
    Random random(1);
    for (const Metric metric : all_metrics()) {
        Instance instance = with_everything(of_points(random_points(20, random), metric), random);
        instance.name = "every metric";
        instance.requirements = random_triangle(20, random);
        const Instance found = read_back(instance_to_json(instance), "x.json");
        expect_same(found, instance);
        EXPECT_EQ(found.name, instance.name);
    }
}

TEST(RoundTrip, ThroughJsonKeepsMatricesAndSparseGraphs) {
    Random random(2);
    Instance matrix;
    auto lower = random_triangle(12, random);
    lower[5] = Weights::infinity;
    matrix.weights = Weights::from_lower_triangle(12, lower);
    matrix.layout = random_points(12, random);
    expect_same(read_back(instance_to_json(matrix), "x.json"), matrix);
    const Instance sparse = with_everything(random_sparse(30, random), random);
    expect_same(read_back(instance_to_json(sparse), "x.json"), sparse);
}

TEST(RoundTrip, ThroughJsonKeepsTheSmallestInstances) {
    expect_same(read_back(instance_to_json(of_points({{1, 2}})), "x.json"), of_points({{1, 2}}));
    Instance pair;
    pair.weights = Weights::from_lower_triangle(2, std::vector<double>{3});
    expect_same(read_back(instance_to_json(pair), "x.json"), pair);
    Instance alone;
    alone.weights = Weights::from_edges(3, {{0, 1, 2}});
    expect_same(read_back(instance_to_json(alone), "x.json"), alone);
}

TEST(RoundTrip, ThroughTsplibKeepsItsMetrics) {
    Random random(3);
    for (const Metric metric :
         {Metric::euc_2d, Metric::ceil_2d, Metric::man_2d, Metric::max_2d, Metric::att, Metric::geo}) {
        const Instance instance = of_points(random_points(20, random), metric);
        expect_same(read_back(instance_to_tsplib(instance), "x.tsp"), instance);
    }
}

TEST(RoundTrip, ThroughTsplibKeepsMatrices) {
    Random random(4);
    Instance instance;
    instance.weights = Weights::from_lower_triangle(15, random_triangle(15, random));
    instance.layout = random_points(15, random);
    expect_same(read_back(instance_to_tsplib(instance), "x.tsp"), instance);
}

TEST(RoundTrip, ThroughSteinlibKeepsGraphs) {
    Random random(5);
    Instance instance = with_everything(random_sparse(30, random), random);
    instance.layout = random_points(30, random);
    const Instance found = read_back(instance_to_steinlib(instance), "x.stp");
    instance.names.clear();
    expect_same(found, instance);
}

TEST(RoundTrip, ThroughSteinlibTurnsPointsIntoTheirDistances) {
    Random random(6);
    const Instance points = of_points(random_points(20, random));
    const Instance found = read_back(instance_to_steinlib(points), "x.stp");
    EXPECT_EQ(found.weights.edges(), points.weights.edges());
    EXPECT_EQ(found.layout.size(), 20U);
}

TEST(RoundTrip, ThroughCsvKeepsPoints) {
    Random random(7);
    for (const Metric metric : {Metric::euclidean, Metric::great_circle}) {
        const Instance plain = of_points(random_points(20, random), metric);
        expect_same(read_back(instance_to_csv(plain), "x.csv"), plain);
        const Instance full = with_everything(of_points(random_points(20, random), metric), random);
        expect_same(read_back(instance_to_csv(full), "x.csv"), full);
    }
}

TEST(RoundTrip, ThroughCsvKeepsEdges) {
    Random random(8);
    const Instance instance = random_sparse(30, random);
    expect_same(read_back(instance_to_csv(instance), "x.csv"), instance);
}

TEST(RoundTrip, ThroughGeoJsonKeepsPlacesOnEarth) {
    Random random(9);
    const Instance instance = with_everything(of_points(random_points(20, random), Metric::great_circle), random);
    expect_same(read_back(instance_to_geojson(instance), "x.geojson"), instance);
}

TEST(RoundTrip, KeepsWhatSpecificationsNeedToKnow) {
    Random random(11);
    const Instance places = with_facts(of_points(random_points(20, random), Metric::great_circle), random);
    expect_same(read_back(instance_to_json(places), "x.json"), places);
    expect_same(read_back(instance_to_csv(places), "x.csv"), places);
    expect_same(read_back(instance_to_geojson(places), "x.geojson"), places);
    const Instance graph = with_facts(random_sparse(20, random), random);
    expect_same(read_back(instance_to_json(graph), "x.json"), graph);
}

TEST(RoundTrip, ThroughSteinlibKeepsPrizesAndRoot) {
    Random random(12);
    Instance graph = random_sparse(20, random);
    graph.root = 7;
    expect_same(read_back(instance_to_steinlib(graph), "x.stp"), graph);
    graph.prizes.assign(20, 0);
    expect_same(read_back(instance_to_steinlib(graph), "x.stp"), graph);
    graph.prizes[3] = 0.25;
    graph.terminals = {3, 5};
    expect_same(read_back(instance_to_steinlib(graph), "x.stp"), graph);
}

TEST(RoundTrip, ThroughFormatsOfOtherToolsKeepsGraphs) {
    Random random(13);
    for (int repeat = 0; repeat < 5; ++repeat) {
        Instance graph = random_sparse(30, random);
        expect_same(read_back(instance_to_matrix_market(graph), "x.mtx"), graph);
        graph.layout = random_points(30, random);
        graph = with_facts(with_everything(std::move(graph), random), random);
        graph.groups.clear();
        graph.other_roots = {20, 25};
        for (const std::string& text : {instance_to_graphml(graph), instance_to_node_link(graph)}) {
            const Instance found = read_back(text, "x");
            expect_same(found, graph);
            EXPECT_EQ(found.other_roots, graph.other_roots);
        }
        std::vector<WeightedEdge> whole = graph.weights.edges();
        for (auto& edge : whole) edge.weight = static_cast<double>(1 + random.below(1000));
        Instance counted;
        counted.weights = Weights::from_edges(30, whole);
        expect_same(read_back(instance_to_metis(counted), "x.graph"), counted);
    }
}

TEST(RoundTrip, ThroughFormatsOfOtherToolsTurnsPointsIntoTheirDistances) {
    Random random(14);
    const Instance points = of_points(random_points(20, random), Metric::great_circle);
    for (const std::string& text : {instance_to_graphml(points), instance_to_node_link(points)}) {
        const Instance found = read_back(text, "x");
        EXPECT_EQ(found.weights.edges(), points.weights.edges());
        EXPECT_EQ(found.layout, std::vector(points.weights.points().begin(), points.weights.points().end()));
    }
    EXPECT_NE(instance_to_graphml(points).find("attr.name=\"lon\""), std::string::npos);
}

TEST(RoundTrip, ThroughFormatsOfOtherToolsRefusesWhatTheyCannotHold) {
    const auto refusal = [](auto&& write, const Instance& instance) -> std::string {
        try {
            return "wrote " + write(instance);
        } catch (const InputError& error) {
            return error.what();
        }
    };
    Instance graph;
    graph.weights = Weights::from_edges(3, {{0, 1, 1}, {1, 2, 0.5}});
    EXPECT_EQ(refusal(instance_to_metis, graph),
              "METIS has whole weights above 0, and edge 1-2 weighs 0.5: write .mtx or .graphml, which hold any "
              "weight");
    graph.groups = {0, 1, 1};
    EXPECT_EQ(refusal(instance_to_graphml, graph), "GraphML cannot hold groups: write .json, which can");
    EXPECT_EQ(refusal(instance_to_matrix_market, graph), "Matrix Market cannot hold groups: write .json, which can");
    const Instance many = of_points(std::vector<Point>(5001, {1, 1}));
    EXPECT_NE(refusal(instance_to_graphml, many).find("5001 points have 12502500 of them"), std::string::npos);
}

TEST(RoundTrip, OfATreeIsAGraphOfItsVertices) {
    Random random(15);
    Instance graph = random_sparse(12, random);
    graph.terminals = {0, 3, 5};
    Solution solution;
    solution.tree = {0, {{0, 1}, {1, 5}}};
    graph.weights = Weights::from_edges(12, {{0, 1, 2}, {1, 5, 3}, {5, 11, 4}});
    const Instance named = read_back(solution_to_graphml(graph, solution), "x.graphml");
    EXPECT_EQ(named.names, (std::vector<std::string>{"0", "1", "5"}));
    EXPECT_EQ(named.weights.edges(), (std::vector<WeightedEdge>{{0, 1, 2}, {1, 2, 3}}));
    EXPECT_EQ(named.root, 0);
    EXPECT_EQ(named.terminals, (std::vector<Vertex>{0, 2}));
    EXPECT_EQ(read_back(solution_to_node_link(graph, solution), "x.json").names, named.names);
    for (const std::string& text : {solution_to_matrix_market(graph, solution), solution_to_metis(graph, solution)}) {
        const Instance numbered = read_back(text, "x");
        EXPECT_EQ(numbered.size(), 12);
        EXPECT_EQ(numbered.weights.edges(), (std::vector<WeightedEdge>{{0, 1, 2}, {1, 5, 3}}));
    }
}

TEST(RoundTrip, OfATreeKeepsItsEdgesAndStart) {
    Random random(10);
    Instance instance = of_points(random_points(20, random));
    Solution solution;
    solution.tree.start = 7;
    for (Vertex v = 0; v < 20; ++v) {
        if (v != 7) solution.tree.edges.push_back({7, v});
    }
    EXPECT_EQ(parse_tree(solution_to_json(instance, solution), "x.json", instance), solution.tree);
    EXPECT_EQ(parse_tree(solution_to_csv(instance, solution), "x.csv", instance).edges, solution.tree.edges);
    for (Vertex v = 0; v < 20; ++v) instance.names.push_back("name, " + std::to_string(v));
    EXPECT_EQ(parse_tree(solution_to_csv(instance, solution), "x.csv", instance).edges, solution.tree.edges);
}

}  // namespace
}  // namespace neuroprim::formats
