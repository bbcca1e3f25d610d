#include "policy/safetensors.hpp"

#include <gtest/gtest.h>

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
    EXPECT_EQ(again.model().tensors, policy.model().tensors);
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
    TensorFile content{to_metadata(policy.config()), policy.model().tensors};
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
