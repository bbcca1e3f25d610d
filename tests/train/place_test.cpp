#include <gtest/gtest.h>

#include <map>

#include "neuroprim/error.hpp"
#include "train/distributed.hpp"

namespace neuroprim::train {
namespace {

Place place_in(const std::map<std::string, std::string>& variables) {
    return find_place([&](const std::string& name) -> std::optional<std::string> {
        const auto found = variables.find(name);
        if (found == variables.end()) return std::nullopt;
        return found->second;
    });
}

TEST(Place, IsAloneWithoutALauncher) {
    const Place place = place_in({{"PATH", "/bin"}});
    EXPECT_EQ(place.rank, 0);
    EXPECT_EQ(place.size, 1);
}

TEST(Place, FollowsTorchrun) {
    const Place place = place_in({{"RANK", "5"},
                                  {"WORLD_SIZE", "8"},
                                  {"LOCAL_RANK", "1"},
                                  {"MASTER_ADDR", "head"},
                                  {"MASTER_PORT", "1234"},
                                  {"TORCHELASTIC_USE_AGENT_STORE", "True"}});
    EXPECT_EQ(place.rank, 5);
    EXPECT_EQ(place.size, 8);
    EXPECT_EQ(place.local_rank, 1);
    EXPECT_EQ(place.address, "head");
    EXPECT_EQ(place.port, 1234);
    EXPECT_TRUE(place.store_runs);
}

TEST(Place, FollowsOpenMpiAndPmi) {
    const Place open_mpi =
        place_in({{"OMPI_COMM_WORLD_RANK", "1"}, {"OMPI_COMM_WORLD_SIZE", "2"}, {"OMPI_COMM_WORLD_LOCAL_RANK", "1"}});
    EXPECT_EQ(open_mpi.rank, 1);
    EXPECT_EQ(open_mpi.local_rank, 1);
    EXPECT_EQ(place_in({{"PMI_RANK", "2"}, {"PMI_SIZE", "3"}}).rank, 2);
}

TEST(Place, FollowsSlurmInsideSrunOnly) {
    const Place place = place_in({{"SLURM_PROCID", "3"},
                                  {"SLURM_STEP_NUM_TASKS", "4"},
                                  {"SLURM_LOCALID", "1"},
                                  {"SLURM_STEP_NODELIST", "gpu[07-08]"},
                                  {"SLURM_JOB_ID", "20001"}});
    EXPECT_EQ(place.rank, 3);
    EXPECT_EQ(place.size, 4);
    EXPECT_EQ(place.address, "gpu07");
    EXPECT_EQ(place.port, 20001);
    EXPECT_EQ(place_in({{"SLURM_PROCID", "0"}, {"SLURM_NTASKS", "4"}}).size, 1);
}

TEST(Place, RefusesNonsense) {
    EXPECT_THROW((void)place_in({{"RANK", "2"}, {"WORLD_SIZE", "2"}}), InputError);
    EXPECT_THROW((void)place_in({{"RANK", "one"}, {"WORLD_SIZE", "2"}}), InputError);
}

TEST(Place, FirstHostOfSlurmLists) {
    EXPECT_EQ(first_host("alone"), "alone");
    EXPECT_EQ(first_host("a,b"), "a");
    EXPECT_EQ(first_host("node[07-09,12],other"), "node07");
    EXPECT_EQ(first_host("node[3,5]"), "node3");
    EXPECT_EQ(first_host("first,node[3,5]"), "first");
}

}  // namespace
}  // namespace neuroprim::train
