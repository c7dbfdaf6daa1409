#include "tests/catch.hpp"

#include "results/record/manifest_split.hpp"
#include "results/text/error.hpp"
#include "tests/results/store/fixtures.hpp"

namespace retrial::tests::manifest_split_tests {

using namespace retrial;
using namespace retrial::results;

TEST_CASE("base and delta of the specification merge to its manifest") {
  // Reference value 16.1 of the specification of results.
  const Json base = parse_json(R"({"cpu":"x","threads":{"inter":1,"intra":2}})", "base");
  const Json delta = parse_json(R"({"load":"3fe0000000000000"})", "delta");
  CHECK(hex(digest_of(merged(base, delta))) == "d1357be8e2036a773765989f5501b5c0416507497cf4c3dffe2225b82199ce09");
}

TEST_CASE("merging goes into objects and takes anything else from the delta") {
  CHECK(merged({{"a", {{"b", 1}, {"c", {1, 2}}}}}, {{"a", {{"c", {3}}, {"d", nullptr}}}}) ==
        Json({{"a", {{"b", 1}, {"c", Json::array({3})}, {"d", nullptr}}}}));
  CHECK(merged(Json::object(), {{"a", 1}}) == Json({{"a", 1}}));
  CHECK(merged({{"a", {{"b", 1}}}}, {{"a", 2}}) == Json({{"a", 2}}));
}

TEST_CASE("fields of one trial go to the delta, the others are shared") {
  const Json manifest = sample_manifest(3);
  const SplitManifest split = split_manifest(manifest);
  CHECK(split.base.contains("machine"));
  CHECK(split.base.contains("libraries"));
  CHECK_FALSE(split.base.contains("randomness"));
  CHECK_FALSE(split.base.contains("volatile"));
  CHECK(split.delta.size() == 2);
  CHECK(merged(split.base, split.delta) == manifest);
  CHECK(split_manifest(sample_manifest(4)).base == split.base);
}

TEST_CASE("empty groups and manifests survive the split") {
  for (const Json& manifest :
       {Json::object(), Json{{"trial", Json::object()}}, Json{{"machine", Json::object()}, {"evidence", nullptr}}})
    CHECK(merged(split_manifest(manifest).base, split_manifest(manifest).delta) == manifest);
}

TEST_CASE("a delta that does not fit its row goes to the base") {
  const Json manifest = {{"machine", {{"os", "x"}}}, {"evidence", {{"log", std::string(70000, 'x')}}}};
  const SplitManifest split = split_manifest(manifest);
  CHECK(split.base == manifest);
  CHECK(split.delta == Json::object());
}

TEST_CASE("a manifest is an object") {
  CHECK_THROWS_AS(split_manifest(Json::array()), Error);
}

TEST_CASE("environment columns are read from the base, and missing fields are unknown") {
  const EnvironmentColumns full = environment_columns(split_manifest(sample_manifest(0)).base);
  CHECK(full.cpu_model == "Example CPU");
  CHECK(full.cpu_cores == 2);
  CHECK(full.isa == "AVX2");
  CHECK(full.governor == "performance");
  CHECK(full.os == "Debian 12");
  CHECK(full.kernel == "6.1");
  CHECK(full.torch_version == "2.11.0");
  CHECK(full.cuda_version == "13.0");
  CHECK(full.gpu_model == "Example GPU");
  const EnvironmentColumns none = environment_columns(Json::object());
  CHECK(none.cpu_model == "unknown");
  CHECK(none.cpu_cores == 0);
  CHECK_FALSE(none.governor);
  CHECK(environment_columns({{"machine", 5}}) == none);
}

TEST_CASE("the stratum is the hardware class, not the software") {
  Json base = split_manifest(sample_manifest(0)).base;
  const Digest stratum = environment_columns(base).stratum;
  base["libraries"]["torch"] = "2.12.0";
  CHECK(environment_columns(base).stratum == stratum);
  base["machine"]["governor"] = "powersave";
  CHECK(environment_columns(base).stratum != stratum);
}

}  // namespace retrial::tests::manifest_split_tests
