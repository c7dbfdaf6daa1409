#include "workloads/pipeline/analysis/schedule.hpp"

#include <algorithm>
#include <map>
#include <sstream>

#include "results/text/error.hpp"
#include "results/text/text.hpp"
#include "variance/numbers/error.hpp"

namespace retrial::pipeline::inline analysis {
namespace {

constexpr std::int64_t max_stages = 512, max_passes = 50'000;

/// `ahead` forwards, then backward and forward in turn, then the backwards that are left.
std::vector<Entry> in_turn(std::int64_t ahead, std::int64_t M) {
  std::vector<Entry> out;
  for (std::int64_t i = 0; i < std::min(ahead, M); ++i) out.push_back({Pass::forward, i});
  for (std::int64_t i = 0; i < M; ++i) {
    out.push_back({Pass::backward, i});
    if (i + ahead < M) out.push_back({Pass::forward, i + ahead});
  }
  return out;
}

[[noreturn]] void refuse_entry(const std::string& where, std::int64_t line, std::int64_t stage,
                               const std::string& entry, const std::string& problem) {
  throw Error({.code = "pipeline.program",
               .where = line > 0 ? where + ":" + std::to_string(line) : where,
               .field = "stage " + std::to_string(stage),
               .value = entry,
               .problem = problem,
               .allowed = "every F and B once, B after its F; W for all or none, each after its B"});
}

void demand_sound_stage(const std::vector<Entry>& entries, std::int64_t stage, std::int64_t M,
                        const std::string& where) {
  std::map<Pass, std::vector<bool>> seen;
  for (const Pass pass : {Pass::forward, Pass::backward, Pass::weights}) seen[pass].resize(static_cast<std::size_t>(M));
  const auto is_there = [&](Pass pass, std::int64_t i) { return seen[pass][static_cast<std::size_t>(i)]; };
  for (const Entry& entry : entries) {
    const Pass before = entry.pass == Pass::weights ? Pass::backward : Pass::forward;
    if (entry.pass != Pass::forward && !is_there(before, entry.index))
      refuse_entry(where, entry.line, stage, entry.text(), "before its " + Entry{before, entry.index}.text());
    if (is_there(entry.pass, entry.index)) refuse_entry(where, entry.line, stage, entry.text(), "a second time");
    seen[entry.pass][static_cast<std::size_t>(entry.index)] = true;
  }
  const bool split = std::ranges::any_of(entries, [](const Entry& e) { return e.pass == Pass::weights; });
  for (std::int64_t i = 0; i < M; ++i)
    for (const Pass pass : {Pass::forward, Pass::backward, Pass::weights})
      if ((pass != Pass::weights || split) && !is_there(pass, i))
        refuse_entry(where, 0, stage, Entry{pass, i}.text(), "missing");
}

std::int64_t microbatches_of(const Schedule& schedule) {
  std::int64_t last = -1;
  for (const auto& entries : schedule)
    for (const Entry& entry : entries) last = std::max(last, entry.index);
  return last + 1;
}

/// The stage of a line, and its entry.
std::pair<std::int64_t, Entry> line_of(const std::string& text, std::int64_t number, const std::string& where) {
  std::istringstream in(text);
  std::string stage, op, index;
  std::getline(in, stage, ',');
  std::getline(in, op, ',');
  std::getline(in, index);
  const auto s = results::parse_int(stage), i = results::parse_int(index);
  const bool known = op == "F" || op == "B" || op == "W";
  if (!s || !i || !known || *s < 0 || *s >= max_stages || *i < 0 || *i >= max_passes)
    throw Error({.code = "pipeline.program",
                 .where = where + ":" + std::to_string(number),
                 .field = "line",
                 .value = results::one_line(text, 60),
                 .problem = "not an entry",
                 .allowed = "stage,op,index with stage 0 to 511, op F, B or W, index 0 to 49999",
                 .help = "for example: 0,F,3"});
  return {*s, {static_cast<Pass>(op[0]), *i, number}};
}

}  // namespace

Schedule program(std::string_view kind, std::int64_t S, std::int64_t M) {
  if (S < 1 || S > max_stages) throw InvalidInput("S", std::to_string(S), "1 to 512");
  if (M < 1 || M > max_passes / S)
    throw InvalidInput("M", std::to_string(M), "1 to " + std::to_string(max_passes / S) + " with these stages");
  Schedule out;
  for (std::int64_t s = 0; s < S; ++s) {
    if (kind == "gpipe")
      out.push_back(in_turn(M, M));
    else if (kind == "1f1b")
      out.push_back(in_turn(S - s, M));
    else if (kind == "pb")
      out.push_back(in_turn(2 * (S - 1 - s) + 1, M));
    else
      throw InvalidInput("kind", std::string(kind), "gpipe, 1f1b, pb");
  }
  return out;
}

Schedule read_program(const std::string& text, const std::string& where) {
  Schedule out;
  std::istringstream in(text);
  std::int64_t number = 0, entries = 0;
  for (std::string row; std::getline(in, row);) {
    ++number;
    if (row.ends_with('\r')) row.pop_back();
    if (row.empty() || (number == 1 && row == "stage,op,index")) continue;
    const auto [stage, entry] = line_of(row, number, where);
    if (stage >= std::ssize(out)) out.resize(static_cast<std::size_t>(stage) + 1);
    out[static_cast<std::size_t>(stage)].push_back(entry);
    if (++entries > 3 * max_passes) refuse_entry(where, number, stage, entry.text(), "more than 150000 entries");
  }
  if (out.empty())
    throw Error(
        {.code = "pipeline.program", .where = where, .problem = "no entries", .allowed = "lines stage,op,index"});
  demand_sound(out, where);
  return out;
}

void demand_sound(const Schedule& schedule, const std::string& where) {
  const std::int64_t M = microbatches_of(schedule);
  for (std::size_t s = 0; s < schedule.size(); ++s)
    demand_sound_stage(schedule[s], static_cast<std::int64_t>(s), M, where);
}

}  // namespace retrial::pipeline::inline analysis
