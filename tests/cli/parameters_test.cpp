// Every parameter of the table is a flag, with the help, range and usual value that the table says.
#include <gtest/gtest.h>

#include <sstream>

#include "cli/command_line.hpp"
#include "neuroprim/parameters.hpp"

namespace neuroprim::testing {
namespace {

/// Without line breaks and the spaces of columns.
std::string flowing(const std::string& text) {
    std::string result;
    for (const char c : text) {
        const bool is_space = c == ' ' || c == '\n';
        if (!is_space || (!result.empty() && result.back() != ' ')) result += is_space ? ' ' : c;
    }
    return result;
}

std::string text_of(double value) {
    std::ostringstream text;
    text.precision(17);
    text << value;
    return text.str();
}

/// The words of a help text, whose first letter may be small after a prefix.
std::string without_first_letter(std::string_view help) {
    return std::string(help.substr(1));
}

TEST(ParametersOnTheCommandLine, AreFlagsWithTheirHelp) {
    const std::string help = flowing(neuroprim_command({"solve", "--help"}).out);
    const std::string manual = neuroprim_command({"manpage"}).out;
    for (const Parameter& one : parameters()) {
        const std::string flag = spelled(one.name, Spelling::flag);
        EXPECT_EQ(help.find(flag + " ") != std::string::npos || help.find(flag + ",") != std::string::npos,
                  one.in_command)
            << flag;
        if (!one.in_command) continue;
        EXPECT_NE(help.find(without_first_letter(one.help)), std::string::npos) << flag << "\n" << help;
        EXPECT_NE(help.find(std::string(one.value)), std::string::npos) << flag;
        if (!one.usual.empty()) {
            EXPECT_NE(help.find("=" + std::string(one.usual)), std::string::npos) << flag;
        }
        std::string escaped;
        for (const char c : flag) escaped += c == '-' ? "\\-" : std::string(1, c);
        EXPECT_NE(manual.find(escaped), std::string::npos) << flag;
    }
}

TEST(ParametersOnTheCommandLine, AreCompleted) {
    for (const char* shell : {"bash", "fish"}) {
        const std::string script = neuroprim_command({"completion", shell}).out;
        for (const Parameter& one : parameters()) {
            if (!one.in_command) continue;
            const std::string flag = spelled(one.name, Spelling::flag);
            const std::string name = std::string_view(shell) == "fish" ? "-l " + flag.substr(2) : flag;
            EXPECT_NE(script.find(name), std::string::npos) << shell << " " << flag;
            if (!one.choices.empty()) {
                EXPECT_NE(script.find(one.choices), std::string::npos) << shell << " " << flag;
            }
        }
    }
}

TEST(ParametersOnTheCommandLine, RefuseNumbersOutsideTheirRange) {
    for (const Parameter& one : parameters()) {
        const bool is_number = one.type == ParameterType::whole || one.type == ParameterType::number;
        if (!is_number || !one.in_command) continue;
        const std::string flag = spelled(one.name, Spelling::flag);
        std::vector<std::string> wrong = {text_of(one.range.least - 1), "nan", "three"};
        if (one.range.above) wrong.push_back(text_of(one.range.least));
        if (!one.range.is_open()) wrong.push_back(text_of(one.range.most + 1));
        for (const std::string& text : wrong) {
            const Outcome outcome = neuroprim_command({"solve", examples + "fifty.csv", flag + "=" + text});
            EXPECT_EQ(outcome.exit_code, 2) << flag << " " << text;
            const std::string expected = *expected_instead_of(one, one.range.least - 1);
            EXPECT_NE(outcome.err.find(flag + ": expected " + expected + ", found \"" + text + "\""),
                      std::string::npos)
                << outcome.err;
        }
    }
}

}  // namespace
}  // namespace neuroprim::testing
