#pragma once

#include "serve/progress.hpp"

namespace neuroprim::engine {

/// Tells the page where a search stands, unless it was told a moment ago; a tree is not lost with that, it comes with
/// the next news.
void tell(const serve::Progress& progress);

}  // namespace neuroprim::engine
