// The API of the server (src/serve/api.hpp) for a Web Worker: requests come from JavaScript, responses go there.
#include "engine.hpp"

#include <emscripten.h>

#include <chrono>
#include <filesystem>
#include <map>
#include <optional>
#include <string>

#include "neuroprim/models.hpp"
#include "serve/api.hpp"
#include "serve/json.hpp"
#include "serve/page.hpp"

// What the worker gives the engine (worker.ts): two listeners, and a way to have a file fetched while it waits.
EM_JS(void, give_progress, (const char* json, int size),
      { Module["onProgress"](new TextDecoder().decode(HEAPU8.subarray(json, json + size))); });
EM_JS(void, give_response, (int status, const char* type, const char* file_name, const char* body, int size), {
    Module["onResponse"]({
        status : status,
        type : UTF8ToString(type),
        fileName : UTF8ToString(file_name),
        body : HEAPU8.slice(body, body + size)
    });
});
EM_JS(void, fetch_file, (const char* path), { Module["fetchFile"](UTF8ToString(path)); });

namespace neuroprim::engine {

namespace {

using Clock = std::chrono::steady_clock;

/// More often than this nobody can look.
constexpr auto between_news = std::chrono::milliseconds(40);

/// The progress that waits until it may be told.
struct News {
    std::optional<serve::Progress> waiting;
    Clock::time_point told{};
};

News& news() {
    static News result;
    return result;
}

void tell_now(const serve::Progress& progress) {
    const std::string json = serve::to_json(progress);
    give_progress(json.data(), static_cast<int>(json.size()));
}

/// What a browser's tab can do in a reasonable time, on one thread.
serve::Settings settings() {
    serve::Settings result;
    result.limits.policy_vertices = 300;
    result.limits.explain_vertices = 200;
    result.limits.jobs = 1;
    result.limits.queue = 0;
    return result;
}

serve::ApiResponse respond(const serve::Context& context, std::string_view method, std::string_view path,
                           serve::ApiRequest request) {
    for (const serve::Route& route : serve::routes()) {
        if (route.path != path) continue;
        if (route.method != method) return serve::error_response(405, "this address is asked otherwise");
        return serve::response_of([&]() -> serve::ApiResponse {
            if (route.look != nullptr) return route.look(context);
            return context.jobs.submit(route.prepare(context, std::move(request)))->response();
        });
    }
    return serve::error_response(404, "there is no such address");
}

}  // namespace

void tell(const serve::Progress& progress) {
    News& state = news();
    serve::Progress next = progress;
    if (state.waiting && !next.edges) next.edges = std::move(state.waiting->edges);
    state.waiting.reset();
    if (Clock::now() - state.told < between_news) {
        state.waiting = std::move(next);
        return;
    }
    tell_now(next);
    state.told = Clock::now();
}

}  // namespace neuroprim::engine

namespace neuroprim::serve {

// The page is a file of its own here, and so is its description.
std::string_view embedded_page() {
    return {};
}
std::string_view embedded_page_policy() {
    return {};
}
std::string_view embedded_description() {
    return "{}";
}

/// A file of weights is empty until it is asked for the first time.
std::shared_ptr<const Policy> Policies::find(const Problem& problem) {
    const auto file = find_model(problem);
    if (!file) return nullptr;
    auto& policy = loaded_[*file];
    if (policy) return policy;
    if (std::filesystem::file_size(*file) == 0) fetch_file(file->c_str());
    policy = std::make_shared<const Policy>(Policy::load(*file));
    return policy;
}

}  // namespace neuroprim::serve

extern "C" {

/// `parameters` are names and values in turn, each ended by a zero byte.
EMSCRIPTEN_KEEPALIVE void answer(const char* method, const char* path, const char* parameters, int parameters_size,
                                 const char* body, int body_size) {
    using namespace neuroprim;
    static const serve::Settings settings = engine::settings();
    static serve::Jobs jobs(1, 0);
    static serve::Policies policies;
    serve::ApiRequest request;
    request.body.assign(body, static_cast<std::size_t>(body_size));
    for (const char* at = parameters; at < parameters + parameters_size;) {
        const std::string name = at;
        at += name.size() + 1;
        const std::string value = at;
        at += value.size() + 1;
        request.parameters.emplace(name, value);
    }
    engine::news() = {};
    const auto response = engine::respond({settings, jobs, policies}, method, path, std::move(request));
    give_response(response.status, response.type.c_str(), response.file_name.c_str(), response.body.data(),
                  static_cast<int>(response.body.size()));
}
}
