#include <fmt/format.h>

#include <memory>

#include "cli/command.hpp"
#include "neuroprim/error.hpp"

#ifdef NEUROPRIM_SERVES

#include <algorithm>
#include <chrono>
#include <thread>

#include "cli/interrupt.hpp"
#include "cli/numbers.hpp"
#include "formats/write/standard_output.hpp"
#include "serve/server.hpp"

namespace neuroprim::cli {

namespace {

struct ServeArguments {
    serve::Settings settings;
    bool quiet = false;
};

int cores() {
    return static_cast<int>(std::max(1U, std::thread::hardware_concurrency()));
}

/// As many jobs at a time as there are cores, at least two so that methods can be compared, but not very many:
/// beyond that each gets more threads instead.
int usual_jobs() {
    constexpr int most = 8;
    return std::clamp(cores(), 2, most);
}

int serve_till_interrupted(const ServeArguments& arguments) {
    serve::Settings settings = arguments.settings;
    if (settings.threads == 0) settings.threads = std::max(1, cores() / settings.limits.jobs);
    catch_interrupts();
    const serve::Server server(settings);
    if (!arguments.quiet) {
        fmt::print("{} (Ctrl-C ends it)\n", server.address());
        formats::flush_standard_output();
    }
    while (!interrupted()) std::this_thread::sleep_for(std::chrono::milliseconds(50));
    return exit_solved;
}

void add_limits(CLI::App& app, serve::Limits& limits) {
    constexpr int most = 100'000'000;
    const auto limit = [&app](const char* name, auto& value, const char* text, auto least, auto largest) {
        app.add_option(name, value, text)->check(CLI::Range(least, largest))->capture_default_str()->group("Limits");
    };
    limit("--jobs", limits.jobs, "Requests that run at a time", 1, 1024);
    limit("--queue", limits.queue, "Requests that may wait; more get status 429", 0, 10'000);
    app.add_option("--max-time", limits.time_limit, "Seconds that one request may search")
        ->check(is_number(0.01, 86400))
        ->capture_default_str()
        ->group("Limits");
    limit("--max-vertices", limits.vertices, "Vertices of an instance", 1, most);
    limit("--max-matrix", limits.matrix_vertices, "Vertices of an instance with a number for each pair", 1, 20'000);
    limit("--max-classical", limits.classical_vertices, "Vertices for classical methods that take n² steps", 1, most);
    limit("--max-policy", limits.policy_vertices, "Vertices for greedy, beam and sample", 1, 20'000);
    limit("--max-explain", limits.explain_vertices, "Vertices for explain", 1, 20'000);
    limit("--max-body", limits.body_bytes, "Bytes of a request", std::size_t{1000}, std::size_t{1} << 31);
    limit("--max-bodies", limits.bodies_bytes, "Bytes of all large requests together; more get status 429",
          std::size_t{1000}, std::size_t{1} << 36);
}

}  // namespace

Command add_serve(CLI::App& root) {
    auto arguments = std::make_shared<ServeArguments>();
    serve::Settings& settings = arguments->settings;
    settings.threads = 0;
    settings.limits.jobs = usual_jobs();
    CLI::App* app = root.add_subcommand("serve", "Serve a page for the browser, and its HTTP API");
    app->add_option("--host", settings.host, "Address to listen on; 0.0.0.0 is every address of this machine")
        ->capture_default_str();
    app->add_option("--port", settings.port, "Port to listen on; 0 takes any that is free")
        ->check(CLI::Range(0, 65535))
        ->capture_default_str();
    app->add_option("--name", settings.names, "Another host name that browsers may use; may be repeated")
        ->type_name("NAME")
        ->expected(1)
        ->multi_option_policy(CLI::MultiOptionPolicy::TakeAll);
    app->add_option("--threads", settings.threads, "Threads for each request; 0 shares all cores among them")
        ->check(CLI::Range(0, 1024))
        ->capture_default_str();
    app->add_flag("-q,--quiet", arguments->quiet, "Print nothing but errors");
    add_limits(*app, settings.limits);
    app->footer(
        "Examples:\n"
        "  neuroprim serve\n"
        "  neuroprim serve --port 9000 --jobs 4 --max-time 10");
    return {app, [arguments] { return serve_till_interrupted(*arguments); }};
}

}  // namespace neuroprim::cli

#else

namespace neuroprim::cli {

Command add_serve(CLI::App& root) {
    CLI::App* app = root.add_subcommand("serve", "A page in the browser (this build was made without it)");
    app->allow_extras();
    return {app, []() -> int {
                throw InputError(
                    "this build has no server: install libcpp-httplib-dev 0.11.4 and esbuild, then run make build");
            }};
}

}  // namespace neuroprim::cli

#endif
