#include <algorithm>
#include <map>
#include <set>

#include "harness/scores/formats/columns.hpp"
#include "harness/scores/formats/formats.hpp"
#include "harness/scores/lines/score_lines.hpp"
#include "harness/scores/lines/separators.hpp"
#include "harness/text/output.hpp"
#include "results/text/error.hpp"
#include "results/text/text.hpp"

namespace retrial::harness::inline scores::inline formats {
namespace {

using Lines = std::vector<data::TableLine>;

/// A table whose columns are offered, and what is found in it.
struct Offer {
  const ScoreInput& input;
  const Lines& lines;
  char separator = separator_of(input.path, input.text);

  [[nodiscard]] const std::string& name(std::size_t place) const { return lines[0][place].text; }
  [[nodiscard]] std::size_t different(std::size_t place) const {
    std::set<std::string> texts;
    for (std::size_t i = 1; i < lines.size(); ++i) texts.insert(lines[i][place].text);
    return texts.size();
  }
  [[nodiscard]] bool numbers(std::size_t place) const {
    bool some = false;
    for (std::size_t i = 1; i < lines.size(); ++i) {
      const std::string& text = lines[i][place].text;
      const bool number = results::parse_double(text) || (separator != ',' && has_decimal_comma(text));
      if (!number && !is_missing(text)) return false;
      some = some || number;
    }
    return some;
  }
  [[nodiscard]] std::vector<std::string> names() const {
    std::vector<std::string> out;
    for (const auto& field : lines[0])
      if (!field.text.empty()) out.push_back(field.text);
    return out;
  }
};

/// The last word of a name in lower case: "params.data_seed" is a seed.
std::string last_word(const std::string& name) {
  std::string word;
  for (const char c : lower_case(name))
    if (c >= 'a' && c <= 'z')
      word += c;
    else
      word.clear();
  return word;
}

bool holds(const std::vector<std::string>& words, const std::string& word) {
  return std::ranges::find(words, word) != words.end();
}

/// Columns that can say who is compared, those with a name for it first.
std::vector<std::string> variants_in(const Offer& offer) {
  static const std::vector<std::string> never{"status", "state",   "user", "uri",    "notes", "tags", "id",
                                              "task",   "dataset", "env",  "metric", "seed",  "time", "created"};
  std::vector<std::string> named, other;
  for (std::size_t c = 0; c < offer.lines[0].size(); ++c) {
    const std::string& name = offer.name(c);
    const auto count = offer.different(c);
    if (name.empty() || count < 2 || count + 1 >= offer.lines.size() || holds(never, last_word(name))) continue;
    if (names_variants(name))
      named.push_back(name);
    else if (holds_words(offer.lines, c))
      other.push_back(name);
  }
  return named.empty() ? other : named;
}

/// Columns of numbers that are neither keys nor numbers of lines, those of MLflow's metrics first.
std::vector<std::string> scores_in_table(const Offer& offer) {
  static const std::vector<std::string> heads{"params.", "tags.", "config.", "_"};
  static const std::vector<std::string> lines_and_keys{
      "seed",   "state",     "fold", "folds", "split", "pair", "run",  "runs",  "trial",    "rep",
      "repeat", "replicate", "id",   "index", "lr",    "rate", "size", "decay", "duration", "created"};
  std::vector<std::string> out;
  for (std::size_t c = 0; c < offer.lines[0].size(); ++c) {
    const std::string& name = offer.name(c);
    const bool head = std::ranges::any_of(heads, [&](const auto& h) { return name.starts_with(h); });
    if (name.empty() || head || !offer.numbers(c) || names_time(name) || names_variants(name) ||
        holds(lines_and_keys, last_word(name)) || name == "Unnamed: 0")
      continue;
    out.push_back(name);
  }
  std::ranges::stable_partition(out, [](const std::string& name) { return name.starts_with("metrics."); });
  return out;
}

std::optional<std::string> column_called(const Offer& offer, const std::vector<std::string>& words) {
  for (const std::string& word : words)
    for (std::size_t c = 0; c < offer.lines[0].size(); ++c)
      if (last_word(offer.name(c)) == word && offer.different(c) > 1) return offer.name(c);
  return std::nullopt;
}

/// True when these roles read the table, and its variants have the same pairs.
bool reads(const Offer& offer, const ColumnRoles& roles) {
  ScoreInput input = offer.input;
  input.roles = roles;
  ScoreTable table;
  try {
    read_named_columns(input, table);
  } catch (const Error&) {
    return false;
  }
  std::map<std::string, std::multiset<std::string>> pairs;
  for (const ScoreRow& row : table.rows)
    pairs[row.variant].insert(row.pair_label + "\n" + row.task + "\n" + row.metric);
  return !roles.names[pair_role] ||
         std::ranges::all_of(pairs, [&](const auto& one) { return one.second == pairs.begin()->second; });
}

/// The roles as far as the columns show them, tried out: first with pairs, then without.
std::optional<ColumnRoles> offered_roles(const Offer& offer) {
  const auto variants = variants_in(offer), scores = scores_in_table(offer);
  if (scores.empty() || (variants.empty() && !offer.input.variant)) return std::nullopt;
  ColumnRoles roles;
  if (!offer.input.variant) roles.names[variant_role] = variants.front();
  roles.names[score_role] = scores.front();
  for (const auto& task : {std::optional<std::string>(), column_called(offer, {"task", "dataset", "env"})})
    for (const char* pair : {"pair", "seed", "state", "fold", "split", "replicate", "rep", "repeat", "trial", "run"}) {
      roles.names[task_role] = task;
      roles.names[metric_role] = column_called(offer, {"metric"});
      roles.names[pair_role] = column_called(offer, {pair});
      if (roles.names[pair_role] && roles.names[pair_role] != roles.names[variant_role] && reads(offer, roles))
        return roles;
    }
  roles.names[pair_role].reset();
  return reads(offer, roles) ? std::optional(roles) : std::nullopt;
}

/// The lines for a table with a variant per column beside the refused one, which may number the lines or be a variant
/// itself. Empty where another column could be no variant.
std::string variant_per_column(const Offer& offer, std::size_t refused) {
  ColumnRoles variants, all, pairs;
  const auto add = [](ColumnRoles& roles, const std::string& column) {
    auto& first = roles.names[score_role];
    if (first)
      roles.more_scores.push_back(column);
    else
      first = column;
  };
  for (std::size_t c = 0; c < offer.lines[0].size(); ++c) {
    if (offer.name(c).empty() || !offer.numbers(c) || (c != refused && names_no_variant(offer.name(c)))) return "";
    if (c != refused) add(variants, offer.name(c));
    add(all, offer.name(c));
  }
  if (variants.more_scores.empty()) return "";
  const std::string name = results::one_line(offer.name(refused), 100);
  pairs = variants;
  pairs.names[pair_role] = offer.name(refused);
  std::string out = "if the other columns are variants, and " + name;
  out += reads(offer, pairs) ? " numbers the pairs: --columns " + shell_word(pairs.text())
                             : " is none: --columns " + shell_word(variants.text());
  if (!names_no_variant(offer.name(refused))) out += "; if it is a variant too: --columns " + shell_word(all.text());
  return out;
}

std::string others(const std::string& role, const std::vector<std::string>& names) {
  if (names.size() < 2) return "";
  const std::vector<std::string> rest(names.begin() + 1, names.end());
  return "; " + role + " may be another column: " + results::one_line(results::joined(rest), 200);
}

}  // namespace

std::string columns_help(const ScoreInput& input, const Lines& lines, std::optional<std::size_t> refused) {
  const Offer offer{input, lines};
  const std::string generic = "--columns variant=...,pair=...,score=... with the columns of the file: " +
                              results::one_line(results::joined(offer.names()), 300);
  if (std::ranges::any_of(lines, [&](const auto& line) { return line.size() != lines[0].size(); }))
    return "name the columns: " + generic;
  if (const auto roles = offered_roles(offer))
    return "to read one run per line, add --columns " + shell_word(roles->text()) +
           (input.variant ? "" : others("variant", variants_in(offer))) + others("score", scores_in_table(offer));
  for (std::size_t c = 0; c < lines[0].size(); ++c)
    if (names_time(offer.name(c)) && offer.different(c) > 1)
      return "a line per step is a curve, and its steps are not pairs: keep one line per run, for example the last "
             "step, then name the columns: " +
             generic;
  if (refused)
    if (const auto help = variant_per_column(offer, *refused); !help.empty()) return help;
  const auto scores = scores_in_table(offer);
  if (variants_in(offer).empty() && scores.size() == 1) {
    const auto pair = column_called(offer, {"pair", "seed", "fold"});
    ColumnRoles roles;
    roles.names[pair_role] = pair;
    roles.names[score_role] = scores.front();
    return "no column names the variants: give one file per variant, --scores old=OLD.csv --scores new=NEW.csv, with "
           "--columns " +
           shell_word(roles.text());
  }
  return "name the columns: " + generic + "; where each other column is a variant, leave this one out";
}

}  // namespace retrial::harness::inline scores::inline formats
