#include "harness/run/program/program_refusals.hpp"

#include "results/text/error.hpp"
#include "results/text/text.hpp"

namespace retrial::harness::inline run::inline program {

void refuse_changed_program(const std::string& change, const std::string& where, const std::string& help) {
  throw Error({.exit = Exit::incomparable,
               .code = "run.program_changed",
               .where = where,
               .problem = "the program was edited while its trials ran: " + change,
               .help = help});
}

void refuse_other_files(const std::vector<std::string>& changes, const std::string& where) {
  throw Error({.exit = Exit::incomparable,
               .code = "run.other_modules",
               .where = where,
               .problem = "this study was started with other files: " + results::joined(changes),
               .help =
                   "restore them and run the same command again; if trials of both versions are stored already, start "
                   "over in another store (--db); to treat versions as equal, pass --program-label NAME from the "
                   "first run on"});
}

void refuse_doubtful_file(const std::string& doubt, const std::string& where) {
  throw Error({.exit = Exit::incomparable,
               .code = "run.program_changed",
               .where = where,
               .problem = "a file that the only trial of a variant read was changed meanwhile: " + doubt,
               .help = "if you edited it, restore it and run the same command again, or start over in another store "
                       "(--db); if the program writes it, run the same command again: the next trial shows it"});
}

}  // namespace retrial::harness::inline run::inline program
