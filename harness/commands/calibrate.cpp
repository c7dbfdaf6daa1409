#include "harness/gate/calibration/calibrate.hpp"
#include "harness/command_line/command.hpp"
#include "harness/gate/gate_settings.hpp"
#include "harness/gate/measured/planned_suite.hpp"

namespace retrial::harness::inline commands {
namespace {

int run(const Arguments& arguments) {
  if (arguments.positional.empty() && !arguments.has("command"))
    throw Error({.code = "usage.missing_option",
                 .field = "SUITE.toml or --command",
                 .problem = "one must be given: what to calibrate",
                 .help = "retrial calibrate suite.toml --allow-commands"});
  return run_calibrate(arguments);
}

std::vector<Option> running_options() {
  auto out = suite_options();
  std::erase_if(out, [](const Option& option) { return option.name == "db" || option.name == "again"; });
  out.push_back({.name = "db",
                 .value_name = "DIR",
                 .meaning = "folder of the runs and the record (default: NAME-calibration)",
                 .heading = "Running"});
  return out;
}

}  // namespace

Command calibrate_command() {
  return {.name = "calibrate",
          .group = "guard",
          .purpose = "how often does the gate cry wolf here: a suite against itself, many times",
          .examples = {"retrial calibrate suite.toml --allow-commands --null-suites 100",
                       "retrial calibrate suite.toml --allow-commands --hogs 2",
                       "retrial calibrate suite.toml --allow-commands --null-suites 50 --inject 5"},
          .arguments = "[SUITE.toml...]",
          .options = calibrate_options() + judging_options() + running_options() +
                     under("Output", {{.name = "json", .meaning = "one JSON document (schema retrial.calibration/1)"}}),
          .run = run};
}

}  // namespace retrial::harness::inline commands
