#include "experiments/published.hpp"

#include "experiments/record_file.hpp"

namespace neuroprim::experiments {

std::map<std::string, Published> published_results(const LiteratureTable& table,
                                                   const std::filesystem::path& folder) {
    RecordFile records(folder / table.published, {"instance", "greedy", "greedy_gap_pct", "greedy_s", "sampling_best",
                                                  "sampling_gap_pct", "sampling_s"});
    std::map<std::string, Published> result;
    while (records.next()) {
        result[std::string(records.text(0))] = {{records.number(1), records.number(2), records.number(3)},
                                                {records.number(4), records.number(5), records.number(6)}};
    }
    return result;
}

}  // namespace neuroprim::experiments
