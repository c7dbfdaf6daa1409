// The views of the schema are those of docs/store.md.
#include <fstream>
#include <map>
#include <regex>
#include <string>
#include <vector>

#include "tests/catch.hpp"
#include "tests/results/store/fixtures.hpp"
#include "tests/results/store/raw_sqlite.hpp"

namespace retrial::tests::schema_tests {

using namespace retrial;
using namespace retrial::results;

namespace {

using Views = std::map<std::string, std::vector<std::string>>;

/// Below a heading "### `v_...`", the names in the first cell of each row of the table.
Views documented_views() {
  const std::regex heading("^### `(v_\\w+)`.*"), row("^\\| (`.*`) \\|.*"), name("`(\\w+)`");
  std::ifstream page(RETRIAL_SOURCE_DIR "/docs/store.md");
  Views out;
  std::string view;
  for (std::string line; std::getline(page, line);) {
    std::smatch found;
    if (line.starts_with("#")) view = std::regex_match(line, found, heading) ? found[1].str() : "";
    if (view.empty() || !std::regex_match(line, found, row)) continue;
    const std::string cell = found[1];
    const std::string names = cell.substr(0, cell.find(" |"));
    for (std::sregex_iterator at(names.begin(), names.end(), name), end; at != end; ++at) out[view].push_back((*at)[1]);
  }
  return out;
}

}  // namespace

TEST_CASE("docs/store.md has the views of a store with their columns, in order", "[store]") {
  const TemporaryFolder folder;
  const auto file = folder / "s.db";
  { const Store store(file, Store::Access::write); }
  Raw raw(file);
  Views actual;
  for (const auto& view : raw.rows("SELECT name FROM sqlite_schema WHERE type = 'view'"))
    for (const auto& column : raw.rows("SELECT name FROM pragma_table_info('" + view[0] + "')"))
      actual[view[0]].push_back(column[0]);
  CHECK(actual.size() == 5);
  CHECK(documented_views() == actual);
}

}  // namespace retrial::tests::schema_tests
