#include <algorithm>

#include "formats/text/csv_numbers.hpp"
#include "formats/text/csv_scanner.hpp"
#include "formats/text/input_file.hpp"
#include "formats/text/values.hpp"
#include "neuroprim/formats.hpp"

namespace neuroprim {

std::vector<Cable> parse_cables(std::string_view table, const std::string& source) {
    const formats::TextFile file(table, source);
    const formats::Text& text = file.text();
    formats::CsvScanner csv(text);
    std::size_t capacity = 0;
    std::size_t price = 1;
    bool more = csv.next_row();
    if (more && formats::can_be_header(csv.cells())) {
        const auto named_capacity = formats::column_named(csv.cells(), "capacity");
        const auto named_price = formats::column_named(csv.cells(), "price");
        if (!named_capacity || !named_price) {
            text.fail(csv.cells().front().at, "expected a header with capacity and price");
        }
        capacity = *named_capacity;
        price = *named_price;
        more = csv.next_row();
    }
    std::vector<Cable> cables;
    for (; more; more = csv.next_row()) {
        const auto cells = formats::without_empty_end(csv.cells());
        if (cells.size() <= std::max(capacity, price)) {
            text.fail(cells.front().at, "expected a capacity and a price");
        }
        cables.push_back({formats::to_weight(text, cells[capacity], "a capacity"),
                          formats::to_weight(text, cells[price], "a price")});
    }
    if (cables.empty()) text.fail("expected rows with a capacity and a price, found none");
    std::sort(cables.begin(), cables.end(), [](const Cable& a, const Cable& b) { return a.capacity < b.capacity; });
    return cables;
}

std::vector<Cable> read_cables(const std::string& path) {
    return parse_cables(formats::file_content(path), formats::source_name(path));
}

}  // namespace neuroprim
