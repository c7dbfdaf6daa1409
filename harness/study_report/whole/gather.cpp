#include <algorithm>
#include <array>
#include <cstdlib>

#include "harness/study_report/parts/parts.hpp"
#include "harness/study_report/provenance/provenance.hpp"
#include "harness/study_report/whole/contributed.hpp"
#include "harness/study_report/whole/formats.hpp"
#include "harness/text/output.hpp"
#include "harness/text/version.hpp"
#include "results/text/error.hpp"
#include "results/text/text.hpp"

namespace retrial::harness::inline study_report::inline whole {
namespace {

/// The order of a report; a part is one function and one row. The workload's parts come between the two lists.
constexpr std::array parts_before_workload{
    evidence_part, design_part, registered_claims_part, family_part, pairs_part, distributions_part,
    curves_part,   time_part,   sources_part,           profile_part};
constexpr std::array parts_after_workload{metrics_part,       failures_part,  environment_part,
                                          configuration_part, reproduce_part, digests_part};

void add(Part part, report::Report& to) {
  if (part.section) to.sections.push_back(std::move(*part.section));
  to.data.update(part.data);
}

constexpr std::int64_t last_second = 253'402'300'799;  // 9999-12-31

/// https://reproducible-builds.org/specs/source-date-epoch: where it is set, every output carries this time.
std::optional<std::int64_t> source_date_epoch() {
  const char* text = std::getenv("SOURCE_DATE_EPOCH");
  if (text == nullptr || *text == '\0') return {};
  const auto seconds = results::parse_int(text);
  if (seconds && *seconds >= 0 && *seconds <= last_second) return *seconds * 1'000'000'000;
  throw Error({.code = "report.source_date_epoch",
               .field = "SOURCE_DATE_EPOCH",
               .value = results::one_line(text, 100),
               .problem = "not a number of seconds since 1970",
               .allowed = "0 to " + std::to_string(last_second)});
}

/// Never the clock: SOURCE_DATE_EPOCH, else the start of the newest attempt.
std::string date_of(const Material& material) {
  if (const auto given = source_date_epoch()) return utc_text(*given);
  if (material.attempts.empty()) return "no trial yet";
  const auto newest = std::max_element(material.attempts.begin(), material.attempts.end(),
                                       [](const auto& a, const auto& b) { return a.started_ns < b.started_ns; });
  return utc_text(newest->started_ns);
}

}  // namespace

report::Report gather_report(const Material& material) {
  report::Report out{.title = "",
                     .date = date_of(material),
                     .generator = version_line(),
                     .banner = banner_of(material),
                     .sections = {},
                     .data = {}};
  out.title = out.banner.headline() + " - " + material.study.name;
  out.data = {{"schema", "retrial.report/1"}, {"generator", out.generator},          {"date", out.date},
              {"study", material.study.name}, {"workload", material.study.workload}, {"store", material.file},
              {"word", out.banner.word},      {"headline", out.banner.headline()},   {"sentence", out.banner.sentence},
              {"meaning", out.banner.meaning}};
  for (const auto part : parts_before_workload) add(part(material), out);
  for (Part& part : contributed_parts(material)) add(std::move(part), out);
  for (const auto part : parts_after_workload) add(part(material), out);
  return out;
}

}  // namespace retrial::harness::inline study_report::inline whole
