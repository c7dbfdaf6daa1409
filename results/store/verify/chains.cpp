#include <algorithm>
#include <map>

#include "results/digest/chain.hpp"
#include "results/store/verify/verify.hpp"
#include "results/text/file_system.hpp"

namespace retrial::results::inline store {
namespace {

/// Digests of this name by step; -1: the end.
std::map<std::int64_t, Digest> links(Connection& connection, std::int64_t trial, const std::string& name) {
  std::map<std::int64_t, Digest> out;
  Query rows(connection, "SELECT step,value FROM digest WHERE trial_id=? AND name=? AND algo='sha256'");
  for (rows.bind(trial, name); rows.step();) out[rows.integer(0)] = rows.digest(1);
  return out;
}

/// "record 17", "one of the records 64 to 127", "the header or record 0".
std::string between(std::int64_t good, std::int64_t bad) {
  if (good < 0)
    return bad <= 0 ? "its header" : "its header or one of the records before number " + std::to_string(bad);
  if (good + 1 == bad) return "record " + std::to_string(good);
  return "one of the records " + std::to_string(good) + " to " + std::to_string(bad - 1);
}

}  // namespace

void verify_chain(Connection& connection, std::int64_t trial, const std::string& name, const std::string& text,
                  Findings& out) {
  const auto stored = links(connection, trial, name);
  const std::string row = "trial " + std::to_string(trial) + " " + name;
  Chain chain;
  std::int64_t good = -1;  // records that are as they were recorded; -1: the header may not be
  for (std::size_t from = 0; from < text.size();) {
    const auto end = std::min(text.find('\n', from), text.size());
    chain.add(std::string_view(text).substr(from, end - from));
    from = end + 1;
    const auto link = stored.find(chain.records());
    if (link == stored.end()) continue;
    if (link->second != chain.hash())
      return out.add("artifact", row, between(good, chain.records()) + " is not what was recorded");
    good = chain.records();
  }
  const auto last = stored.find(-1);
  if (last == stored.end() || last->second == chain.hash()) return;
  out.add("artifact", row,
          good == chain.records() ? "it ends after " + std::to_string(good) + " records"
                                  : between(good, chain.records()) + " is not what was recorded");
}

}  // namespace retrial::results::inline store
