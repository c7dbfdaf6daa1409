#include "harness/program/commands.hpp"

#include <algorithm>

#include "harness/text/names.hpp"
#include "results/text/error.hpp"
#include "results/text/text.hpp"

namespace retrial::harness {
inline namespace commands {

// One file each in harness/commands/.
Command list_command();
Command plan_command();
Command run_command();
Command status_command();
Command show_command();
Command replay_command();
Command check_command();
Command price_command();
Command profile_command();
Command compare_command();
Command power_command();
Command changes_command();
Command gate_command();
Command history_command();
Command calibrate_command();
Command audit_command();
Command reproduce_command();
Command variance_command();
Command explain_command();
Command report_command();
Command import_command();
Command export_command();
Command verify_command();
Command data_command();
Command doctor_command();

}  // namespace commands

inline namespace program {

const std::vector<Command>& all_commands() {
  static const std::vector<Command> commands{
      list_command(),   plan_command(),      run_command(),     status_command(),  show_command(),
      replay_command(), check_command(),     price_command(),   profile_command(), compare_command(),
      power_command(),  variance_command(),  changes_command(), audit_command(),   reproduce_command(),
      gate_command(),   calibrate_command(), history_command(), explain_command(), report_command(),
      import_command(), export_command(),    verify_command(),  data_command(),    doctor_command()};
  return commands;
}

const Command& find_command(const std::string& name) {
  const auto& commands = all_commands();
  if (const auto found = std::ranges::find(commands, name, &Command::name); found != commands.end()) return *found;
  const auto near = results::nearest(name, names_in(commands));
  throw Error({.code = "usage.unknown_command",
               .field = results::one_line(name, 100),
               .problem = "unknown command",
               .help = near ? "did you mean: retrial " + *near : "retrial --help lists the commands"});
}

}  // namespace program
}  // namespace retrial::harness
