#include "policy/widen.hpp"

#include <cmath>
#include <numbers>

#include "neuroprim/random.hpp"
#include "policy/model.hpp"

namespace neuroprim::policy {

namespace {

/// Which of `d_v` features stands at place k of twice as many. Both copies of a feature belong to its head.
std::size_t origin(std::size_t k, std::size_t d_v, std::size_t heads) {
    const std::size_t block = k / (2 * d_v);  // edges read two blocks of features
    const std::size_t place = k % (2 * d_v);
    const std::size_t head_width = d_v / heads;
    return block * d_v + place / (2 * head_width) * head_width + place % head_width;
}

bool is_second_copy(std::size_t k, std::size_t d_v, std::size_t heads) {
    return k / (d_v / heads) % 2 == 1;
}

/// The deviation of the numbers from zero.
double size_of(const Tensor& tensor) {
    double squares = 0;
    for (const float value : tensor.values) squares += static_cast<double>(value) * static_cast<double>(value);
    return std::sqrt(squares / static_cast<double>(tensor.values.size()));
}

}  // namespace

std::map<std::string, Tensor> widened(const std::map<std::string, Tensor>& tensors, const PolicyConfig& config,
                                      std::uint64_t seed) {
    constexpr double difference = 0.3;  // of the two copies' weights, as a share of the weights' own size
    PolicyConfig wide = config;
    wide.d_v = 2 * config.d_v;
    const auto d_v = static_cast<std::size_t>(config.d_v);
    const auto heads = static_cast<std::size_t>(config.heads);
    Random random(seed);
    std::map<std::string, Tensor> result;
    for (const auto& [name, shape] : expected_tensors(wide)) {
        const Tensor& from = tensors.at(name);
        const bool has_more_rows = shape[0] != from.shape[0];
        const bool has_more_columns = shape.size() == 2 && shape[1] != from.shape[1];
        const auto rows = static_cast<std::size_t>(shape[0]);
        const auto columns = static_cast<std::size_t>(shape.size() == 2 ? shape[1] : 1);
        const auto old_columns = static_cast<std::size_t>(shape.size() == 2 ? from.shape[1] : 1);
        const double spread = has_more_columns ? difference * size_of(from) / 2 : 0;
        // Scores are products of heads twice as wide, and are divided by the root of the width only.
        const bool is_query = has_more_rows && name.find(".attention.query.") != std::string::npos;
        const double scale = is_query ? 1 / std::numbers::sqrt2 : 1;
        Tensor to{shape, std::vector<float>(rows * columns)};
        for (std::size_t r = 0; r < rows; ++r) {
            const std::size_t row = has_more_rows ? origin(r, d_v, heads) : r;
            std::vector<double> drawn(old_columns);
            for (double& number : drawn) number = spread * std::numbers::sqrt3 * (2 * random.uniform() - 1);
            for (std::size_t c = 0; c < columns; ++c) {
                const std::size_t column = has_more_columns ? origin(c, d_v, heads) : c;
                double value = static_cast<double>(from.values[row * old_columns + column]);
                if (has_more_columns) {
                    value = value / 2 + (is_second_copy(c, d_v, heads) ? -drawn[column] : drawn[column]);
                }
                to.values[r * columns + c] = static_cast<float>(scale * value);
            }
        }
        result[name] = std::move(to);
    }
    return result;
}

}  // namespace neuroprim::policy
