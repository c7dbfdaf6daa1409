// Links what the front end links and does nothing: what a start costs before the first line of ours.
#include <sqlite3.h>

#include <boost/program_options.hpp>

int main(int argc, char**) {
  const boost::program_options::options_description none;
  return argc > 1000 ? sqlite3_libversion_number() + static_cast<int>(none.options().size()) : 0;
}
