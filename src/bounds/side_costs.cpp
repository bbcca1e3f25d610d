#include "bounds/side_costs.hpp"

#include <numeric>

namespace neuroprim {

void SideCosts::set_prices(const PaddedTable& prices) {
    prices_ = &prices;
    row_sum_.clear();
    for (std::size_t v = 0; v < prices.rows(); ++v) {
        row_sum_.push_back(std::accumulate(prices[v], prices[v] + prices.stride(), 0.0));
    }
}

}  // namespace neuroprim
