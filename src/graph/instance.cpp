#include "neuroprim/instance.hpp"

namespace neuroprim {

std::span<const Point> Instance::positions() const {
    return weights.form() == Weights::Form::points ? weights.points() : std::span<const Point>(layout);
}

std::string Instance::label(Vertex v) const {
    return names.empty() ? std::to_string(v) : names[static_cast<std::size_t>(v)];
}

}  // namespace neuroprim
