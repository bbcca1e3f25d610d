#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace neuroprim::experiments {

/// One training run of the study: the paper's settings with at most one hyperparameter changed.
struct SensitivitySetting {
    std::string_view name;               ///< of its folder
    std::string_view label;              ///< in pictures and tables
    std::vector<std::string> arguments;  ///< options of `neuroprim train` beyond the common ones
};

/// A hyperparameter with the values tried for it; the paper's own value is the base run.
struct SensitivityStudy {
    std::string_view name;        ///< of its picture
    std::string_view title;       ///< in the table
    std::string_view base_label;  ///< the value that the base run has
    std::vector<SensitivitySetting> others;
};

/// The run that every hyperparameter is compared with.
inline constexpr std::string_view sensitivity_base = "base";

/// Seed, learning rate, d_v with d_f, d_e, heads, encoder layers, decoder layers: one at a time, as in the paper.
[[nodiscard]] std::span<const SensitivityStudy> sensitivity_studies();

}  // namespace neuroprim::experiments
