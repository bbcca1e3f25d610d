#pragma once

#include <string_view>

namespace neuroprim::serve {

/// The page, one HTML file with its script and style inside; it was put into the program when that was built.
[[nodiscard]] std::string_view embedded_page();

/// `script-src 'sha256-…'; style-src 'sha256-…'`: the only script and style that a browser may run.
[[nodiscard]] std::string_view embedded_page_policy();

/// openapi.json.
[[nodiscard]] std::string_view embedded_description();

}  // namespace neuroprim::serve
