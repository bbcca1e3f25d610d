#include "cli/complaint.hpp"

#include <fmt/format.h>

#include <cstdio>
#include <cstdlib>
#include <exception>
#include <iterator>
#include <new>

#include "cli/command.hpp"

namespace neuroprim::cli {

void complain(std::string_view message) {
    try {
        fmt::memory_buffer line;  // most messages fit without any allocation
        fmt::format_to(std::back_inserter(line), "neuroprim: {}\n", message);
        std::fwrite(line.data(), 1, line.size(), stderr);
    } catch (const std::bad_alloc&) {
        std::fprintf(stderr, "neuroprim: %.*s\n", static_cast<int>(message.size()), message.data());
    }
}

void complain_when_out_of_memory() {
    std::set_terminate([] {
        try {
            if (std::current_exception()) std::rethrow_exception(std::current_exception());
        } catch (const std::bad_alloc&) {
            std::fputs("neuroprim: not enough memory\n", stderr);
            std::_Exit(exit_bad_input);
        } catch (...) {  // a mistake of ours, which the usual handler tells about
        }
        std::set_terminate(nullptr);
        std::terminate();
    });
}

}  // namespace neuroprim::cli
