#include <future>
#include <iostream>

#include "harness/command_line/command.hpp"
#include "harness/stored/result_digest.hpp"
#include "harness/stored/store_choice.hpp"
#include "harness/stored/trial_audits.hpp"
#include "harness/text/colour.hpp"
#include "harness/text/output.hpp"
#include "harness/text/table.hpp"
#include "results/text/error.hpp"
#include "results/text/text.hpp"

namespace retrial::harness::inline commands {
namespace {

using Findings = std::optional<std::vector<AuditedTrial>>;

Json findings_json(const std::vector<AuditedTrial>& findings) {
  Json out = Json::array();
  for (const auto& [study, trial, finding] : findings)
    out.push_back({{"kind", finding.kind},
                   {"study", study},
                   {"trial", trial},
                   {"subject", finding.subject},
                   {"compared", finding.compared}});
  return out;
}

Json verify_document(const results::StoreInfo& info, const ResultDigest& result,
                     const std::vector<results::Damage>& damages, const Findings& findings,
                     const std::optional<results::Digest>& expected) {
  Json rows = Json::array();
  for (const auto& damage : damages)
    rows.push_back({{"table", damage.table}, {"row", damage.row}, {"problem", damage.problem}});
  Json out{{"schema", "retrial.verify/1"},
           {"ok", damages.empty() && (!findings || findings->empty()) && (!expected || *expected == info.store_digest)},
           {"documents", info.documents},
           {"trials", info.trials},
           {"metrics", info.metrics},
           {"events", info.events},
           {"store_digest", results::hex(info.store_digest)},
           {"outcome_digest", results::hex(info.outcome_digest)},
           {"result_digest", json_of(result)},
           {"damaged", rows}};
  if (findings) out["findings"] = findings_json(*findings);
  if (expected) out["expected_store_digest"] = results::hex(*expected);
  return out;
}

void print_damages(const std::string& path, const std::vector<results::Damage>& damages) {
  TextTable table({{"table"}, {"row"}, {"problem"}});
  for (const auto& damage : damages)
    table.add({damage.table, results::one_line(damage.row, 80), results::one_line(damage.problem, 400)});
  std::cout << path << ": " << damages.size() << (damages.size() == 1 ? " row is" : " rows are") << " damaged\n\n"
            << table.text(2, terminal_width())
            << "\nThese rows are not what was stored. Everything else was recomputed and agrees.\n"
               "next: restore the file from a copy, or run the study again into a new store\n";
}

void print_sound(const std::string& path, const results::StoreInfo& info, const ResultDigest& result, bool full) {
  std::cout << path << ": every digest agrees (" << counted(info.documents, "document") << ", "
            << counted(info.trials, "attempt") << ", " << counted(info.metrics, "metric value") << ", "
            << counted(info.events, "event") << ")\n"
            << "store digest    " << results::hex(info.store_digest) << "\n"
            << "outcome digest  " << results::hex(info.outcome_digest) << "\n"
            << "result digest   " << text_of(result) << "\n";
  if (!full) std::cout << "--full also checks the structure of the SQLite file and audits every trial.\n";
}

void print_findings(const std::string& path, const std::vector<AuditedTrial>& findings) {
  TextTable table({{"audit"}, {"study"}, {"trial"}, {"problem"}});
  for (const auto& [study, trial, finding] : findings)
    table.add({finding.kind, results::one_line(study, 80), trial,
               results::one_line(finding.subject + ": " + finding.compared, 400)});
  std::cout
      << path << ": " << counted(static_cast<std::int64_t>(findings.size()), "finding")
      << " in trials that are stored exactly as recorded\n\n"
      << table.text(2, terminal_width())
      << "\nEvery digest agrees, but the recorded results break rules of their workload.\n"
         "next: do not use these trials; find out what recorded them, then run the study again into a new store\n";
}

/// The digest that was noted where a run ended: what no digest within a file can see, another file in its place.
std::optional<results::Digest> expected_digest(const Arguments& arguments) {
  const auto given = arguments.value("expect");
  if (!given) return std::nullopt;
  const auto bytes = results::bytes_from_hex(*given);
  if (bytes && bytes->size() == sizeof(results::Digest)) return results::digest_from_hex(*given, "--expect");
  throw Error({.code = "usage.option_value",
               .field = "--expect",
               .value = *given,
               .problem = "is not a store digest",
               .allowed = "64 hex digits, as retrial run prints them at its end"});
}

void print_unexpected(const std::string& path, const results::Digest& expected, const results::StoreInfo& info) {
  std::cout << path << ": every digest agrees, but this is not the expected store\n"
            << "expected        " << results::hex(expected) << "\n"
            << "store digest    " << results::hex(info.store_digest) << " (" << counted(info.trials, "attempt") << ")\n"
            << "Attempts were added or taken away since that digest was printed, or it is another file.\n"
               "next: restore the file from a copy; if trials were added by retrial run, note the digest that it "
               "printed then\n";
}

/// Two fifths of the work of verify, in a thread and a connection of its own. Of a damaged store the answer, which may
/// be an exception, is not looked at.
ResultDigest read_result_digest(const std::filesystem::path& path) {
  const results::Store store = open_for_reading(path);
  ResultDigest result;
  store.at_once([&] { result = result_digest_of(store); });
  return result;
}

int run_verify(const Arguments& arguments) {
  const auto expected = expected_digest(arguments);
  const StoreChoice choice = store_choice(arguments, {.usage = "verify [STORE]"});
  const results::Store store = open_for_reading(choice.path);
  auto computed = std::async(std::launch::async, read_result_digest, choice.path);
  const auto damages = store.verify(arguments.has("full"));
  const auto info = store.info();
  computed.wait();
  const auto result = damages.empty() ? computed.get() : ResultDigest{{}, "the store is damaged"};
  Findings findings;  // damaged trials are not audited
  if (arguments.has("full") && damages.empty()) findings = audited(store);
  const bool other = expected && *expected != info.store_digest;
  if (arguments.has("json"))
    print_json(verify_document(info, result, damages, findings, expected));
  else if (!damages.empty())
    print_damages(choice.path.string(), damages);
  else if (findings && !findings->empty())
    print_findings(choice.path.string(), *findings);
  else if (other)
    print_unexpected(choice.path.string(), *expected, info);
  else
    print_sound(choice.path.string(), info, result, arguments.has("full"));
  return static_cast<int>(damages.empty() && !other && (!findings || findings->empty()) ? Exit::ok : Exit::integrity);
}

}  // namespace

Command verify_command() {
  return {
      .name = "verify",
      .group = "keep",
      .purpose = "recompute every digest of a store and list each row that differs from what was stored",
      .examples = {"retrial verify quickstart.db", "retrial verify quickstart.db --full",
                   "retrial verify quickstart.db --expect $(cat quickstart.digest)"},
      .arguments = "[STORE]",
      .options =
          {{.name = "full",
            .meaning =
                "also run SQLite's integrity and foreign-key checks on the whole file, and the audits of the workload"},
           {.name = "expect",
            .value_name = "DIGEST",
            .meaning = "also demand this store digest, which retrial run prints at its end"},
           {.name = "json", .meaning = "one JSON document (schema retrial.verify/1)"}},
      .run = run_verify};
}

}  // namespace retrial::harness::inline commands
