#include <fmt/format.h>

#include <chrono>
#include <cstdio>
#include <memory>

#include "formats/read/input_list.hpp"
#include "formats/write/output_file.hpp"
#include "formats/write/writers.hpp"
#include "neuroprim/error.hpp"
#include "neuroprim/formats.hpp"
#include "neuroprim/neural.hpp"
#include "train/device.hpp"
#include "train/numpy_file.hpp"
#include "train/run.hpp"

namespace neuroprim::train {

namespace {

void warn(const std::string& message) {
    fmt::print(stderr, "neuroprim-train: {}\n", message);
}

std::vector<Instance> read_all(const std::vector<std::string>& named) {
    std::vector<Instance> all;
    for (const formats::Input& input : formats::list_inputs(named, "")) {
        ReadOptions options;
        options.warn = warn;
        std::vector<Instance> read;
        try {
            read = input.path.ends_with(".npy") ? read_numpy_points(input.path) : read_instances(input.path, options);
        } catch (const UnknownFormat& error) {
            if (!input.in_folder) throw;
            warn(fmt::format("{}: skipped", error.what()));
        }
        std::move(read.begin(), read.end(), std::back_inserter(all));
    }
    if (all.empty()) throw InputError("there are no instances in what was named");
    return all;
}

void write_costs(const std::filesystem::path& path, const std::vector<Instance>& instances,
                 const std::vector<DecodedTree>& answers) {
    std::string text = "name,cost\n";
    for (std::size_t k = 0; k < answers.size(); ++k) {
        text += formats::csv_field(instances[k].name) + ',';
        if (answers[k].is_feasible) text += fmt::format("{}", answers[k].cost);
        text += '\n';
    }
    formats::write_file(path.string(), text);
}

void write_trees(const std::filesystem::path& path, std::int64_t n, const std::vector<DecodedTree>& answers) {
    const auto row = static_cast<std::size_t>(n - 1) * 2;
    std::vector<std::int32_t> numbers(answers.size() * row, -1);
    for (std::size_t k = 0; k < answers.size(); ++k) {
        std::int32_t* next = numbers.data() + k * row;
        for (const Edge& edge : answers[k].tree.edges) {
            *next++ = edge.u;
            *next++ = edge.v;
        }
    }
    const std::int64_t shape[] = {static_cast<std::int64_t>(answers.size()), n - 1, 2};
    write_numpy(path, shape, numbers);
}

}  // namespace

std::size_t decode(const DecodeRequest& request) {
    for (const auto& path : {request.costs, request.trees}) {
        if (!path.empty()) formats::check_writable(path.string());
    }
    const c10::Device device = device_named(request.device);
    const std::vector<Instance> instances = read_all(request.inputs);
    std::vector<std::unique_ptr<Problem>> problems;
    std::vector<const Problem*> views;
    for (const Instance& instance : instances) {
        const std::string preset =
            request.problem.empty() ? std::string(implied_preset(instance, request.options)) : request.problem;
        problems.push_back(make_problem(preset, instance, request.options));
        views.push_back(problems.back().get());
        if (!request.trees.empty() && instance.size() != instances.front().size()) {
            throw InputError(
                fmt::format("{}: trees of one NumPy file must have equally many vertices: {} has {}, {} {}",
                            request.trees.string(), instances.front().name, instances.front().size(), instance.name,
                            instance.size()));
        }
    }
    const Policy policy = load_policy(*problems.front(), request.model);
    if (const auto odd = mismatch(policy, *problems.front())) warn(*odd);
    BatchDecoder decoder(policy, device);
    const auto begin = std::chrono::steady_clock::now();
    const std::vector<DecodedTree> answers = decoder.decode(views, request.decoding);
    const std::chrono::duration<double> seconds = std::chrono::steady_clock::now() - begin;

    if (!request.costs.empty()) write_costs(request.costs, instances, answers);
    if (!request.trees.empty()) write_trees(request.trees, instances.front().size(), answers);
    std::size_t without = 0;
    std::int64_t grown = 0;
    double total = 0;
    for (const DecodedTree& answer : answers) {
        grown += answer.grown;
        total += answer.cost;
        without += answer.is_feasible ? 0 : 1;
    }
    if (!request.quiet) {
        const std::size_t with = answers.size() - without;
        if (with > 0) fmt::print("mean cost {:.6g} of {} instances\n", total / static_cast<double>(with), with);
        if (without > 0) fmt::print("{} instances without a tree: all of theirs ended in dead ends\n", without);
        fmt::print("{} trees in {:.3g} s, {:.0f} a second on {}\n", grown, seconds.count(),
                   static_cast<double>(grown) / seconds.count(), device.str());
    }
    return without;
}

}  // namespace neuroprim::train
