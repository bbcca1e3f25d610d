#include "train/mix.hpp"

#include <gtest/gtest.h>

#include <set>

#include "neuroprim/error.hpp"

namespace neuroprim::train {
namespace {

std::string complaint_about(const std::string& mix) {
    try {
        (void)parse_mix(mix);
    } catch (const InputError& error) {
        return error.what();
    }
    return "";
}

TEST(Mix, ReadsLimitsWeightsAndWhatIsImitated) {
    const auto kinds =
        parse_mix("hmst hops=2..8 weight=2; dcmst degree=2 weights=straight imitates=paths.safetensors;");
    ASSERT_EQ(kinds.size(), 2U);
    EXPECT_EQ(kinds[0], (SpecificationKind{.preset = "hmst", .hops = {2, 8}, .weight = 2}));
    EXPECT_EQ(kinds[1], (SpecificationKind{
                            .preset = "dcmst", .degree = {2, 2}, .straight = true, .imitates = "paths.safetensors"}));
    EXPECT_EQ(to_text(kinds[0]), "hmst hops=2..8");
    EXPECT_EQ(to_text(kinds[1]), "dcmst degree=2 weights=straight");
}

TEST(Mix, SaysWhatItCannotRead) {
    EXPECT_EQ(complaint_about("mrcst weights=crooked"), "mix: weights: expected straight, found \"crooked\"");
    EXPECT_EQ(complaint_about("hmst hops=4 weight=0"), "mix: weight: expected a positive number, found \"0\"");
    EXPECT_EQ(complaint_about("hmst hop=4"), "mix: unknown limit \"hop\"");
    EXPECT_EQ(complaint_about(" ; "), "mix: expected specifications such as \"hmst hops=2..8; cmst capacity=5..20\"");
}

TEST(Mix, DrawsEveryKindAndEveryLimit) {
    const auto kinds = parse_mix("hmst hops=2..4; mrcst weights=straight imitates=teacher.safetensors");
    std::set<std::int64_t> hops;
    int imitating = 0;
    for (std::uint64_t number = 0; number < 100; ++number) {
        const BatchRules drawn = draw_rules(kinds, 5, number);
        if (drawn.kind.imitates.empty()) hops.insert(drawn.rules.hop_limit);
        EXPECT_EQ(drawn.kind.straight, !drawn.kind.imitates.empty());
        imitating += drawn.kind.imitates.empty() ? 0 : 1;
    }
    EXPECT_EQ(hops, (std::set<std::int64_t>{2, 3, 4}));
    EXPECT_GT(imitating, 25);
    EXPECT_LT(imitating, 75);
}

TEST(Mix, SpareRoomOfBranchesIsDrawnWhereItIsGiven) {
    const auto kinds = parse_mix("tree degree=5 capacity=2 spare=2..30; hmst hops=4");
    std::set<double> capacities;
    for (std::uint64_t number = 0; number < 200; ++number) {
        const BatchRules drawn = draw_rules(kinds, 5, number);
        if (drawn.rules.hop_limit > 0) {
            EXPECT_EQ(drawn.spare, usual_spare);
        } else {
            capacities.insert(feasible(drawn.rules, 50, 1, drawn.spare).capacity);
        }
    }
    EXPECT_EQ(capacities, (std::set<double>{10, 11, 12, 13}));  // 49 vertices in five branches
}

}  // namespace
}  // namespace neuroprim::train
