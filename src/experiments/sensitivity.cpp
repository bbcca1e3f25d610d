#include "experiments/sensitivity.hpp"

namespace neuroprim::experiments {

std::span<const SensitivityStudy> sensitivity_studies() {
    static const std::vector<SensitivityStudy> studies = {
        {"seed", "seed", "0", {{"seed-1", "1", {"--seed", "1"}}, {"seed-2", "2", {"--seed", "2"}}}},
        {"learning-rate",
         "learning rate",
         "1e-4",
         {{"learning-rate-1e-3", "1e-3", {"--learning-rate", "1e-3"}},
          {"learning-rate-1e-5", "1e-5", {"--learning-rate", "1e-5"}}}},
        {"width",
         "d_v / d_f",
         "256 / 512",
         {{"width-128", "128 / 256", {"--d-v", "128", "--d-f", "256"}},
          {"width-512", "512 / 1024", {"--d-v", "512", "--d-f", "1024"}}}},
        {"edge-width",
         "d_e",
         "16",
         {{"edge-width-8", "8", {"--d-e", "8"}}, {"edge-width-32", "32", {"--d-e", "32"}}}},
        {"heads", "heads", "8", {{"heads-4", "4", {"--heads", "4"}}, {"heads-16", "16", {"--heads", "16"}}}},
        {"encoder-layers",
         "encoder layers",
         "3",
         {{"encoder-layers-2", "2", {"--encoder-layers", "2"}},
          {"encoder-layers-4", "4", {"--encoder-layers", "4"}}}},
        {"decoder-layers",
         "decoder layers",
         "1",
         {{"decoder-layers-2", "2", {"--decoder-layers", "2"}},
          {"decoder-layers-3", "3", {"--decoder-layers", "3"}}}},
    };
    return studies;
}

}  // namespace neuroprim::experiments
