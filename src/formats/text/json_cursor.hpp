#pragma once

#include <string>
#include <type_traits>

#include "formats/text/text.hpp"

namespace neuroprim::formats {

/// Reads JSON (RFC 8259) from left to right, without building a document: every error can name its line, and
/// memory goes only into what the reader keeps. Copy it to come back to a value later.
class JsonCursor {
public:
    enum class Kind { object, array, string, number, boolean, null };

    explicit JsonCursor(const Text& text, std::size_t at = 0) : text_(&text), at_(at) {}

    [[nodiscard]] const Text& text() const { return *text_; }

    /// Where the next value begins.
    [[nodiscard]] std::size_t at();

    /// What the next value is; fails when there is none.
    [[nodiscard]] Kind peek();

    /// Calls `on_member(key, at)` for every member of the next value, which must be an object; it reads the value.
    /// One that returns false ends the look at the object there and then.
    template <class OnMember>
    void object(OnMember&& on_member);

    /// Calls `on_element()` for every element of the next value, which must be an array; it reads the element.
    template <class OnElement>
    void array(OnElement&& on_element);

    /// The digits of the next value, which must be a number.
    [[nodiscard]] Token number(std::string_view expected = "a number");

    [[nodiscard]] std::string string(std::string_view expected = "a string");
    [[nodiscard]] bool boolean();

    /// Passes over a null, if the next value is one.
    bool null();

    /// Passes over the next value, whatever it is and however deep.
    void skip();

    /// Fails when anything but white space follows.
    void finish();

    /// Fails at the next value with `expected …, found …`.
    [[noreturn]] void fail_expected(std::string_view expected);

private:
    bool accept(char c);
    void expect(char c, std::string_view expected);
    void literal(std::string_view word);
    void append_escape(std::string& out);
    unsigned hex_digits();

    const Text* text_;
    std::size_t at_;
};

template <class OnMember>
void JsonCursor::object(OnMember&& on_member) {
    expect('{', "an object { }");
    if (accept('}')) return;
    do {
        const std::size_t key_at = at();
        const std::string key = string("a key in quotes");
        expect(':', "a colon");
        if constexpr (std::is_same_v<bool, decltype(on_member(key, key_at))>) {
            if (!on_member(key, key_at)) return;
        } else {
            on_member(key, key_at);
        }
    } while (accept(','));
    expect('}', "a comma or }");
}

template <class OnElement>
void JsonCursor::array(OnElement&& on_element) {
    expect('[', "an array [ ]");
    if (accept(']')) return;
    do {
        on_element();
    } while (accept(','));
    expect(']', "a comma or ]");
}

}  // namespace neuroprim::formats
