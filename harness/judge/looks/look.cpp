#include "harness/judge/looks/look.hpp"

#include <algorithm>

#include "harness/study/declared/stored_fields.hpp"
#include "harness/system/host.hpp"
#include "harness/text/output.hpp"
#include "results/text/error.hpp"
#include "results/text/text.hpp"

namespace retrial::harness::inline judge::inline looks {
namespace {

constexpr const char* kind = "look";

results::Event event_of(const Look& look, std::int64_t at_ns) {
  const Json detail{{"number", look.number},
                    {"study", results::hex(look.study)},
                    {"draw", results::hex(look.draw)},
                    {"rule", results::hex(look.rule)},
                    {"inputs", results::hex(look.inputs)},
                    {"rate", results::hex_of_bits(look.rate)},
                    {"declared", look.declared},
                    {"pairs", look.pairs},
                    {"by", results::one_line(look.by, 200)}};
  return {.at_ns = at_ns,
          .kind = kind,
          .identity = look.question,
          .attempt = std::nullopt,
          .detail = results::canonical(detail)};
}

Look look_of(const results::Event& event) {
  if (!event.identity)
    throw Error({.exit = Exit::integrity, .code = "store.look", .where = "event look", .problem = "has no question"});
  const Json detail = results::parse_json(event.detail, "event look");
  const StoredFields fields(detail, "event look");
  const auto digest = [&](const char* name) { return results::digest_from_hex(fields.text(name), name); };
  return {.number = fields.integer("number"),
          .question = *event.identity,
          .study = digest("study"),
          .draw = digest("draw"),
          .rule = digest("rule"),
          .inputs = digest("inputs"),
          .rate = fields.bits("rate"),
          .declared = fields.flag("declared"),
          .pairs = fields.integer("pairs"),
          .by = fields.text("by")};
}

}  // namespace

std::vector<Look> stored_looks(const results::Store& store) {
  std::vector<Look> out;
  for (const auto& event : store.events_of(kind)) out.push_back(look_of(event));
  std::ranges::stable_sort(out, {}, &Look::number);
  return out;
}

void record_looks(results::Store& store, const std::vector<Look>& looks) {
  const auto at_ns = now_ns();
  const auto known = stored_looks(store);
  const std::int64_t next = known.empty() ? 1 : known.back().number + 1;
  std::vector<results::Event> events;
  for (Look look : looks) {
    if (std::ranges::any_of(known, [&](const Look& old) { return old.same_as(look); })) continue;
    look.number = next;
    events.push_back(event_of(look, at_ns));
  }
  if (!events.empty()) store.append({}, events);
}

bool record_looks(const std::filesystem::path& path, const std::vector<Look>& looks) {
  try {
    results::Store store(path, results::Store::Access::write);
    record_looks(store, looks);
    return true;
  } catch (const Error& error) {
    if (error.text.exit == Exit::integrity) throw;
    note("the look was not recorded: " + std::string(error.what()));
    return false;
  }
}

RecordLooks recorder(const Arguments& arguments, const std::filesystem::path& store) {
  if (!arguments.has("foreign"))
    return [store](const std::vector<Look>& looks) { return looks.empty() || record_looks(store, looks); };
  return [](const std::vector<Look>&) {
    note("the look was not recorded (--foreign)");
    return false;
  };
}

Option foreign_option() {
  return {.name = "foreign",
          .meaning = "read someone else's store: write nothing into it, so that this look is not counted"};
}

}  // namespace retrial::harness::inline judge::inline looks
