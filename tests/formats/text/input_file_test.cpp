#include <gtest/gtest.h>
#include <zlib.h>

#include <limits>

#include "formats/read/reader_support.hpp"
#include "formats/text/byte_limit.hpp"
#include "formats/text/gzip.hpp"
#include "formats/text/input_file.hpp"
#include "neuroprim/error.hpp"

namespace neuroprim::formats {
namespace {

using testing::Folder;

std::string gzip(std::string_view text) {
    z_stream stream{};
    EXPECT_EQ(deflateInit2(&stream, 9, Z_DEFLATED, 15 + 16, 9, Z_DEFAULT_STRATEGY), Z_OK);
    std::string packed(deflateBound(&stream, text.size()) + 64, '\0');
    stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(text.data()));
    stream.avail_in = static_cast<uInt>(text.size());
    stream.next_out = reinterpret_cast<Bytef*>(packed.data());
    stream.avail_out = static_cast<uInt>(packed.size());
    EXPECT_EQ(deflate(&stream, Z_FINISH), Z_STREAM_END);
    packed.resize(packed.size() - stream.avail_out);
    deflateEnd(&stream);
    return packed;
}

std::string refusal(std::string_view bytes, std::size_t most = default_max_input) {
    try {
        static_cast<void>(unpacked(bytes, "file.gz", most));
    } catch (const InputError& error) {
        return error.what();
    }
    return {};
}

std::string long_text() {
    std::string text;
    for (long i = 0; i < 300000; ++i) text += std::to_string(i * i % 1000) + (i % 2 == 0 ? " " : "\n");
    return text;
}

TEST(Gzip, UnpacksWhatWasPacked) {
    for (const std::string& text : {std::string(), std::string("1 2\n"), long_text()}) {
        EXPECT_TRUE(is_gzip(gzip(text)));
        EXPECT_EQ(unpacked(gzip(text), "file.gz", default_max_input), text);
    }
    EXPECT_GT(long_text().size(), std::size_t{1} << 20);  // more than one portion
}

TEST(Gzip, UnpacksJoinedFilesAndIgnoresFilledUpBlocks) {
    EXPECT_EQ(unpacked(gzip("1 2\n") + gzip("3 4\n"), "file.gz", default_max_input), "1 2\n3 4\n");
    EXPECT_EQ(unpacked(gzip("1 2\n") + std::string(500, '\0'), "file.gz", default_max_input), "1 2\n");
    EXPECT_EQ(refusal(gzip("1 2\n") + "more"),
              "file.gz: the gzip file is corrupt (something else follows after its end)");
}

TEST(Gzip, NoticesEveryCutAndEveryChange) {
    const std::string text = "0 0\n3 0\n3 4\n0 4\n1 1\n2 2\n";
    const std::string packed = gzip(text);
    for (std::size_t size = 2; size < packed.size(); ++size) {
        EXPECT_EQ(refusal(packed.substr(0, size)), "file.gz: the gzip file is cut off") << size;
    }
    // Behind the ten bytes of the header, which say little that matters.
    for (std::size_t i = 10; i < packed.size(); ++i) {
        std::string changed = packed;
        changed[i] = static_cast<char>(changed[i] ^ 0x10);
        // A bit that only fills up a byte may change.
        if (refusal(changed).empty()) {
            EXPECT_EQ(unpacked(changed, "file.gz", default_max_input), text) << i;
        }
    }
}

TEST(Gzip, StopsAtTheLargestSize) {
    const std::string packed = gzip(std::string(5'000'000, '1'));
    EXPECT_EQ(unpacked(packed, "file.gz", 5'000'000).size(), 5'000'000U);
    EXPECT_EQ(refusal(packed, 4'999'999), "file.gz: the file unpacks to more than 4999999 bytes");
    EXPECT_EQ(refusal(packed, 10), "file.gz: the file unpacks to more than 10 bytes");
}

std::string refusal_of(const std::string& path, std::size_t max_input) {
    try {
        static_cast<void>(read_instances(path, ReadOptions{"", max_input, {}}));
    } catch (const TooLarge& error) {
        return error.what();
    }
    return {};
}

TEST(InputFile, StopsAtTheLimitAndNamesTheFile) {
    const Folder folder;
    const std::string text = "x,y\n1,2\n3,4\n";
    const std::string plain = folder.file("points.csv", text);
    EXPECT_EQ(refusal_of(plain, text.size()), "");
    EXPECT_EQ(refusal_of(plain, 11), plain + ": holds more than 11 bytes: --max-input moves this limit");
    const std::string packed = folder.file("points.gz", gzip(text + std::string(5 << 20, '\n')));
    EXPECT_EQ(refusal_of(packed, 6 << 20), "");
    EXPECT_EQ(refusal_of(packed, 5 << 20), packed + ": holds more than 5 MiB: --max-input moves this limit");
    EXPECT_EQ(refusal_of(plain, std::numeric_limits<std::size_t>::max()), "");
}

TEST(InputFile, DevicesWithoutEndAreNotReadToTheLimit) {
    try {
        static_cast<void>(read_instances("/dev/zero"));
        FAIL();
    } catch (const UnknownFormat& error) {
        EXPECT_STREQ(error.what(), "/dev/zero: holds NUL bytes, so it is no text, or none in UTF-8");
    }
    EXPECT_NE(testing::refusal(std::string_view("x\0,\0y\0\n\0", 8)), "");  // UTF-16 without its mark
    EXPECT_EQ(testing::refusal("\xff\xfex"), "file: the text is UTF-16: save it as UTF-8");
}

TEST(ByteLimit, GrowingNeverMovesMoreThanHalfOfTheLimit) {
    constexpr std::size_t limit = 100'001;
    std::string content;
    for (std::size_t size = 100; size <= limit; size += 100) {
        const std::size_t before = content.capacity();
        grow(content, size, limit);
        if (content.capacity() != before) {
            EXPECT_LE(before, limit / 2);
        }
    }
    EXPECT_EQ(readable_bytes(std::size_t{3} << 30), "3 GiB");
    EXPECT_EQ(readable_bytes(1000), "1000 bytes");
}

TEST(InputFile, IsUnpackedWhateverItsName) {
    const Folder folder;
    for (const auto* name : {"points.csv.gz", "points.csv", "points"}) {
        const auto instances = read_instances(folder.file(name, gzip("x,y\n1,2\n3,4\n")));
        ASSERT_EQ(instances.size(), 1U);
        EXPECT_EQ(instances[0].name, "points");
        EXPECT_EQ(instances[0].size(), 2);
    }
    EXPECT_EQ(testing::read_one(gzip("x,y\n1,2\n")).size(), 1);
}

TEST(InputFile, NamesTheInstanceWithoutFolderAndEnding) {
    const std::pair<const char*, const char*> names[] = {
        {"folder/points.csv", "points"},     {"crd300", "crd300"}, {"a.b.tsp.gz", "a.b"}, {"e50.1", "e50.1"},
        {"../x.y/points.geojson", "points"}, {"stdin", "stdin"}};
    for (const auto& [source, name] : names) {
        EXPECT_EQ(TextFile("1 2", source).text().name, name) << source;
    }
}

TEST(InputFile, SaysWhyItCannotBeRead) {
    const Folder folder;
    const auto message = [](const std::string& path) {
        try {
            static_cast<void>(read_instances(path));
        } catch (const InputError& error) {
            return std::string(error.what());
        }
        return std::string();
    };
    EXPECT_EQ(message(folder.path() + "/none.csv"),
              folder.path() + "/none.csv: cannot read: No such file or directory");
    EXPECT_EQ(message(folder.path()), folder.path() + ": cannot read: Is a directory");
    EXPECT_EQ(message(folder.file("empty.csv", "")), folder.path() + "/empty.csv: the file is empty");
}

TEST(InputFile, ErrorsCarryThePathAndTheLine) {
    const Folder folder;
    const std::string path = folder.file("points.csv", "x,y\n1,2\n3,z\n");
    try {
        static_cast<void>(read_instances(path));
        FAIL();
    } catch (const InputError& error) {
        EXPECT_EQ(error.what(), path + ":3: expected a number, found \"z\"");
    }
}

}  // namespace
}  // namespace neuroprim::formats
