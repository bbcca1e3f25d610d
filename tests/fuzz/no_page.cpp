#include "serve/page.hpp"

// The API alone is fuzzed, so there is no page to show.
namespace neuroprim::serve {

std::string_view embedded_page() {
    return {};
}
std::string_view embedded_page_policy() {
    return {};
}
std::string_view embedded_description() {
    return "{}";
}

}  // namespace neuroprim::serve
