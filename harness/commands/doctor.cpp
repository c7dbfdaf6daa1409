#include "harness/command_line/command.hpp"
#include "harness/command_line/settings.hpp"
#include "harness/doctor/doctor_page.hpp"
#include "harness/text/output.hpp"
#include "results/text/error.hpp"
#include "results/text/text.hpp"

namespace retrial::harness::inline commands {
namespace {

report::Part settings_part() {
  report::Table table{.columns = {"setting", "value", "from", "meaning"}};
  Json rows = Json::array();
  for (const auto& s : settings_in_force()) {
    table.rows.push_back({s.name, results::one_line(s.value, 200), s.source, s.meaning});
    rows.push_back({{"name", s.name}, {"value", s.value}, {"source", s.source}, {"meaning", s.meaning}});
  }
  return {.section =
              report::Section{
                  .id = "settings",
                  .title = "Settings",
                  .blocks =
                      {std::move(table),
                       report::Paragraph{
                           "Command-line options override environment variables, which override built-in defaults."}}},
          .data = {{"schema", "retrial.settings/1"}, {"settings", std::move(rows)}}};
}

int run_doctor(const Arguments& arguments) {
  refuse_extra(arguments, 0, "doctor [--settings] [--json]");
  if (arguments.has("settings")) {
    print_part(settings_part(), arguments.has("json"));
    return 0;
  }
  const HostFacts facts =
      host_facts(arguments.value("worker"), arguments.value("worker-cuda"), std::filesystem::current_path());
  print_part(doctor_part(facts, findings_of(facts)), arguments.has("json"));
  if (!facts.worker_found) return static_cast<int>(Exit::incomparable);
  return facts.worker_problem.empty() ? 0 : static_cast<int>(Exit::measurement);
}

}  // namespace

Command doctor_command() {
  return {.name = "doctor",
          .group = "keep",
          .purpose = "check this machine for anything that could spoil a result: worker, processor, disk, load",
          .examples = {"retrial doctor", "retrial doctor --settings", "retrial doctor --json"},
          .arguments = "",
          .options = {{.name = "settings", .meaning = "print every setting, its value and its origin"},
                      {.name = "worker",
                       .value_name = "PATH",
                       .meaning = "worker program to check (default: the one next to retrial)"},
                      {.name = "worker-cuda",
                       .value_name = "PATH",
                       .meaning = "the same for the worker of device = \"cuda\""},
                      {.name = "json", .meaning = "one JSON document (schema retrial.doctor/1 or retrial.settings/1)"}},
          .run = run_doctor};
}

}  // namespace retrial::harness::inline commands
