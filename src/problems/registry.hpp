#pragma once

#include <memory>

#include "neuroprim/problem.hpp"

namespace neuroprim {

// One line per problem: the function that its file defines. The table that names them is in registry.cpp.
std::unique_ptr<Problem> make_mst(const Instance& instance, const ProblemOptions& options);
std::unique_ptr<Problem> make_dcmst(const Instance& instance, const ProblemOptions& options);
std::unique_ptr<Problem> make_mrcst(const Instance& instance, const ProblemOptions& options);
std::unique_ptr<Problem> make_ocst(const Instance& instance, const ProblemOptions& options);
std::unique_ptr<Problem> make_stp(const Instance& instance, const ProblemOptions& options);
std::unique_ptr<Problem> make_hmst(const Instance& instance, const ProblemOptions& options);

}  // namespace neuroprim
