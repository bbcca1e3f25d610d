#include "experiments/literature.hpp"

#include <fmt/format.h>

#include <array>

#include "experiments/record_file.hpp"
#include "neuroprim/error.hpp"
#include "neuroprim/formats.hpp"

namespace neuroprim::experiments {

namespace fs = std::filesystem;

namespace {

std::string crd_file(const std::string& instance) {
    return "crd/" + instance;
}

/// e50.3 is the third problem of estein50.txt.
std::string estein_file(const std::string& instance) {
    const auto dot = instance.find('.');
    if (!instance.starts_with('e') || dot == std::string::npos) {
        throw InputError(fmt::format("best_known.csv: expected a name like e50.1, found \"{}\"", instance));
    }
    return fmt::format("estein/estein{}.txt#{}", instance.substr(1, dot - 1), instance.substr(dot + 1));
}

std::string p4e_file(const std::string& instance) {
    return "steinlib/P4E/" + instance + ".stp";
}

const std::array tables = {
    LiteratureTable{.name = "dcmst",
                    .title = "Degree-constrained MST, d = 2, CRD, real distances",
                    .options = {.degree = 2},
                    .set = "crd",
                    .parameters = "d=2",
                    .format = "crd",
                    .baseline = "farthest-insertion",
                    .published = "table_dcmst.csv",
                    .file = crd_file},
    LiteratureTable{.name = "mrcst",
                    .title = "Minimum routing cost, OR-Library",
                    .options = {},
                    .set = "estein",
                    .parameters = "",
                    .format = "orlib",
                    .baseline = "campos-strict",
                    .published = "table_mrcst.csv",
                    .file = estein_file},
    LiteratureTable{.name = "stp",
                    .title = "Steiner trees, P4E",
                    .options = {},
                    .set = "steinlib/P4E",
                    .parameters = "",
                    .format = "steinlib",
                    .baseline = "kruskal",
                    .published = "table_stp.csv",
                    .file = p4e_file},
};

}  // namespace

std::span<const LiteratureTable> literature_tables() {
    return tables;
}

std::vector<LiteratureCase> literature_cases(const LiteratureTable& table, const fs::path& folder) {
    const fs::path list = folder / "best_known.csv";
    RecordFile records(list, {"set", "instance", "problem", "parameters", "value"});
    std::vector<LiteratureCase> result;
    while (records.next()) {
        if (records.text(0) != table.set || records.text(2) != table.name || records.text(3) != table.parameters) {
            continue;
        }
        LiteratureCase item{std::string(records.text(1)), "", records.number(4)};
        item.file = (folder / table.file(item.instance)).string();
        if (const std::string path = item.file.substr(0, item.file.find('#')); !fs::exists(path)) {
            throw InputError(path, 0, fmt::format("the file of {} is missing", item.instance));
        }
        result.push_back(std::move(item));
    }
    if (result.empty()) {
        throw InputError(list.string(), 0,
                         fmt::format("no line with set {}, problem {}{}{}", table.set, table.name,
                                     table.parameters.empty() ? "" : ", parameters ", table.parameters));
    }
    return result;
}

Instance read_case(const LiteratureTable& table, const LiteratureCase& item) {
    std::vector<Instance> instances = read_instances(item.file, table.format);
    if (instances.size() != 1) {
        throw InputError(item.file, 0, fmt::format("expected one instance, found {}", instances.size()));
    }
    instances.front().name = item.instance;
    return std::move(instances.front());
}

}  // namespace neuroprim::experiments
