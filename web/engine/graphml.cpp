#include "formats/read/reader.hpp"
#include "formats/read/sniffing.hpp"
#include "neuroprim/error.hpp"

namespace neuroprim::formats {

namespace {

Match recognises(const Sniffed& sniffed) {
    return sniffed.text.content.substr(0, 4096).find("<graphml") != std::string_view::npos ? Match::certain
                                                                                           : Match::no;
}

std::vector<Instance> refuse(const Text&) {
    throw InputError("the page without a server does not read GraphML: neuroprim serve does");
}

}  // namespace

extern const Reader graphml_reader = {"graphml", "GraphML", recognises, refuse};

}  // namespace neuroprim::formats
