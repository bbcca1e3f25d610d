#include <gtest/gtest.h>

#include "formats/text/scanner.hpp"
#include "formats/text/text.hpp"
#include "formats/text/values.hpp"
#include "neuroprim/error.hpp"

namespace neuroprim::formats {
namespace {

std::string message_at(std::string_view content, std::size_t at) {
    try {
        Text{content, "file", "file"}.fail(at, "no");
    } catch (const InputError& error) {
        return error.what();
    }
}

TEST(Text, CountsLinesThatEndInAnyWay) {
    const std::string_view content = "a\nb\r\nc\rd\n\ne\n";
    for (const auto& [letter, line] : {std::pair{'a', 1}, {'b', 2}, {'c', 3}, {'d', 4}, {'e', 6}}) {
        EXPECT_EQ(message_at(content, content.find(letter)), "file:" + std::to_string(line) + ": no") << letter;
    }
    EXPECT_EQ(message_at(content, content.size()), "file:6: no");
    EXPECT_EQ(message_at("a\r\n", 3), "file:1: no");
    EXPECT_EQ(message_at("a\n\n", 3), "file:2: no");
    EXPECT_EQ(message_at("", 0), "file:1: no");
}

TEST(Text, QuotesSoThatMessagesStayReadable) {
    EXPECT_EQ(in_quotes("abc"), "\"abc\"");
    EXPECT_EQ(in_quotes(std::string_view("a\0\x1b[31m\xff", 8)), "\"a\\x00\\x1b[31m\\xff\"");
    EXPECT_EQ(in_quotes("é€😀"), "\"é€😀\"");
    EXPECT_EQ(in_quotes(std::string(1000, 'x')), "\"" + std::string(40, 'x') + "…\"");
}

TEST(Text, KnowsUtf8) {
    for (const auto* text : {"", "abc", "é€😀", "\xf4\x8f\xbf\xbf"}) EXPECT_TRUE(is_utf8(text)) << text;
    for (const auto* text :
         {"\x80", "\xc3", "\xc0\xaf", "\xe2\x82", "\xed\xa0\x80", "\xf4\x90\x80\x80", "\xff", "a\xe9z"}) {
        EXPECT_FALSE(is_utf8(text)) << text;
    }
}

TEST(Numbers, AreDecimalAndFinite) {
    for (const auto& [text, value] : {std::pair{"0", 0.0},
                                      {"-0.5", -0.5},
                                      {"+3", 3.0},
                                      {".5", 0.5},
                                      {"5.", 5.0},
                                      {"1e3", 1000.0},
                                      {"1E-3", 0.001},
                                      {"1e-999", 0.0},
                                      {"0.1", 0.1}}) {
        EXPECT_EQ(parse_number(text), value) << text;
    }
    for (const auto* text : {"", "+", "-", ".", "e5", "1e", "nan", "inf", "-inf", "infinity", "0x1p3", "1 ", " 1",
                             "1,5", "+-1", "1_000"}) {
        EXPECT_FALSE(parse_number(text)) << text;
    }
    const double infinity = std::numeric_limits<double>::infinity();
    EXPECT_EQ(parse_number("1e999"), infinity);
    EXPECT_EQ(parse_number("-1e999"), -infinity);
    EXPECT_EQ(parse_number("0." + std::string(400, '0') + "1"), 0.0);
    EXPECT_EQ(parse_number("1" + std::string(400, '0') + ".5"), infinity);
}

TEST(Numbers, IntegersFitIn64Bits) {
    EXPECT_EQ(parse_integer("9223372036854775807"), std::numeric_limits<std::int64_t>::max());
    EXPECT_EQ(parse_integer("-1"), -1);
    for (const auto* text : {"", "9223372036854775808", "1.0", "1e3", "0x1", " 1", "one"}) {
        EXPECT_FALSE(parse_integer(text)) << text;
    }
}

TEST(Scanner, GoesByWordsAndByLines) {
    const Text text{"one two\r\n\r\n  three \rfour", "file", "file"};
    Scanner scanner(text);
    EXPECT_EQ(scanner.word().value, "one");
    EXPECT_EQ(scanner.word_in_line().value, "two");
    EXPECT_EQ(scanner.word_in_line().value, "");
    EXPECT_EQ(scanner.line().value, "three");
    EXPECT_FALSE(scanner.at_end());
    EXPECT_EQ(scanner.word().value, "four");
    EXPECT_TRUE(scanner.at_end());
    EXPECT_EQ(scanner.word().value, "");
    EXPECT_EQ(scanner.line().value, "");
}

}  // namespace
}  // namespace neuroprim::formats
