#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <iostream>
#include <thread>

#include "harness/command_line/command.hpp"
#include "harness/show/status_page.hpp"
#include "harness/stored/store_choice.hpp"
#include "harness/text/output.hpp"
#include "harness/text/section_text.hpp"
#include "results/text/error.hpp"

namespace retrial::harness::inline commands {
namespace {

constexpr std::chrono::milliseconds between_looks{1000};

/// Rewrites the page in place every second until no process works on the study.
int watch(const results::Store& store, const StudyView& study) {
  if (isatty(STDOUT_FILENO) != 1)
    throw Error({.code = "usage.option",
                 .field = "--watch",
                 .problem = "needs a terminal",
                 .help = "use retrial status --json in scripts"});
  for (std::int64_t lines = 0;;) {
    const StudyStatus status = read_status(store, study);
    const std::string page = section_text(*status_part(status, true).section);
    if (lines > 0) std::cout << "\x1b[" << lines << "A\x1b[J";
    std::cout << page << std::flush;
    lines = std::count(page.begin(), page.end(), '\n');
    if (is_idle(status)) return 0;
    std::this_thread::sleep_for(between_looks);
  }
}

int run_status(const Arguments& arguments) {
  const StoreChoice choice = store_choice(arguments, {.usage = "status [STORE]"});
  const results::Store store = open_for_reading(choice.path);
  const StudyView study = read_study(store, chosen_study(store, arguments.value("study")));
  if (arguments.has("watch")) return watch(store, study);
  print_part(status_part(read_status(store, study)), arguments.has("json"));
  return 0;
}

}  // namespace

Command status_command() {
  return {.name = "status",
          .group = "run",
          .purpose = "show the progress of a study: trials done, running and left, and the next command to type",
          .examples = {"retrial status quickstart.db", "retrial status quickstart.db --watch", "retrial status --json"},
          .arguments = "[STORE]",
          .options = {{.name = "watch", .meaning = "refresh the page every second until the run ends"},
                      study_option(),
                      {.name = "json", .meaning = "one JSON document (schema retrial.status/1)"}},
          .run = run_status};
}

}  // namespace retrial::harness::inline commands
