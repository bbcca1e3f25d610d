#include "policy/safetensors.hpp"

#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <cstring>
#include <fstream>
#include <functional>
#include <iterator>
#include <limits>

#include "neuroprim/error.hpp"
#include "neuroprim/policy.hpp"
#include "neuroprim/random.hpp"
#include "policy/cases.hpp"
#include "policy/halves.hpp"
#include "policy/kernels/kernels.hpp"
#include "policy/model.hpp"

namespace neuroprim::policy {

namespace {

std::string file_of(const std::string& header, const std::string& numbers) {
    const std::uint64_t size = header.size();
    return std::string(reinterpret_cast<const char*>(&size), 8) + header + numbers;
}

TensorFile parsed(const std::string& bytes) {
    return parse_safetensors(reinterpret_cast<const std::byte*>(bytes.data()), bytes.size(), "w");
}

std::string complaint(const std::function<void()>& action) {
    try {
        action();
    } catch (const InputError& error) {
        return error.what();
    }
    return "nothing was thrown";
}

std::string complaint_about(const std::string& bytes) {
    return complaint([&] { (void)parsed(bytes); });
}

template <class Number>
std::string bytes_of(std::initializer_list<Number> numbers) {
    return {reinterpret_cast<const char*>(numbers.begin()), numbers.size() * sizeof(Number)};
}

/// A file in the temporary folder that goes away with the test.
struct TemporaryFile {
    std::filesystem::path path;
    explicit TemporaryFile(const std::string& name) : path(std::filesystem::path(::testing::TempDir()) / name) {}
    ~TemporaryFile() {
        std::error_code ignored;
        std::filesystem::remove(path, ignored);
    }

    [[nodiscard]] std::string content() const {
        std::ifstream in(path, std::ios::binary);
        return {std::istreambuf_iterator<char>(in), {}};
    }
    void fill(const std::string& bytes) const {
        std::ofstream(path, std::ios::binary).write(bytes.data(), static_cast<std::streamsize>(bytes.size()));
    }
};

TEST(Safetensors, ReadsFloatsAndWidensHalves) {
    const auto file =
        parsed(file_of(R"({"__metadata__":{"a":"b"},"x":{"dtype":"F32","shape":[2],"data_offsets":[0,8]},)"
                       R"("h":{"dtype":"F16","shape":[4],"data_offsets":[8,16]}})",
                       bytes_of<float>({1.5f, -2}) + bytes_of<std::uint16_t>({0x3c00, 0xc100, 0x0001, 0x7bff})));
    EXPECT_EQ(file.metadata.at("a"), "b");
    EXPECT_EQ(file.tensors.at("x").values, (std::vector<float>{1.5f, -2}));
    EXPECT_EQ(file.tensors.at("h").values, (std::vector<float>{1, -2.5f, 0x1.0p-24f, 65504}));
}

TEST(Safetensors, SaysWhatIsWrongWithAFile) {
    const std::string one = bytes_of<float>({1});
    EXPECT_EQ(complaint_about("abc"), "w: 3 bytes long, too short for a safetensors file");
    EXPECT_NE(complaint_about(std::string(8, '\xff') + "{}").find("damaged, cut off, or not"), std::string::npos);
    EXPECT_EQ(complaint_about(file_of("[1]", "")), "w: the header is not a JSON object");
    EXPECT_EQ(complaint_about(file_of("{nonsense", "")), "w: the header is not a JSON object");
    EXPECT_EQ(complaint_about(file_of(R"({"x":{"dtype":"I64","shape":[1],"data_offsets":[0,4]}})", one)),
              "w: tensor x has dtype I64, expected F32 or F16");
    EXPECT_EQ(complaint_about(file_of(R"({"x":{"dtype":"F32","shape":[1],"data_offsets":[0,8]}})", one)),
              "w: tensor x lies at bytes 0 to 8, the file has 4: damaged or cut off");
    EXPECT_EQ(complaint_about(file_of(R"({"x":{"dtype":"F32","shape":[2],"data_offsets":[0,4]}})", one)),
              "w: tensor x takes 4 bytes, its shape and dtype need 8");
    EXPECT_EQ(complaint_about(file_of(R"({"x":{"dtype":"F32","shape":[-1],"data_offsets":[0,4]}})", one)),
              "w: the shape of tensor x is not a natural number");
    // 2⁶⁴ numbers in all, which a product in 64 bits takes for none.
    EXPECT_EQ(complaint_about(
                  file_of(R"({"x":{"dtype":"F32","shape":[2147483648,512,16777216],"data_offsets":[0,0]}})", one)),
              "w: tensor x is too large");
    EXPECT_EQ(complaint_about(
                  file_of(R"({"x":{"dtype":"F32","shape":[0,2147483648,2147483648],"data_offsets":[0,0]}})", one)),
              "nothing was thrown");
    EXPECT_EQ(complaint_about(file_of(R"({"x":{"dtype":"F32","shape":[1]}})", one)),
              "w: tensor x has no pair of data_offsets");
    EXPECT_EQ(complaint_about(file_of(R"({"x":{"dtype":"F32","shape":[1],"data_offsets":[0,4]},)"
                                      R"("y":{"dtype":"F16","shape":[1],"data_offsets":[2,4]}})",
                                      one)),
              "w: tensors x and y overlap");
    const float nan = std::numeric_limits<float>::quiet_NaN();
    EXPECT_EQ(complaint_about(
                  file_of(R"({"x":{"dtype":"F32","shape":[2],"data_offsets":[0,8]}})", bytes_of<float>({1, nan}))),
              "w: tensor x holds nan at position 1");
    EXPECT_EQ(complaint([] { (void)read_safetensors("/no/such/file"); }),
              "/no/such/file: cannot be opened: No such file or directory");
}

TEST(PolicyFile, ComesBackAsItWasSaved) {
    const TemporaryFile file("neuroprim_saved.safetensors");
    PolicyConfig config = testing::small_config(32, 8, 2);
    config.problem = "mrcst";
    config.clip = 7.5;
    config.facts = {{"epochs", "12"}, {"seed", "0"}};
    const Policy policy = Policy::random(config, 9);
    policy.save(file.path);
    const Policy again = Policy::load(file.path);
    EXPECT_EQ(again.config(), config);
    EXPECT_EQ(again.model().tensors(), policy.model().tensors());
}

TEST(PolicyFile, CarriesAChecksumAgainstAccidents) {
    const TemporaryFile file("neuroprim_checked.safetensors");
    const Policy policy = Policy::random(testing::small_config(), 9);
    EXPECT_EQ(policy.checksum(), "");
    policy.save(file.path);
    const Policy good = Policy::load(file.path);
    EXPECT_TRUE(good.checksum().starts_with("crc32 ")) << good.checksum();

    const std::string bytes = file.content();
    std::uint64_t header = 0;
    std::memcpy(&header, bytes.data(), sizeof header);
    const std::size_t numbers = 8 + header;
    const auto complaint_with = [&](std::size_t at, std::size_t count, const std::string& what) {
        std::string bad = bytes;
        bad.replace(at, count, what);
        file.fill(bad);
        const std::string text = complaint([&] { (void)Policy::load(file.path); });
        const auto name = text.find(": ");
        return name == std::string::npos ? text : text.substr(name + 2);
    };
    EXPECT_TRUE(complaint_with(numbers, 8, bytes_of<float>({3e38f, 3e38f})).starts_with("its numbers are damaged"));
    const std::size_t all = bytes.size() - numbers;
    EXPECT_TRUE(complaint_with(numbers, all, std::string(all, '\0')).starts_with("its numbers are damaged"));
    const char flipped = static_cast<char>(bytes.back() ^ 1);
    EXPECT_TRUE(complaint_with(bytes.size() - 1, 1, {flipped}).starts_with("its numbers are damaged"));

    // Files of others have none, and are read all the same.
    const std::string other = "\"cheqsum\" ";  // as long
    EXPECT_EQ(complaint_with(bytes.find("\"checksum\""), other.size(), other), "nothing was thrown");
    EXPECT_EQ(Policy::load(file.path).checksum(), "");
    EXPECT_EQ(Policy::load(file.path).model().tensors(), policy.model().tensors());
}

TEST(PolicyFile, KeepsEveryBitWhenItIsWrittenAsItIsStored) {
    const TemporaryFile file("neuroprim_stored.safetensors");
    const TemporaryFile again("neuroprim_stored_again.safetensors");
    PolicyConfig config = testing::small_config();
    config.d_v = 64;
    for (const Precision precision : {Precision::full, Precision::half}) {
        Policy::random(config, 9).save(file.path, precision);
        Policy::load(file.path).save(again.path, Precision::stored);
        EXPECT_EQ(again.content(), file.content());
    }
}

/// A value by its bits, so that zeros have signs and what is no number is compared too.
std::uint32_t bits_of(float value) {
    return std::bit_cast<std::uint32_t>(value);
}

TEST(Halves, MeanWhatTheirBitsSay) {
    for (std::uint32_t bits = 0; bits < 65536; ++bits) {
        const double sign = bits & 0x8000u ? -1 : 1;
        const int exponent = static_cast<int>(bits >> 10 & 31u);
        const double fraction = (bits & 1023u) / 1024.0;
        const float value = from_half(static_cast<std::uint16_t>(bits));
        if (exponent == 31) {
            EXPECT_EQ(std::isnan(value), fraction > 0);
            EXPECT_EQ(std::isinf(value), fraction == 0);
        } else {
            const double magnitude =
                exponent == 0 ? std::ldexp(fraction, -14) : std::ldexp(1 + fraction, exponent - 15);
            EXPECT_EQ(value, sign * magnitude);
        }
        EXPECT_EQ(std::signbit(value), sign < 0);
    }
}

TEST(Halves, AreWidenedAlikeByEveryInstructionSet) {
    std::vector<std::uint16_t> halves;
    for (std::uint32_t bits = 0; bits < 65536; ++bits) halves.push_back(static_cast<std::uint16_t>(bits));
    for (const Kernels* kernels : available_kernels()) {
        std::vector<float> floats(halves.size(), 1);
        kernels->widen(reinterpret_cast<const std::byte*>(halves.data()), halves.size(), floats.data());
        for (std::size_t k = 0; k < halves.size(); ++k) {
            EXPECT_EQ(bits_of(floats[k]), bits_of(from_half(halves[k]))) << kernels->name << " " << k;
        }
        // Any number of them, from an odd address, and nothing behind the last.
        const std::string shifted = " " + bytes_of<std::uint16_t>({1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13});
        for (std::size_t count = 0; count <= 13; ++count) {
            std::vector<float> some(14, -1);
            kernels->widen(reinterpret_cast<const std::byte*>(shifted.data()) + 1, count, some.data());
            for (std::size_t k = 0; k < 14; ++k) {
                EXPECT_EQ(some[k], k < count ? static_cast<float>(k + 1) * 0x1.0p-24f : -1.0f);
            }
        }
    }
}

TEST(Halves, AreTheNearestToAFloat) {
    for (std::uint32_t bits = 0; bits < 65536; ++bits) {
        const auto half = static_cast<std::uint16_t>(bits);
        const float value = from_half(half);
        if (std::isnan(value)) {
            EXPECT_TRUE(std::isnan(from_half(to_half(value))));
            continue;
        }
        EXPECT_EQ(to_half(value), half);
        // Between this one and the next: the closer, and in the middle the even one.
        if ((half & 0x7fffu) >= 0x7bffu) continue;
        const float next = from_half(static_cast<std::uint16_t>(half + 1));
        const float middle = (value + next) / 2;
        const auto even = static_cast<std::uint16_t>(half + (half & 1u));
        EXPECT_EQ(to_half(middle), even);
        EXPECT_EQ(to_half(std::nextafter(middle, value)), half);
        EXPECT_EQ(to_half(std::nextafter(middle, next)), half + 1);
    }
    EXPECT_EQ(to_half(65519.0f), 0x7bff);
    EXPECT_EQ(to_half(65520.0f), 0x7c00);
    EXPECT_EQ(to_half(-1e30f), 0xfc00);
    EXPECT_EQ(to_half(1e-30f), 0x0000);
}

TEST(PolicyFile, HoldsLargeMatricesInHalfTheSizeIfAsked) {
    const TemporaryFile whole("neuroprim_whole.safetensors");
    const TemporaryFile half("neuroprim_half.safetensors");
    PolicyConfig config = testing::small_config();
    config.d_v = 64;
    config.d_f = 64;
    config.facts = {{"seed", "0"}};
    const Policy policy = Policy::random(config, 9);
    policy.save(whole.path);
    policy.save(half.path, Precision::half);
    EXPECT_LT(half.content().size(), 0.75 * static_cast<double>(whole.content().size()));
    const Policy again = Policy::load(half.path);
    EXPECT_EQ(again.config(), config);
    const auto before = policy.model().tensors();
    for (const auto& [name, tensor] : again.model().tensors()) {
        const bool large = tensor.shape.size() == 2 && tensor.values.size() >= 4096;
        EXPECT_EQ(again.model().stored.tensors.at(name).halved, large) << name;
        for (std::size_t k = 0; k < tensor.values.size(); ++k) {
            const float value = before.at(name).values[k];
            EXPECT_EQ(tensor.values[k], large ? from_half(to_half(value)) : value);
        }
    }
}

TEST(PolicyFile, InHalvesMakesThePolicyThatTheSameNumbersInFloatsMake) {
    const TemporaryFile half("neuroprim_half.safetensors");
    const TemporaryFile whole("neuroprim_whole.safetensors");
    PolicyConfig config = testing::small_config();
    config.d_v = 64;
    config.d_f = 72;  // panels that are not full
    Policy::random(config, 9).save(half.path, Precision::half);
    const Policy a = Policy::load(half.path);
    a.save(whole.path);
    const Policy b = Policy::load(whole.path);
    const AlignedFloats& expected = b.model().prepared.panels;
    const AlignedFloats& found = a.model().prepared.panels;
    ASSERT_EQ(found.size(), expected.size());
    EXPECT_EQ(std::memcmp(found.data(), expected.data(), found.size() * sizeof(float)), 0);
}

TEST(PolicyFile, SharpenedHasLargerQueriesOfVerticesAndEdgesAlone) {
    const Policy plain = Policy::random(testing::small_config(16, 8), 3);
    const Policy sharp = plain.sharpened(1.5).sharpened(2);
    EXPECT_EQ(sharp.config().facts.at("sharpened"), "3");
    const auto before = plain.model().tensors();
    int changed = 0;
    for (const auto& [name, tensor] : sharp.model().tensors()) {
        const bool expected = name.find(".attention.query.") != std::string::npos ||
                              name.find(".edge_attention.query.") != std::string::npos;
        changed += expected ? 1 : 0;
        for (std::size_t k = 0; k < tensor.values.size(); ++k) {
            ASSERT_FLOAT_EQ(tensor.values[k], before.at(name).values[k] * (expected ? 3.0f : 1.0f)) << name;
        }
    }
    EXPECT_EQ(changed, 6);  // weights and biases of two encoder layers and one decoder layer
    EXPECT_THROW((void)plain.sharpened(0), InputError);
}

TEST(PolicyFile, CannotBeSharpenedBeyondTheFloats) {
    EXPECT_THROW((void)Policy::random(testing::small_config(), 9).sharpened(1e39), InputError);
}

TEST(PolicyFile, MeansOfStagesTakeWhatAnEarlierOneDoesNotSeeAsZero) {
    PolicyConfig config = testing::small_config(16, 8);
    const Policy before = Policy::random(config, 3);
    config.features = {"distance"};
    const Policy after = Policy::random(config, 4);
    const Policy mean = after.averaged_with(before, 0.25);
    EXPECT_EQ(mean.config().facts.at("averaged"), "0.25");
    const auto olds = before.model().tensors();
    const auto news = after.model().tensors();
    for (const auto& [name, tensor] : mean.model().tensors()) {
        for (std::size_t k = 0; k < tensor.values.size(); ++k) {
            const float old = olds.contains(name) ? olds.at(name).values[k] : 0;
            ASSERT_NEAR(tensor.values[k], 0.75f * news.at(name).values[k] + 0.25f * old, 1e-6) << name;
        }
    }
    EXPECT_EQ(complaint([&] { (void)before.averaged_with(after, 0.5); }),
              "the policy to average with has a tensor distance.weight, this one has not");
    EXPECT_THROW((void)after.averaged_with(before, 1.5), InputError);
    EXPECT_THROW((void)after.averaged_with(Policy::random(testing::small_config(8, 8), 3), 0.5), InputError);
}

TEST(PolicyFile, RefusesHalvesThatAreNotFinite) {
    const std::string header = R"({"x":{"dtype":"F16","shape":[2],"data_offsets":[0,4]}})";
    EXPECT_EQ(complaint_about(file_of(header, bytes_of<std::uint16_t>({0, 0x7c00}))),
              "w: tensor x holds inf at position 1");
    EXPECT_EQ(complaint_about(file_of(header, bytes_of<std::uint16_t>({0x7c01, 0}))),
              "w: tensor x holds nan at position 0");
    // Every half, at every place of a word, among numbers that are as large as halves become.
    for (std::uint32_t bits = 0; bits < 65536; ++bits) {
        std::vector<std::uint16_t> halves(7, 0x7bff);
        const std::size_t place = bits % 7;
        halves[place] = static_cast<std::uint16_t>(bits);
        StoredTensors some;
        some.tensors["x"] = {{7}, true, reinterpret_cast<const std::byte*>(halves.data()), 7};
        const bool finite = std::isfinite(from_half(halves[place]));
        EXPECT_EQ(complaint([&] { require_finite(some, "w"); }) == "nothing was thrown", finite) << bits;
    }
    TensorFile file;
    file.tensors["x"] = {{64, 64}, std::vector<float>(4096, 1.0f)};
    file.tensors["x"].values[7] = 70000;
    EXPECT_EQ(complaint([&] { write_safetensors("never-written", file, Precision::half); }),
              "never-written: tensor x holds 70000 at position 7, too large for half precision");
    EXPECT_FALSE(std::filesystem::exists("never-written"));
}

TEST(PolicyFile, IsReplacedAsAWhole) {
    const TemporaryFile file("neuroprim_replaced.safetensors");
    file.fill("something else");
    Policy::random(testing::small_config(), 9).save(file.path);
    EXPECT_NO_THROW((void)Policy::load(file.path));
    EXPECT_NE(complaint([] {
                  Policy::random(testing::small_config(), 9).save("/no/such/folder/w");
              }).find("/no/such/folder/w: cannot be written"),
              std::string::npos);
}

/// The complaint about a policy file after something was done to its content.
std::string complaint_after(const std::function<void(TensorFile&)>& change) {
    const TemporaryFile file("neuroprim_changed.safetensors");
    const Policy policy = Policy::random(testing::small_config(), 9);
    TensorFile content{to_metadata(policy.config()), policy.model().tensors()};
    change(content);
    write_safetensors(file.path, content);
    std::string text = complaint([&] { (void)Policy::load(file.path); });
    const auto name = text.find(": ");
    return name == std::string::npos ? text : text.substr(name + 2);
}

TEST(PolicyFile, IsCheckedAgainstItsConfiguration) {
    EXPECT_EQ(complaint_after([](TensorFile& f) { f.tensors.erase("graph.bias"); }), "tensor graph.bias is missing");
    EXPECT_EQ(complaint_after([](TensorFile& f) {
                  f.tensors["more"] = {{1}, {0}};
              }),
              "tensor more is not part of such a policy");
    EXPECT_EQ(complaint_after([](TensorFile& f) {
                  f.tensors["graph.weight"].shape = {32, 16};
              }),
              "tensor graph.weight has shape (32, 16), its configuration says (16, 32)");
    EXPECT_EQ(complaint_after([](TensorFile& f) { f.tensors["encoder_norm.running_var"].values[3] = -1; }),
              "tensor encoder_norm.running_var holds a negative variance");
    EXPECT_EQ(complaint_after([](TensorFile& f) { f.metadata.erase("format"); }),
              "metadata format is missing: not a neuroprim policy");
    EXPECT_EQ(complaint_after([](TensorFile& f) { f.metadata["format"] = "neuroprim-policy-9"; }),
              "metadata format is \"neuroprim-policy-9\", expected neuroprim-policy-1");
    EXPECT_EQ(complaint_after([](TensorFile& f) { f.metadata["heads"] = "many"; }),
              "metadata heads: expected a number, found \"many\"");
    EXPECT_EQ(complaint_after([](TensorFile& f) { f.metadata["heads"] = "3"; }),
              "d_v 32 is not a multiple of heads 3");
    EXPECT_EQ(complaint_after([](TensorFile& f) { f.metadata["d_v"] = "0"; }),
              "d_v is 0, expected a number from 1 to 16384");
    EXPECT_EQ(complaint_after([](TensorFile& f) { f.metadata["attention_size"] = "1"; }),
              "attention_size is 1, expected 0 or a number from 2");
    EXPECT_EQ(complaint_after([](TensorFile& f) { f.metadata["features"] = "degree,rank"; }),
              "feature \"degree\" is unknown to this version");
    EXPECT_EQ(complaint_after([](TensorFile& f) { f.metadata["features"] = "distance,distance"; }),
              "feature \"distance\" is named twice");
    EXPECT_EQ(complaint_after([](TensorFile& f) { f.metadata["features"] = "weights"; }),
              "feature \"weights\" needs feature \"distance\"");
    EXPECT_EQ(complaint_after([](TensorFile& f) { f.metadata["features"] = "distance"; }),
              "tensor distance.weight is missing");
}

TEST(PolicyFile, IsRefusedOrReadWheneverItWasDamagedButNeverCrashes) {
    const TemporaryFile file("neuroprim_damaged.safetensors");
    PolicyConfig config = testing::small_config(2, 1);
    config.d_v = 2;
    config.d_f = 2;
    config.encoder_layers = 1;
    Policy::random(config, 9).save(file.path);
    const std::string good = file.content();
    const auto survives = [&](const std::string& bytes) {
        file.fill(bytes);
        try {
            (void)Policy::load(file.path);
        } catch (const InputError& error) {
            EXPECT_NE(std::string(error.what()).find("neuroprim_damaged.safetensors"), std::string::npos);
            return false;
        }
        return true;
    };
    ASSERT_TRUE(survives(good));
    for (std::size_t size = 0; size < good.size(); size += size < 64 ? 1 : 41) {
        EXPECT_FALSE(survives(good.substr(0, size))) << "cut off after " << size;
    }
    Random random(4);
    for (int trial = 0; trial < 400; ++trial) {
        std::string bad = good;
        const auto at = random.below(trial % 2 ? good.size() : 2000);
        bad[at] = static_cast<char>(bad[at] ^ (1 << random.below(8)));
        (void)survives(bad);
    }
}

}  // namespace

}  // namespace neuroprim::policy
