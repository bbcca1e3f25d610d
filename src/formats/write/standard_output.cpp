#include "formats/write/standard_output.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <system_error>

namespace neuroprim::formats {

namespace {

std::string why_not_printed(int error) {
    switch (error) {
        case 0:
            return "standard output: cannot write";
        case EBADF:
            return "standard output: cannot write: it is closed";
        case ENOSPC:
        case EDQUOT:
            return "standard output: cannot write: the disk is full";
        default:
            return "standard output: cannot write: " + std::generic_category().message(error);
    }
}

}  // namespace

void hold_standard_descriptors() {
    for (const int descriptor : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO}) {
        if (::fcntl(descriptor, F_GETFD) >= 0 || errno != EBADF) continue;
        // The lowest free number is this one. It is opened for the wrong direction, so that using it is an error.
        (void)::open("/dev/null", descriptor == STDIN_FILENO ? O_WRONLY : O_RDONLY);
    }
}

void flush_standard_output() {
    errno = 0;
    const bool flushed = std::fflush(stdout) == 0;
    if (!flushed || std::ferror(stdout) != 0) throw StandardOutputError(why_not_printed(errno));
}

}  // namespace neuroprim::formats
