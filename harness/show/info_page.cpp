#include "harness/show/info_page.hpp"

#include "harness/text/colour.hpp"
#include "harness/text/output.hpp"
#include "harness/text/table.hpp"
#include "results/text/text.hpp"

namespace retrial::harness::inline show {

Json info_json(const results::StoreInfo& info, const std::vector<results::StudyRow>& studies, const std::string& path) {
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
          {"outcome_digest", results::hex(info.outcome_digest)}};
}

std::string info_page(const results::StoreInfo& info, const std::vector<results::StudyRow>& studies,
                      const std::string& path) {
  std::vector<std::string> statuses;
  for (const auto& [status, count] : info.by_status) statuses.push_back(std::to_string(count) + " " + status);
  TextTable table({{""}, {""}});
  table.add({"schema", std::to_string(info.schema)});
  table.add({"journal mode", info.journal_mode});
  table.add({"size", bytes_text(static_cast<double>(info.bytes)) + " (" + std::to_string(info.bytes) + " bytes)"});
  table.add({"attempts", std::to_string(info.trials) + (statuses.empty() ? "" : ": " + results::joined(statuses))});
  table.add({"metric values", std::to_string(info.metrics)});
  table.add({"documents", std::to_string(info.documents)});
  table.add({"events", std::to_string(info.events)});
  table.add({"store digest", results::hex(info.store_digest)});
  table.add({"outcome digest", results::hex(info.outcome_digest)});
  for (const auto& study : studies)
    table.add({"study",
               study.name + " (" + results::hex(study.digest).substr(0, 12) + "), " + counted(study.trials, "trial")});
  return bold(path) + "\n" + table.text(2, terminal_width()) +
         "\nEqual store digests mean the same evidence, equal outcome digests the same results.\n";
}

}  // namespace retrial::harness::inline show
