#include "harness/show/info_page.hpp"

#include "harness/text/output.hpp"
#include "results/text/text.hpp"

namespace retrial::harness::inline show {
namespace {

Json info_json(const results::StoreInfo& info, const ResultDigest& result,
               const std::vector<results::StudyRow>& studies, const std::string& path) {
  Json by_status = Json::object(), rows = Json::array();
  for (const auto& [status, count] : info.by_status) by_status[status] = count;
  for (const auto& study : studies)
    rows.push_back({{"name", study.name}, {"digest", results::hex(study.digest)}, {"trials", study.trials}});
  return {{"schema", "retrial.info/1"},
          {"store", path},
          {"store_schema", info.schema},
          {"journal_mode", info.journal_mode},
          {"bytes", info.bytes},
          {"studies", rows},
          {"documents", info.documents},
          {"attempts", info.trials},
          {"by_status", by_status},
          {"metrics", info.metrics},
          {"events", info.events},
          {"store_digest", results::hex(info.store_digest)},
          {"outcome_digest", results::hex(info.outcome_digest)},
          {"result_digest", json_of(result)}};
}

report::Facts facts_of(const results::StoreInfo& info, const std::vector<results::StudyRow>& studies) {
  std::vector<std::string> statuses;
  for (const auto& [status, count] : info.by_status) statuses.push_back(std::to_string(count) + " " + status);
  report::Facts out{
      {{"schema", std::to_string(info.schema)},
       {"journal mode", info.journal_mode},
       {"size", bytes_text(static_cast<double>(info.bytes)) + " (" + std::to_string(info.bytes) + " bytes)"},
       {"attempts", std::to_string(info.trials) + (statuses.empty() ? "" : ": " + results::joined(statuses))},
       {"metric values", std::to_string(info.metrics)},
       {"documents", std::to_string(info.documents)},
       {"events", std::to_string(info.events)}}};
  for (const auto& study : studies)
    out.rows.push_back({"study", study.name + " (" + results::hex(study.digest).substr(0, 12) + "), " +
                                     counted(study.trials, "trial")});
  return out;
}

}  // namespace

report::Part info_part(const results::StoreInfo& info, const ResultDigest& result,
                       const std::vector<results::StudyRow>& studies, const std::string& path) {
  report::Table digests{
      .caption =
          "Digests: equal for the store means the same evidence, for the outcomes the same results of one build of "
          "retrial, for the results the same results of any build.",
      .columns = {"", ""},
      .rows = {{"store", results::hex(info.store_digest)},
               {"outcomes", results::hex(info.outcome_digest)},
               {"results", text_of(result)}}};
  return {.section = {{.id = "store", .title = path, .blocks = {facts_of(info, studies), std::move(digests)}}},
          .data = info_json(info, result, studies, path)};
}

}  // namespace retrial::harness::inline show
