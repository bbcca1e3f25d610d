#pragma once

#include <fstream>
#include <string>
#include <string_view>

namespace neuroprim::cli {

/// A CSV file that grows line by line, so that a long run that is stopped leaves what it has measured.
class MeasurementFile {
public:
    /// Writes the header; an empty path makes a file that swallows everything. Throws InputError when it cannot be
    /// written.
    MeasurementFile(std::string path, std::string_view header);

    void add(std::string_view line);

private:
    std::string path_;
    std::ofstream stream_;
};

}  // namespace neuroprim::cli
