#include "formats/text/gzip.hpp"

#include <fmt/format.h>
#include <zlib.h>

#include <algorithm>
#include <limits>
#include <new>

#include "formats/text/byte_limit.hpp"
#include "neuroprim/error.hpp"

namespace neuroprim::formats {

namespace {

class Inflater {
public:
    Inflater(std::string_view bytes, const std::string& source) : rest_(bytes), source_(source) {
        constexpr int largest_window = 15;
        constexpr int gzip_only = 16;
        if (inflateInit2(&stream_, largest_window + gzip_only) != Z_OK) throw std::bad_alloc();
    }
    ~Inflater() { inflateEnd(&stream_); }
    Inflater(const Inflater&) = delete;
    Inflater& operator=(const Inflater&) = delete;

    /// Fills `[out, out + size)` as far as there is something; returns how far.
    std::size_t fill(char* out, std::size_t size) {
        stream_.next_out = reinterpret_cast<Bytef*>(out);
        stream_.avail_out = static_cast<uInt>(size);
        while (stream_.avail_out > 0 && !finished_) step();
        return size - stream_.avail_out;
    }

private:
    void step() {
        const auto portion = static_cast<uInt>(std::min<std::size_t>(rest_.size(), std::numeric_limits<uInt>::max()));
        stream_.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(rest_.data()));  // zlib only reads it
        stream_.avail_in = portion;
        const int result = inflate(&stream_, Z_NO_FLUSH);
        rest_.remove_prefix(portion - stream_.avail_in);
        if (result == Z_STREAM_END) {
            begin_next_member();
        } else if (result == Z_BUF_ERROR) {
            throw InputError(source_, 0, "the gzip file is cut off");
        } else if (result == Z_MEM_ERROR) {
            throw std::bad_alloc();
        } else if (result != Z_OK) {
            throw InputError(source_, 0,
                             fmt::format("the gzip file is corrupt ({})",
                                         stream_.msg != nullptr ? stream_.msg : "no reason given"));
        }
    }

    /// Members may follow each other, and zeros may fill up the last block.
    void begin_next_member() {
        const bool only_zeros = rest_.find_first_not_of('\0') == std::string_view::npos;
        if (only_zeros) {
            finished_ = true;
        } else if (is_gzip(rest_)) {
            inflateReset(&stream_);
        } else {
            throw InputError(source_, 0, "the gzip file is corrupt (something else follows after its end)");
        }
    }

    std::string_view rest_;
    const std::string& source_;
    z_stream stream_{};
    bool finished_ = false;
};

}  // namespace

bool is_gzip(std::string_view bytes) {
    return bytes.starts_with("\x1f\x8b");
}

std::string unpacked(std::string_view bytes, const std::string& source, std::size_t most) {
    constexpr std::size_t portion = std::size_t{1} << 20;
    Inflater inflater(bytes, source);
    std::string result;
    for (;;) {
        const std::size_t before = result.size();
        const std::size_t room = std::min(portion, one_beyond(most) - before);
        grow(result, before + room, one_beyond(most));
        const std::size_t filled = inflater.fill(result.data() + before, room);
        result.resize(before + filled);
        if (result.size() > most) {
            throw TooLarge(source, 0, fmt::format("the file unpacks to more than {}", readable_bytes(most)));
        }
        if (filled < room) return result;
    }
}

}  // namespace neuroprim::formats
