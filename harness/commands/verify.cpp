#include <iostream>

#include "harness/command.hpp"
#include "harness/output.hpp"
#include "harness/store_argument.hpp"
#include "harness/table.hpp"
#include "harness/terminal.hpp"
#include "results/error.hpp"
#include "results/text.hpp"

namespace retrial::harness {
namespace {

Json damage_document(const results::StoreInfo& info, const std::vector<results::Damage>& damages) {
  Json rows = Json::array();
  for (const auto& damage : damages)
    rows.push_back({{"table", damage.table}, {"row", damage.row}, {"problem", damage.problem}});
  return {{"schema", "retrial.verify/1"},
          {"ok", damages.empty()},
          {"documents", info.documents},
          {"trials", info.trials},
          {"metrics", info.metrics},
          {"events", info.events},
          {"store_digest", results::hex(info.store_digest)},
          {"outcome_digest", results::hex(info.outcome_digest)},
          {"damaged", rows}};
}

void print_damages(const std::string& path, const std::vector<results::Damage>& damages) {
  TextTable table({{"table"}, {"row"}, {"what is wrong"}});
  for (const auto& damage : damages)
    table.add({damage.table, results::one_line(damage.row, 80), results::one_line(damage.problem, 400)});
  std::cout << path << ": " << damages.size() << (damages.size() == 1 ? " row is" : " rows are") << " damaged\n\n"
            << table.text(2, terminal_width())
            << "\nThe rows named here are not what was stored. Everything else was recomputed and agrees.\n"
               "next: restore the file from a copy, or run the study again into a new store\n";
}

void print_sound(const std::string& path, const results::StoreInfo& info, bool full) {
  std::cout << path << ": every digest agrees (" << counted(info.documents, "document") << ", "
            << counted(info.trials, "attempt") << ", " << counted(info.metrics, "metric value") << ", "
            << counted(info.events, "event") << ")\n"
            << "store digest    " << results::hex(info.store_digest) << "\n"
            << "outcome digest  " << results::hex(info.outcome_digest) << "\n";
  if (!full) std::cout << "--full also checks the structure of the whole SQLite file.\n";
}

int run_verify(const Arguments& arguments) {
  const StoreChoice choice = store_choice(arguments, {.usage = "verify [STORE]"});
  const results::Store store = open_for_reading(choice.path);
  const auto damages = store.verify(arguments.has("full"));
  const auto info = store.info();
  if (arguments.has("json")) {
    print_json(damage_document(info, damages));
  } else if (damages.empty()) {
    print_sound(choice.path.string(), info, arguments.has("full"));
  } else {
    print_damages(choice.path.string(), damages);
  }
  return static_cast<int>(damages.empty() ? Exit::ok : Exit::integrity);
}

}  // namespace

Command verify_command() {
  return {
      .name = "verify",
      .group = "keep",
      .purpose = "recompute every digest of a store and list each row that is not what was stored",
      .examples = {"retrial verify quickstart.db", "retrial verify quickstart.db --full"},
      .arguments = "[STORE]",
      .options = {{.name = "full", .meaning = "also SQLite's own integrity and foreign-key checks of the whole file"},
                  {.name = "json", .meaning = "one JSON document (schema retrial.verify/1)"}},
      .run = run_verify};
}

}  // namespace retrial::harness
