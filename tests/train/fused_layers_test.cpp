#include "train/fused_layers.hpp"

#include <fmt/format.h>

#include <cmath>
#include <limits>

#include "fused_support.hpp"
#include "policy/specification.hpp"
#include "train/captured_work.hpp"
#include "train/fused.hpp"
#include "train/fused_encoder.hpp"
#include "train/fused_input.hpp"
#include "train/optimiser.hpp"

/// The encoder and single layers on a GPU, beside the plain ones.
namespace neuroprim::train {

namespace {

TEST_F(FusedOnGpu, FeaturesOfEdgesAndGraphsAndTheirGradientsAgreeWithPlainOnes) {
    for (const std::int64_t n : {7, 33, 50, 120, 250}) {  // the last two need just about 48 KB of shared memory
        for (const std::int64_t d_e : {16, 32, 64}) {
            torch::nn::Linear edge(2 * 96, d_e);
            torch::nn::Linear graph(96, d_e);
            torch::nn::Linear exact_edge(2 * 96, d_e);
            torch::nn::Linear exact_graph(96, d_e);
            const auto cuda = at::TensorOptions().device(at::kCUDA);
            const auto copy = [](torch::nn::Linear& to, torch::nn::Linear& from) {
                const torch::NoGradGuard no_gradients;
                from->to(at::kCUDA);
                to->to(at::Device(at::kCUDA), at::kDouble);
                to->weight.copy_(from->weight);
                to->bias.copy_(from->bias);
            };
            copy(exact_edge, edge);
            copy(exact_graph, graph);
            const auto vertices = at::randn({3, n, 96}, cuda).requires_grad_(true);
            const auto doubles = vertices.detach().to(at::kDouble).requires_grad_(true);
            ASSERT_TRUE(fused::supports_features(edge, vertices));
            const fused::Features fast = fused::features(edge, graph, vertices);
            const auto from = doubles.unsqueeze(2);
            const auto to = doubles.unsqueeze(1);
            const auto plain = exact_edge(
                at::cat({(from - to).expand({3, n, n, 96}), at::maximum(from, to).expand({3, n, n, 96})}, 3));
            const auto plain_graph = exact_graph(doubles.mean(1));
            EXPECT_LE(relative_error(fast.edges, plain.detach()), 1e-6);
            EXPECT_LE(relative_error(fast.graph, plain_graph.detach()), 1e-6);
            const auto weights = at::randn({3, n, n, d_e}, cuda);
            const auto graph_weights = at::randn({3, d_e}, cuda) * 100;
            ((fast.edges * weights).sum() + (fast.graph * graph_weights).sum()).backward();
            ((plain * weights.to(at::kDouble)).sum() + (plain_graph * graph_weights.to(at::kDouble)).sum())
                .backward();
            EXPECT_LE(relative_error(vertices.grad(), doubles.grad()), 1e-5);
            const auto expect_equal = [](const torch::nn::Linear& some, const torch::nn::Linear& exact) {
                EXPECT_LE(relative_error(some->weight.grad(), exact->weight.grad()), 1e-5);
                EXPECT_LE(relative_error(some->bias.grad(), exact->bias.grad()), 1e-5);
            };
            expect_equal(edge, exact_edge);
            expect_equal(graph, exact_graph);
        }
    }
}

TEST_F(FusedOnGpu, InputsOfTheEncoderAndTheirGradientsAgreeWithPlainOnes) {
    const auto cuda = at::TensorOptions().device(at::kCUDA);
    for (const std::int64_t n : {1, 7, 50, 100}) {
        PolicyModule policy(PolicyConfig{});
        PolicyModule exact(PolicyConfig{});
        policy->to(at::kCUDA);
        exact->to(at::Device(at::kCUDA), at::kDouble);
        torch::NoGradGuard no_gradients;
        const auto parameters = exact->named_parameters();
        for (auto& item : policy->named_parameters()) parameters[item.key()].copy_(item.value());
        const torch::AutoGradMode with_gradients(true);
        PolicyParts parts = parts_of(*policy);
        Graphs graphs;
        graphs.points = at::rand({5, n, 2}, cuda) * 3 + 1;
        graphs.points[0].fill_(2);  // all in one place
        graphs.terminals = at::rand({5, n}, cuda) < 0.4;
        ASSERT_TRUE(fused::supports_vertex_input(parts, graphs));
        const fused::VertexInput fast = fused::vertex_input(parts, graphs);
        const auto coordinates = in_unit_square(graphs.points.to(at::kDouble));
        const auto plain = at::where(graphs.terminals.unsqueeze(2), exact->terminal_input(coordinates),
                                     exact->other_input(coordinates));
        EXPECT_LE(largest_difference(fast.coordinates, coordinates), 1e-6);
        EXPECT_LE(relative_error(fast.x.detach(), plain.detach()), 1e-6);
        const auto slopes = at::randn_like(fast.x);
        fast.x.backward(slopes);
        plain.backward(slopes.to(at::kDouble));
        for (const char* name : {"input.terminal.weight", "input.terminal.bias", "input.other.weight"}) {
            EXPECT_LE(largest_difference(policy->named_parameters()[name].grad(), parameters[name].grad()), 1e-4)
                << name << ", n " << n;
        }
        EXPECT_LE(largest_difference(policy->other_input->bias.grad(), exact->other_input->bias.grad()), 1e-4);
    }
}

struct EncoderCase {
    std::int64_t n;
    int d_v;
    int heads;
    std::int64_t graphs;
    std::vector<std::string> features;
};

TEST_F(FusedOnGpu, EncodersTheirGradientsAndStatisticsAgreeWithPlainOnes) {
    const auto cuda = at::TensorOptions().device(at::kCUDA);
    constexpr double sharpness = 1.3;
    for (const EncoderCase& c :
         {EncoderCase{7, 64, 8, 3, {}}, EncoderCase{50, 256, 8, 10, {}}, EncoderCase{50, 128, 4, 2, {"distance"}},
          EncoderCase{100, 256, 8, 3, {"distance"}}, EncoderCase{100, 128, 8, 20, {}},
          EncoderCase{7, 128, 8, 2, {"layer_norms"}}, EncoderCase{50, 256, 8, 10, {"distance", "layer_norms"}}}) {
        SCOPED_TRACE(fmt::format("n {}, d_v {}, {} heads, {} graphs, {} features", c.n, c.d_v, c.heads, c.graphs,
                                 c.features.size()));
        PolicyConfig config;
        config.d_v = c.d_v;
        config.d_f = 2 * c.d_v;
        config.heads = c.heads;
        config.encoder_layers = 2;
        config.features = c.features;
        PolicyModule policy(config);
        PolicyModule exact(config);
        {
            const torch::NoGradGuard no_gradients;
            const auto parameters = exact->named_parameters();
            for (auto& item : policy->named_parameters()) {
                for (const char* name : {"norm", "distance"}) {
                    if (item.key().find(name) != std::string::npos) item.value().uniform_(-1, 1);
                }
                // Half of the hidden numbers pass the relu and half do not: none is so near to zero that rounding
                // decides.
                if (item.key().find("expand.bias") != std::string::npos) {
                    item.value().fill_(6).narrow(0, 0, item.value().size(0) / 2).fill_(-6);
                }
                parameters[item.key()].copy_(item.value());
            }
        }
        policy->to(at::kCUDA);
        exact->to(at::Device(at::kCUDA), at::kDouble);
        PolicyParts parts = parts_of(*policy);
        const auto x = at::randn({c.graphs, c.n, c.d_v}, cuda).requires_grad_(true);
        const auto doubles = x.detach().to(at::kDouble).requires_grad_(true);
        at::Tensor lengths;
        at::Tensor exact_lengths;
        if (parts.encoder[0].attention.distance.defined()) {
            lengths = at::rand({c.graphs, c.n, c.n}, cuda);
            exact_lengths = lengths.to(at::kDouble);
        }
        ASSERT_TRUE(fused::supports_encoder(parts, x));
        const auto fast = fused::encode_vertices(parts, x, sharpness, lengths);
        at::Tensor plain = doubles;
        for (const auto& layer : *exact->encoder) {
            plain = layer->as<EncoderLayerImpl>()->forward(plain, sharpness, exact_lengths);
        }
        if (!exact->encoder_norm.is_empty()) plain = exact->encoder_norm->forward(plain);
        EXPECT_LE(relative_error(fast.detach(), plain.detach()), 1e-5);
        const auto slopes = at::randn_like(x);
        fast.backward(slopes);
        plain.backward(slopes.to(at::kDouble));
        EXPECT_LE(relative_error(x.grad(), doubles.grad()), 1e-4);
        double all = 0;
        for (const auto& parameter : exact->parameters()) {
            if (parameter.grad().defined()) all += parameter.grad().square().sum().item<double>();
        }
        const auto expected = exact->named_parameters();
        for (const auto& item : policy->named_parameters()) {
            const auto reference = expected[item.key()].grad();
            ASSERT_EQ(item.value().grad().defined(), reference.defined()) << item.key();
            if (!reference.defined()) continue;
            const double error = (item.value().grad().to(at::kDouble) - reference).norm().item<double>();
            // A batch norm takes away what a bias before it adds: there only rounding remains.
            EXPECT_LE(error, 1e-4 * reference.norm().item<double>() + 1e-6 * std::sqrt(all)) << item.key();
        }
        const auto statistics = exact->named_buffers();
        for (const auto& item : policy->named_buffers()) {
            EXPECT_LE(relative_error(item.value(), statistics[item.key()]), 1e-5) << item.key();
        }
    }
}

TEST_F(FusedOnGpu, EncodersLeaveToPlainOnesWhatTheyCannotDo) {
    const auto cuda = at::TensorOptions().device(at::kCUDA);
    PolicyModule policy(PolicyConfig{});
    policy->to(at::kCUDA);
    PolicyParts parts = parts_of(*policy);
    const std::int64_t d_v = policy->config().d_v;
    EXPECT_TRUE(fused::supports_encoder(parts, at::zeros({10, 50, d_v}, cuda)));
    EXPECT_FALSE(fused::supports_encoder(parts, at::zeros({10, 50, d_v}, cuda.dtype(at::kDouble))));
    EXPECT_FALSE(fused::supports_encoder(parts, at::zeros({10, 50, d_v})));
    EXPECT_FALSE(fused::supports_encoder(parts, at::zeros({328, 50, d_v}, cuda)));  // the large updates
    EXPECT_FALSE(fused::supports_encoder(parts, at::zeros({1, 400, d_v}, cuda)));   // beyond shared memory
    policy->eval();
    EXPECT_FALSE(fused::supports_encoder(parts, at::zeros({10, 50, d_v}, cuda)));  // running statistics
}

TEST_F(FusedOnGpu, LinearLayersAndTheirGradientsAgreeWithPlainOnes) {
    const auto cuda = at::TensorOptions().device(at::kCUDA);
    for (const auto& [inputs, outputs] : {std::pair{16, 16}, {16, 48}, {32, 32}, {32, 96}, {64, 192}, {96, 40}}) {
        for (const std::int64_t rows : {1, 7, 1000, 70001}) {
            const auto x = at::randn({rows, inputs}, cuda).requires_grad_(true);
            const auto weight = at::randn({outputs, inputs}, cuda).requires_grad_(true);
            const auto bias = at::randn({outputs}, cuda).requires_grad_(true);
            const auto exactly = [](const at::Tensor& t) { return t.detach().to(at::kDouble).requires_grad_(true); };
            const auto exact_x = exactly(x);
            const auto exact_weight = exactly(weight);
            const auto exact_bias = exactly(bias);
            const auto d_y = at::randn({rows, outputs}, cuda);
            const auto y = fused::linear(x, weight, bias);
            y.backward(d_y);
            const auto plain = at::linear(exact_x, exact_weight, exact_bias);
            plain.backward(d_y.to(at::kDouble));
            EXPECT_LE(relative_error(y.detach(), plain.detach()), 1e-5);
            EXPECT_LE(relative_error(x.grad(), exact_x.grad()), 1e-5);
            EXPECT_LE(relative_error(weight.grad(), exact_weight.grad()), 1e-5) << inputs << " × " << outputs;
            EXPECT_LE(relative_error(bias.grad(), exact_bias.grad()), 1e-5) << inputs << " × " << outputs;
        }
    }
}

#ifdef NEUROPRIM_WITH_CUDA
/// Trajectories of which only the times make sense: vertices enter in any order, some close soon, some trees end
/// early.
Trajectories random_times(std::int64_t count, std::int64_t n) {
    const auto ints = at::TensorOptions().device(at::kCUDA).dtype(at::kInt);
    Trajectories t;
    t.sources = at::zeros({count, n - 1}, ints.dtype(at::kLong));
    t.start = at::zeros({count}, ints.dtype(at::kLong));
    t.lengths = at::randint(1, n, {count}, ints);
    const auto order = at::rand({count, n}, ints.dtype(at::kFloat)).argsort(std::int64_t{1}).to(at::kInt);
    t.enter = at::where(order <= t.lengths.unsqueeze(1), order, at::full_like(order, never));
    const auto closes = (at::rand({count, n}, ints.dtype(at::kFloat)) < 0.5) & (t.enter < never);
    t.close = at::where(closes, t.enter + at::randint(1, 5, {count, n}, ints), at::full_like(order, never));
    return t;
}

TEST_F(FusedOnGpu, RowTermsAndTheirGradientsAgreeWithPlainOnes) {
    const auto cuda = at::TensorOptions().device(at::kCUDA);
    for (const std::int64_t heads : {4, 8}) {
        for (const auto& [count, n] : {std::pair{1, 2}, {3, 7}, {20, 33}, {700, 40}, {2, 150}}) {
            torch::nn::Linear expand(policy::row_facts, policy::row_width);
            torch::nn::Linear contract(policy::row_width, heads + 1);
            torch::nn::Linear exact_expand(policy::row_facts, policy::row_width);
            torch::nn::Linear exact_contract(policy::row_width, heads + 1);
            const auto copy = [](torch::nn::Linear& to, torch::nn::Linear& from) {
                const torch::NoGradGuard no_gradients;
                from->to(at::kCUDA);
                to->to(at::Device(at::kCUDA), at::kDouble);
                to->weight.copy_(from->weight);
                to->bias.copy_(from->bias);
            };
            copy(exact_expand, expand);
            copy(exact_contract, contract);
            const Trajectories times = random_times(count, n);
            const auto is_closed = open_rows(times).logical_not().unsqueeze(3);
            const auto facts = at::randn({count, n - 1, n, policy::row_facts}, cuda);
            const auto slopes = at::randn({count, n - 1, n, heads + 1}, cuda);
            const double unread = std::numeric_limits<double>::quiet_NaN();
            const fused::RowTerms terms =
                fused::row_terms(facts.masked_fill(is_closed, unread), expand, contract, times);
            const auto y = at::cat({terms.of_heads, terms.of_action.unsqueeze(3)}, 3);
            y.backward(slopes.masked_fill(is_closed, unread));
            const auto plain = exact_contract(at::relu(exact_expand(facts.to(at::kDouble))));
            plain.backward(slopes.masked_fill(is_closed, 0).to(at::kDouble));
            EXPECT_LE(relative_error(y.detach().masked_fill(is_closed, 0), plain.detach().masked_fill(is_closed, 0)),
                      1e-5);
            const auto expect_equal = [&](const torch::nn::Linear& fast, const torch::nn::Linear& exact) {
                EXPECT_LE(relative_error(fast->weight.grad(), exact->weight.grad()), 1e-4) << heads << ", " << n;
                EXPECT_LE(relative_error(fast->bias.grad(), exact->bias.grad()), 1e-4) << heads << ", " << n;
            };
            expect_equal(expand, exact_expand);
            expect_equal(contract, exact_contract);
        }
    }
}
#endif

TEST_F(FusedOnGpu, NormsOfSumsAndTheirGradientsAgreeWithPlainOnes) {
    const auto cuda = at::TensorOptions().device(at::kCUDA);
    for (const std::int64_t width : {16, 24, 32, 64}) {
        for (const std::int64_t rows : {1, 7, 1000, 70001}) {
            torch::nn::LayerNorm norm(torch::nn::LayerNormOptions({width}));
            torch::nn::LayerNorm exact(torch::nn::LayerNormOptions({width}));
            norm->to(at::kCUDA);
            {
                const torch::NoGradGuard no_gradients;
                norm->weight.normal_();
                norm->bias.normal_();
                exact->to(at::Device(at::kCUDA), at::kDouble);
                exact->weight.copy_(norm->weight);
                exact->bias.copy_(norm->bias);
            }
            const auto x = at::randn({rows, width}, cuda).requires_grad_(true);
            const auto update = at::randn({rows, width}, cuda).requires_grad_(true);
            const auto exact_x = x.detach().to(at::kDouble).requires_grad_(true);
            const auto exact_update = update.detach().to(at::kDouble);
            const auto d_y = at::randn({rows, width}, cuda);
            const auto y = fused::norm_of_sum(norm, x, update);
            y.backward(d_y);
            const auto plain = exact(exact_x + exact_update);
            plain.backward(d_y.to(at::kDouble));
            EXPECT_LE(relative_error(y.detach(), plain.detach()), 1e-5);
            EXPECT_LE(relative_error(x.grad(), exact_x.grad()), 1e-5);
            EXPECT_TRUE(at::equal(x.grad(), update.grad()));
            EXPECT_LE(relative_error(norm->weight.grad(), exact->weight.grad()), 1e-5) << width;
            EXPECT_LE(relative_error(norm->bias.grad(), exact->bias.grad()), 1e-5) << width;
        }
    }
}

TEST_F(FusedOnGpu, AdamMovesParametersAsThePlainOneDoes) {
    const auto cuda = at::TensorOptions().device(at::kCUDA);
    auto values = at::randn({100003}, cuda);
    auto same = values.clone();
    Adam plain(values);
    auto first = at::zeros_like(same);
    auto second = at::zeros_like(same);
    for (int step = 1; step <= 3; ++step) {
        auto gradients = at::randn({100003}, cuda) * (step == 2 ? 1e-5 : 1.0);
        const auto factors =
            at::tensor({1e-3, 1 - std::pow(0.9, step), 1 - std::pow(0.999, step)}, at::kFloat).cuda();
        const auto norm = fused::adam_update(same, gradients, first, second, factors, 1.0);
        EXPECT_LE(relative_error(norm, gradients.to(at::kDouble).norm()), 1e-5);
        clip_gradient(gradients, 1.0);
        plain.update(values, gradients, factors);
        EXPECT_LE(relative_error(same, values), 1e-6);
    }
}

TEST_F(FusedOnGpu, CapturedWorkRepeatsItsBodyOnNewNumbers) {
    const auto cuda = at::TensorOptions().device(at::kCUDA);
    const auto input = at::zeros({1000}, cuda);
    const auto output = at::zeros({1000}, cuda);
    CapturedWork work([&] { output.copy_((input * 2 + 1).sqrt()); }, 2);
    for (int run = 0; run < 6; ++run) {
        input.fill_(run);
        work.run();
        EXPECT_NEAR(output.mean().item<double>(), std::sqrt(2.0 * run + 1), 1e-5) << "run " << run;
    }
}

}  // namespace

}  // namespace neuroprim::train
