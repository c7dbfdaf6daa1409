// Expected values: by hand from the grammar KEY OP VALUE joined by "and".
#include "harness/stored/fact_filter.hpp"

#include "results/text/error.hpp"
#include "tests/catch.hpp"

namespace retrial::tests::fact_filter_tests {

using namespace retrial::harness;

namespace {

const Facts facts{{"benchmark", {"sort/1024"}},
                  {"commit", {"c9"}},
                  {"cpu_cores", {"16"}},
                  {"cpu_model", {"Xeon 8481C and more"}},
                  {"kernel", {"6.1", "6.5"}}};

bool fits(const std::string& text) {
  return FactFilter(text, "--where").fits(facts);
}

}  // namespace

TEST_CASE("a filter of a history compares numbers as numbers and all else byte by byte", "[watch]") {
  CHECK(FactFilter().fits(facts));
  CHECK(fits("benchmark = sort/1024"));
  CHECK(!fits("benchmark = sort"));
  CHECK(fits("benchmark ~ sort"));
  CHECK(!fits("benchmark ~ sort/2"));
  CHECK(fits("cpu_cores > 8"));  // as text "16" is before "8"
  CHECK(fits("cpu_cores >= 16.0 and cpu_cores <= 16"));
  CHECK(!fits("cpu_cores < 16"));
  CHECK(fits("commit < d"));
  CHECK(fits("cpu_model != other"));
  CHECK(!fits("cpu_model ~ Xeon and benchmark = x"));
  CHECK(fits("cpu_model = 'Xeon 8481C and more' and commit=c9"));
}

TEST_CASE("a fact with two values fits where one does, and differs where all do", "[watch]") {
  CHECK(fits("kernel = 6.5"));
  CHECK(!fits("kernel != 6.5"));
  CHECK(fits("kernel != 5.0"));
  CHECK(!fits("gpu_model = x"));
  CHECK(!fits("gpu_model != x"));  // not recorded
}

TEST_CASE("a filter that cannot be read is refused with what is allowed", "[watch]") {
  for (const char* text : {"", "sort", "= x", "benchmark = 'x"}) {
    INFO(text);
    CHECK_THROWS_AS(FactFilter(text, "--where"), Error);
  }
  const FactFilter filter("comit = x", "--where");
  try {
    filter.require_known({"benchmark", "commit", "metric"});
    FAIL("an unknown key passed");
  } catch (const Error& error) {
    CHECK(error.text.exit == Exit::usage);
    CHECK(error.text.field == "--where");
    CHECK(error.text.help == "did you mean commit?");
  }
}

}  // namespace retrial::tests::fact_filter_tests
