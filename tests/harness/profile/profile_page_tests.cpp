// The page of a profile whose runs are written by hand.
#include "harness/profile/profile_page.hpp"

#include <algorithm>

#include "tests/catch.hpp"

namespace retrial::tests::profile_page_tests {

using namespace retrial::harness;

namespace {

ProfiledVariant profiled(std::optional<profiler::GpuUse> first, std::optional<profiler::GpuUse> second) {
  ProfiledVariant out{.name = "agent"};
  for (const auto& gpu : {first, second}) {
    profiler::RunProfile run{.region_ns = 1'000'000, .iterations = 1};
    run.table[{.operations = {"train"}, .categories = profiler::bit_of(profiler::Category::app)}] = 1'000'000;
    out.off.push_back(run);
    run.gpu = gpu;
    out.full.push_back(run);
    out.validation.slow_downs.push_back(1);
    out.validation.biases.push_back(0);
  }
  return out;
}

/// Value and detail of a row of the page; empty where it has none.
std::string row(const ProfiledVariant& variant, const std::string& name) {
  const auto part = profile_part({.study = "s", .workload = "w", .seed = "1", .mode = "m"}, {variant});
  for (const report::Block& block : part.section->blocks)
    if (const auto* facts = std::get_if<report::Facts>(&block))
      for (const auto& fact : facts->rows)
        if (fact.name == name) return fact.value + ", " + fact.detail;
  return "";
}

}  // namespace

TEST_CASE("a page says how long the kernels of a GPU ran, and what a tool that samples would see") {
  CHECK(row(profiled(profiler::GpuUse{.01, 1}, profiler::GpuUse{.02, .5}), "GPU busy") ==
        "1.50 %, of the time, by its kernels; a tool that samples it sees 75.0 %");
  CHECK(row(profiled(profiler::GpuUse{.01, 1}, std::nullopt), "GPU busy").empty());
  CHECK(row(profiled(std::nullopt, std::nullopt), "GPU busy").empty());
}

}  // namespace retrial::tests::profile_page_tests
