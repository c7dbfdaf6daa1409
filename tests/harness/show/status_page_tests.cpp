#include "harness/show/status_page.hpp"

#include "harness/text/section_text.hpp"
#include "tests/catch.hpp"

namespace retrial::tests::status_page_tests {

using namespace retrial;
using namespace retrial::harness;

namespace {

/// One trial of each of two variants is done, after 1 s and 3 s; the others are missing.
StudyStatus half_done(std::size_t launches) {
  StudyStatus status{.study = {}, .store = "s.db", .trials = {}};
  Progress total{.name = "all"};
  for (const std::int64_t seconds : {1, 3}) {
    Progress variant{.name = seconds == 1 ? "a" : "b", .walls_ns = {seconds * 1'000'000'000}};
    variant.counts[static_cast<std::size_t>(TrialState::done)] = 1;
    variant.counts[static_cast<std::size_t>(TrialState::missing)] = 1;
    for (std::size_t i = 0; i < total.counts.size(); ++i) total.counts[i] += variant.counts[i];
    total.walls_ns.push_back(variant.walls_ns.front());
    status.variants.push_back(std::move(variant));
  }
  status.total = total;
  status.launches = launches;
  return status;
}

std::string page(const StudyStatus& status, bool watched) {
  return section_text(*status_part(status, watched).section);
}

}  // namespace

TEST_CASE("a page that is watched does not recommend to watch it") {
  CHECK_THAT(page(half_done(1), false), has_text("retrial status s.db --watch"));
  CHECK_THAT(page(half_done(1), true), !has_text("next"));
  CHECK_THAT(page(half_done(0), true), has_text("repeat the same retrial run command"));
}

TEST_CASE("variants of different length have a median each and none together") {
  const auto text = page(half_done(0), false);
  CHECK_THAT(text, has_text("1.0 s"));
  CHECK_THAT(text, has_text("3.0 s"));
  const auto all = text.substr(text.find("\n  all"));
  CHECK_THAT(all.substr(0, all.find('\n', 1)), has_text(" -"));
}

}  // namespace retrial::tests::status_page_tests
