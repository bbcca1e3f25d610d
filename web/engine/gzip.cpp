#include "formats/text/gzip.hpp"

#include "neuroprim/error.hpp"

namespace neuroprim::formats {

bool is_gzip(std::string_view bytes) {
    return bytes.starts_with("\x1f\x8b");
}

/// The page unpacks what it is given (client.ts), so this is a file within a file.
std::string unpacked(std::string_view, const std::string& source, std::size_t) {
    throw InputError(source, 0, "this page reads gzip files, but not packed ones inside them");
}

}  // namespace neuroprim::formats
