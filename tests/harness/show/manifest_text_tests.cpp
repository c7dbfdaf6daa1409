#include "harness/show/manifest_text.hpp"

#include "results/json/json.hpp"
#include "tests/catch.hpp"

namespace retrial::tests::manifest_text_tests {

using namespace retrial;
using harness::readable_manifest;

TEST_CASE("keys that are doubles and seeds show their decimal value beside their bits") {
  // IEEE 754: 0.05 is 3fa999999999999a; 0x2a is 42.
  const auto shown = readable_manifest(Json::parse(R"({
    "trial": {"workload": "null"},
    "inputs": {"values": {"sd": "3fa999999999999a", "epochs": 3, "unknown": "3fa999999999999a"}},
    "randomness": {"root": "000000000000002a", "sources": {"noise": {"seed": "ffffffffffffffff", "pair": 1}}}})"));
  CHECK(shown["inputs"]["values"]["sd"] == "3fa999999999999a = 0.05");
  CHECK(shown["inputs"]["values"]["epochs"] == 3);
  CHECK(shown["inputs"]["values"]["unknown"] == "3fa999999999999a");
  CHECK(shown["randomness"]["root"] == "000000000000002a = 42");
  CHECK(shown["randomness"]["sources"]["noise"]["seed"] == "ffffffffffffffff = 18446744073709551615");
}

TEST_CASE("a manifest without these groups, or of an unknown workload, stays as it is") {
  for (const char* text : {"{}", R"({"trial": {"workload": "none"}, "inputs": {"values": {"sd": "3fa999999999999a"}}})",
                           R"({"randomness": {"root": "x"}})"})
    CHECK(readable_manifest(Json::parse(text)) == Json::parse(text));
}

}  // namespace retrial::tests::manifest_text_tests
