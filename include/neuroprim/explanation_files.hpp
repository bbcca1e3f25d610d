#pragma once

#include <string>

#include "neuroprim/explanation.hpp"
#include "neuroprim/instance.hpp"
#include "neuroprim/picture.hpp"

namespace neuroprim {

/// The JSON of docs/formats.md.
[[nodiscard]] std::string explanation_to_json(const Instance& instance, const Explanation& explanation);

/// The construction as a moving picture: at each step the alternatives shine up by their probability, then the chosen
/// edge stays. An SVG that plays by itself, over and over.
[[nodiscard]] std::string explanation_to_animation(const Instance& instance, const Explanation& explanation,
                                                   double seconds_per_step = 0.6);

/// The construction as a strip of `frames` small pictures, from the start to the finished tree.
[[nodiscard]] Picture explanation_to_strip(const Instance& instance, const Explanation& explanation, int frames = 8);

/// By ending: .json, .svg (moving, or the strip), .png (the strip); `-` is JSON on standard output.
void write_explanation(const std::string& path, const Instance& instance, const Explanation& explanation, bool strip);

/// Throws what `write_explanation` would throw about this path now: an unknown ending, a folder that does not exist
/// or may not be written in. Leaves nothing behind.
void check_explanation_path(const std::string& path);

}  // namespace neuroprim
