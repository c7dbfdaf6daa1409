// Links the libraries of the front end and does nothing: the cost of a start before our first line.
#include <sqlite3.h>

#include <boost/program_options.hpp>

int main(int argc, char**) {
  const boost::program_options::options_description none;
  return argc > 1000 ? sqlite3_libversion_number() + static_cast<int>(none.options().size()) : 0;
}
