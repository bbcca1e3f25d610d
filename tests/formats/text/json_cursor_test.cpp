#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "formats/text/json_cursor.hpp"
#include "neuroprim/error.hpp"
#include "neuroprim/random.hpp"

namespace neuroprim::formats {
namespace {

bool accepts(const std::string& content) {
    const Text text{content, "text", "text"};
    try {
        JsonCursor cursor(text);
        cursor.skip();
        cursor.finish();
        return true;
    } catch (const InputError&) {
        return false;
    }
}

std::string string_in(const std::string& content) {
    const Text text{content, "text", "text"};
    return JsonCursor(text).string();
}

TEST(JsonCursor, AcceptsWhatAnotherParserAccepts) {
    for (const auto* text : {"0",
                             "-0",
                             "01",
                             "-",
                             "1.",
                             ".5",
                             "1.5e",
                             "1e+5",
                             "+1",
                             "1E-3",
                             "0x1",
                             "\"a\"",
                             "\"\\u00e9\"",
                             "\"\\ud83d\"",
                             "\"\\ud83d\\ude00\"",
                             "\"\\ude00\"",
                             "\"\\ud83d\\u0041\"",
                             "\"\\x\"",
                             "\"\n\"",
                             "\"",
                             "\"\\",
                             "\"\\u12",
                             "true",
                             "tru",
                             "nullx",
                             "[]",
                             "[",
                             "[1,]",
                             "[,1]",
                             "[1 2]",
                             "{}",
                             "{\"a\"}",
                             "{\"a\":}",
                             "{\"a\":1,}",
                             "{a:1}",
                             "{\"a\":1 \"b\":2}",
                             "[[[[[]]]]]",
                             "[[]",
                             "[}",
                             "{\"a\":[{}]}",
                             "",
                             " ",
                             "1 2",
                             "\"\xff\"",
                             "\"\xc3\xa9\"",
                             "\"\xc0\x80\"",
                             "\"\xed\xa0\x80\"",
                             "\"\xf4\x90\x80\x80\"",
                             "\"\x7f\"",
                             "nan",
                             "Infinity",
                             "/**/1",
                             "[1]]",
                             "\f1"}) {
        EXPECT_EQ(accepts(text), nlohmann::json::accept(std::string(text))) << text;
    }
}

TEST(JsonCursor, AcceptsWhatAnotherParserAcceptsOnRandomTexts) {
    const std::string alphabet = "[]{},:\"\\ute0123.-+ \n";
    const std::string sound = R"({"a": [1, -2.5e3, {"b\n": null}, [], {}], "c": "d\u00e9", "e": [true, false]})";
    Random random(7);
    int agreed = 0;
    for (int i = 0; i < 20000; ++i) {
        std::string text = sound;
        const auto changes = random.below(3);
        for (std::uint64_t k = 0; k < changes; ++k)
            text[random.below(text.size())] = alphabet[random.below(alphabet.size())];
        ASSERT_EQ(accepts(text), nlohmann::json::accept(text)) << text;
        agreed += accepts(text) ? 1 : 0;
    }
    EXPECT_GT(agreed, 5000);
    EXPECT_LT(agreed, 15000);
}

TEST(JsonCursor, UnescapesAsAnotherParserDoes) {
    for (const char* text :
         {R"("plain")", R"("\"\\\/\b\f\n\r\t")", R"("\u0041\u00e9\u20ac\ud83d\ude00")", R"("é€😀")", R"("")"}) {
        EXPECT_EQ(string_in(text), nlohmann::json::parse(text).get<std::string>());
    }
}

TEST(JsonCursor, CanBeCopiedToComeBack) {
    const Text text{R"({"a": [1, 2], "b": 3})", "text", "text"};
    JsonCursor cursor(text);
    std::optional<JsonCursor> a;
    cursor.object([&](const std::string& key, std::size_t) {
        if (key == "a") a = cursor;
        cursor.skip();
    });
    cursor.finish();
    std::string numbers;
    a->array([&] { numbers += a->number().value; });
    EXPECT_EQ(numbers, "12");
}

}  // namespace
}  // namespace neuroprim::formats
