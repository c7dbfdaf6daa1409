#include "workloads/data/corrupt/corrupt.hpp"
#include "workloads/data/sets/registry.hpp"
#include "workloads/interface/contributions.hpp"

namespace retrial::data::inline sets {
namespace {

/// Null where the user's files decide.
Json known(const DataSetInfo& set, Json fact) {
  return set.sized_by_files() ? Json() : fact;
}

std::vector<Json> data_set_rows() {
  std::vector<Json> out;
  for (const auto& set : all_data_sets())
    out.push_back({{"name", set.name},
                   {"images", known(set, set.count)},
                   {"shape", known(set, {set.shape.channels, set.shape.height, set.shape.width})},
                   {"classes", known(set, set.classes)},
                   {"train", known(set, set.published.train)},
                   {"test", known(set, set.published.test)},
                   {"embedded", set.embedded},
                   {"digest", set.identity ? Json(results::hex(*set.identity)) : Json()},
                   {"summary", set.summary},
                   {"who", set.who},
                   {"licence", set.licence},
                   {"how_to_get", set.how_to_get}});
  return out;
}

std::string origin_of_bytes(corrupt::Made made) {
  switch (made) {
    case corrupt::Made::portable:
      return "the same everywhere";
    case corrupt::Made::own:
      return "the same everywhere (our own definitions)";
    case corrupt::Made::library:
      return "depend on a library";
  }
  return "";
}

std::vector<Json> corruption_rows() {
  std::vector<Json> out;
  for (const auto& row : corrupt::table())
    out.push_back({{"name", row.name},
                   {"bytes", origin_of_bytes(row.made)},
                   {"here", row.op == nullptr ? "no: " + row.missing : "yes"},
                   {"summary", row.summary}});
  return out;
}

workloads::Listing data_sets() {
  return {.name = "data",
          .title = "Data sets",
          .meaning = "data sets known by name (check files with retrial data verify DIR)",
          .columns = {{"name", "name"},
                      {"images", "images"},
                      {"classes", "classes"},
                      {"embedded", "built in"},
                      {"summary", "description"}},
          .rows = data_set_rows};
}

workloads::Listing corruptions() {
  return {.name = "corruptions",
          .title = "Corruptions of images (" + std::string(corrupt::table_name) + ", severities 1 to 5)",
          .meaning = "corruptions of test images (retrial data corrupt)",
          .columns = {{"name", "name"}, {"bytes", "bytes"}, {"here", "here"}, {"summary", "description"}},
          .rows = corruption_rows};
}

const workloads::RegisterSharedContribution registered{
    {.name = "data", .contributes = {.listings = {data_sets(), corruptions()}}}};

}  // namespace
}  // namespace retrial::data::inline sets
