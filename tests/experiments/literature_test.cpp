#include "experiments/literature.hpp"

#include <gtest/gtest.h>

#include <filesystem>

#include "experiments/published.hpp"
#include "formats/read/reader_support.hpp"
#include "neuroprim/error.hpp"

namespace neuroprim::experiments {
namespace {

const LiteratureTable& table_of(std::string_view problem) {
    for (const LiteratureTable& table : literature_tables()) {
        if (table.name == problem) return table;
    }
    throw std::out_of_range("no such table");
}

template <class Call>
std::string complaint_of(Call&& call) {
    try {
        call();
    } catch (const InputError& error) {
        return error.what();
    }
    return "";
}

/// best_known.csv with these lines, in a folder of its own.
class LiteratureList : public ::testing::Test {
protected:
    [[nodiscard]] std::string complaint(std::string_view problem, const std::string& lines) const {
        const std::string list = folder.file("best_known.csv", "set,instance,problem,parameters,value\n" + lines);
        std::string text = complaint_of([&] { (void)literature_cases(table_of(problem), folder.path()); });
        if (const auto at = text.find(folder.path() + "/"); at == 0) text.erase(0, folder.path().size() + 1);
        return text;
    }

    testing::Folder folder;
};

TEST_F(LiteratureList, NamesWhatIsMissing) {
    EXPECT_EQ(complaint("dcmst", ""), "best_known.csv: no line with set crd, problem dcmst, parameters d=2");
    EXPECT_EQ(complaint("stp", "crd,crd1,dcmst,d=2,3\n"),
              "best_known.csv: no line with set steinlib/P4E, problem stp");
    EXPECT_EQ(complaint("dcmst", "crd,crd1,dcmst,d=2,3\n"), "crd/crd1: the file of crd1 is missing");
    EXPECT_EQ(complaint("mrcst", "estein,e5.2,mrcst,,3\n"), "estein/estein5.txt: the file of e5.2 is missing");
}

TEST_F(LiteratureList, NamesTheLineThatIsBroken) {
    EXPECT_EQ(complaint("dcmst", "\ncrd,crd1,dcmst,d=2,much\n"),
              "best_known.csv:3: expected a number, found \"much\"");
    EXPECT_NE(complaint("dcmst", "crd,crd1,dcmst\n"), "");
    EXPECT_EQ(complaint("mrcst", "estein,steiner5,mrcst,,3\n"),
              "best_known.csv: expected a name like e50.1, found \"steiner5\"");
}

TEST_F(LiteratureList, OtherTablesAndParametersAreLeftOut) {
    std::filesystem::create_directories(folder.path() + "/crd");
    (void)folder.file("crd/crd1", "0 0 3 4\n");
    (void)folder.file("best_known.csv",
                      "problem,set,value,instance,parameters,note\n"
                      "dcmst,crd,4,crd1,d=3,another limit\n"
                      "dcmst,crd,5,crd1,d=2,\n"
                      "mrcst,estein,6,e5.1,,\n");
    const auto cases = literature_cases(table_of("dcmst"), folder.path());
    ASSERT_EQ(cases.size(), 1U);
    EXPECT_EQ(cases[0].best_known, 5);
    const Instance instance = read_case(table_of("dcmst"), cases[0]);
    EXPECT_EQ(instance.name, "crd1");
    EXPECT_EQ(instance.weights(0, 1), 5);
}

TEST_F(LiteratureList, AFileOfSeveralInstancesIsNotOne) {
    const LiteratureCase item{"e3.1", folder.file("two.txt", "2\n2\n0 0\n1 1\n2\n0 0\n1 1\n"), 1};
    const std::string text = complaint_of([&] { (void)read_case(table_of("mrcst"), item); });
    EXPECT_NE(text.find("expected one instance, found 2"), std::string::npos) << text;
}

TEST_F(LiteratureList, WhatThePaperPrintsGoesByTheNamesOfTheInstances) {
    (void)folder.file("table_dcmst.csv",
                      "instance,greedy,greedy_gap_pct,greedy_s,sampling_best,sampling_gap_pct,sampling_s\n"
                      "crd1,4,25.5,0.2,3.5,9.5,2.5\n");
    const auto published = published_results(table_of("dcmst"), folder.path());
    ASSERT_EQ(published.size(), 1U);
    EXPECT_EQ(published.at("crd1").greedy.gap_percent, 25.5);
    EXPECT_EQ(published.at("crd1").sample.seconds, 2.5);
    (void)folder.file("table_dcmst.csv", "instance,greedy\ncrd1,4\n");
    EXPECT_NE(complaint_of([&] { (void)published_results(table_of("dcmst"), folder.path()); }).find("greedy_gap_pct"),
              std::string::npos);
}

}  // namespace
}  // namespace neuroprim::experiments
