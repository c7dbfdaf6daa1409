#include <algorithm>
#include <map>
#include <set>
#include <unordered_map>
#include <unordered_set>

#include "harness/scores/formats/columns.hpp"
#include "harness/scores/formats/formats.hpp"
#include "harness/scores/lines/score_lines.hpp"
#include "harness/scores/lines/separators.hpp"
#include "harness/text/output.hpp"
#include "results/text/error.hpp"
#include "results/text/text.hpp"

namespace retrial::harness::inline scores::inline formats {
namespace {

using Lines = data::TableLines;

/// A table whose columns are offered, and what is found in it.
struct Offer {
  const ScoreInput& input;
  const Lines& lines;
  char separator = separator_of(input.path, input.text);

  [[nodiscard]] std::string name(std::size_t place) const { return std::string(lines[0][place].text); }
  [[nodiscard]] std::size_t different(std::size_t place) const {
    std::unordered_set<std::string_view> texts;
    for (std::size_t i = 1; i < lines.size(); ++i) texts.insert(lines[i][place].text);
    return texts.size();
  }
  [[nodiscard]] bool numbers(std::size_t place) const {
    bool some = false;
    for (std::size_t i = 1; i < lines.size(); ++i) {
      const std::string_view text = lines[i][place].text;
      const bool number = results::parse_double(text) || (separator != ',' && has_decimal_comma(text));
      if (!number && !is_missing(text)) return false;
      some = some || number;
    }
    return some;
  }
  /// Words or whole numbers in every line, as names of lines are.
  [[nodiscard]] bool labels(std::size_t place) const {
    const bool words = !numbers(place);
    return std::all_of(lines.begin() + 1, lines.end(), [&](const auto& line) {
      const std::string_view text = line[place].text;
      return words ? !is_missing(text) : results::parse_int(text).has_value();
    });
  }
  [[nodiscard]] std::size_t place(const std::string& column) const {
    std::size_t place = 0;
    while (place < lines[0].size() && lines[0][place].text != column) ++place;
    return place;
  }
  /// Of the columns with a name.
  [[nodiscard]] std::vector<std::size_t> places() const {
    std::vector<std::size_t> out;
    for (std::size_t c = 0; c < lines[0].size(); ++c)
      if (!lines[0][c].text.empty()) out.push_back(c);
    return out;
  }
  [[nodiscard]] std::vector<std::string> names() const {
    std::vector<std::string> out;
    for (const auto& field : lines[0])
      if (!field.text.empty()) out.emplace_back(field.text);
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
  static const std::vector<std::string> never{"status", "state",   "user", "uri",     "notes", "tags", "id",
                                              "task",   "dataset", "env",  "metric",  "seed",  "time", "created",
                                              "winner", "best",    "date", "comment", "host"};
  std::vector<std::string> named, other;
  for (std::size_t c = 0; c < offer.lines[0].size(); ++c) {
    const std::string name = offer.name(c);
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
      "seed",      "state", "fold",  "folds", "split", "pair", "run",   "runs",     "trial",   "rep",   "repeat",
      "replicate", "id",    "index", "lr",    "rate",  "size", "decay", "duration", "created", "number"};
  std::vector<std::string> out;
  for (std::size_t c = 0; c < offer.lines[0].size(); ++c) {
    const std::string name = offer.name(c);
    const bool head = std::ranges::any_of(heads, [&](const auto& h) { return name.starts_with(h); });
    if (name.empty() || head || !offer.numbers(c) || names_time(name) || names_variants(name) ||
        holds(lines_and_keys, last_word(name)) || name == "Unnamed: 0")
      continue;
    out.push_back(name);
  }
  std::stable_partition(out.begin(), out.end(), [](const std::string& name) { return name.starts_with("metrics."); });
  for (std::size_t c = 0; out.empty() && c < offer.lines[0].size(); ++c)  // how long a run took is a score, too
    if (last_word(offer.name(c)) == "time" && offer.numbers(c)) out.push_back(offer.name(c));
  return out;
}

std::optional<std::string> column_called(const Offer& offer, const std::vector<std::string>& words) {
  for (const std::string& word : words)
    for (std::size_t c = 0; c < offer.lines[0].size(); ++c)
      // meta.config_updates.seed of sacred is there only where it was given: config.seed is in all runs.
      if (last_word(offer.name(c)) == word && offer.different(c) > 1 && !offer.name(c).starts_with("meta."))
        return offer.name(c);
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
    pairs[row.variant].insert(row.pair_label.text() + "\n" + row.task.text() + "\n" + row.metric.text());
  return !roles.names[pair_role] ||
         std::ranges::all_of(pairs, [&](const auto& one) { return one.second == pairs.begin()->second; });
}

/// Keys of numbers that may say who is compared, where no column of words does: lr with 0.1 and 0.01.
std::vector<std::string> keys_in(const Offer& offer) {
  std::vector<std::string> out;
  for (std::size_t c = 0; c < offer.lines[0].size(); ++c) {
    const auto count = offer.different(c);
    if (!offer.name(c).empty() && names_key(offer.name(c)) && offer.numbers(c) && count > 1 &&
        2 * count < offer.lines.size())
      out.push_back(offer.name(c));
  }
  return out;
}

/// True when most names of pairs in one column occur with several variants of the other: their runs belong together.
bool shared(const Offer& offer, const std::string& variant, const std::string& pair) {
  std::unordered_map<std::string_view, std::set<std::string_view>> beside;
  const std::size_t of_pair = offer.place(pair), of_variant = offer.place(variant);
  for (std::size_t i = 1; i < offer.lines.size(); ++i)
    beside[offer.lines[i][of_pair].text].insert(offer.lines[i][of_variant].text);
  const auto several = std::ranges::count_if(beside, [](const auto& one) { return one.second.size() > 1; });
  return 2 * static_cast<std::size_t>(several) > beside.size();
}

void add_scores(ColumnRoles& roles, const std::string& column) {
  auto& first = roles.names[score_role];
  if (first)
    roles.more_scores.push_back(column);
  else
    first = column;
}

bool is_curve(const Offer& offer) {
  for (std::size_t c = 0; c < offer.lines[0].size(); ++c)
    if (names_time(offer.name(c)) && offer.different(c) > 1) return true;
  return false;
}

/// The roles as far as the columns show them, and what is wrong with the pairs of the file, if something is.
struct OfferedRoles {
  ColumnRoles roles;
  std::string problem = {};
};

/// Tried out: first with pairs, then without. Pairs that variants share stay pairs where a run is missing or there
/// twice: read without them, such a file would be judged as independent runs.
std::optional<OfferedRoles> offered_roles(const Offer& offer) {
  auto variants = variants_in(offer);
  const auto scores = scores_in_table(offer);
  const bool keys = variants.empty() && !offer.input.variant;
  if (keys) variants = keys_in(offer);
  if (scores.empty() || (variants.empty() && !offer.input.variant)) return std::nullopt;
  ColumnRoles roles;
  if (!offer.input.variant) roles.names[variant_role] = variants.front();
  roles.names[score_role] = scores.front();
  std::optional<ColumnRoles> damaged;
  for (const auto& task : {std::optional<std::string>(), column_called(offer, {"task", "dataset", "env"})})
    for (const char* pair : {"pair", "seed", "state", "fold", "split", "replicate", "rep", "repeat", "trial", "run"}) {
      roles.names[task_role] = task;
      roles.names[metric_role] = column_called(offer, {"metric"});
      roles.names[pair_role] = column_called(offer, {pair});
      if (!roles.names[pair_role] || roles.names[pair_role] == roles.names[variant_role]) continue;
      if (reads(offer, roles)) return OfferedRoles{roles};
      if (!damaged && roles.names[variant_role] && !is_curve(offer) &&
          shared(offer, *roles.names[variant_role], *roles.names[pair_role]))
        damaged = roles;
      if (damaged && task && damaged->names[pair_role] == roles.names[pair_role]) damaged->names[task_role] = task;
    }
  if (keys) return std::nullopt;
  if (damaged) return OfferedRoles{*damaged, "; some of its pairs are not whole, or have a line too many"};
  roles.names[pair_role].reset();
  return reads(offer, roles) ? std::optional(OfferedRoles{roles}) : std::nullopt;
}

/// The lines for a table with a variant per column next to the refused one, which may number the lines or be a variant
/// itself. A first column without a name is an index, one of words a label. Empty where another column could be no
/// variant.
std::string variant_per_column(const Offer& offer, std::size_t refused) {
  ColumnRoles variants, all, pairs;
  for (std::size_t c = 0; c < offer.lines[0].size(); ++c) {
    const std::string name = offer.name(c);
    const bool index = name.empty() || name == "Unnamed: 0";
    if (c == 0 && c != refused && (index || has_labels(offer.lines))) continue;
    if (name.empty() || (c != refused && (!offer.numbers(c) || names_no_variant(name)))) return "";
    if (c != refused) add_scores(variants, name);
    if (offer.numbers(c)) add_scores(all, name);
  }
  const bool may_be_one = offer.numbers(refused) && !names_line(offer.name(refused)) && !all.more_scores.empty();
  const std::string if_variant = "if it is a variant: --columns " + shell_word(all.text());
  if (variants.more_scores.empty()) return may_be_one ? if_variant : "";
  pairs = variants;
  pairs.names[pair_role] = offer.name(refused);
  const bool labels = offer.different(refused) + 1 == offer.lines.size() && offer.labels(refused);
  const std::string out = "if the other columns are variants, and " + results::one_line(offer.name(refused), 100) +
                          (labels && reads(offer, pairs) ? " numbers the pairs: --columns " + shell_word(pairs.text())
                                                         : " is not one: --columns " + shell_word(variants.text()));
  return may_be_one ? out + "; " + if_variant : out;
}

/// A history has its commits in the place of variants, usually with one line for each.
std::string commit_per_line(const Offer& offer, std::optional<std::size_t> refused, ColumnRoles roles) {
  if (!refused || offer.numbers(*refused) || offer.different(*refused) + 1 != offer.lines.size()) return "";
  roles.names[pair_role].reset();
  roles.names[variant_role] = offer.name(*refused);
  return "; in a history, where each line is a commit: --columns " + shell_word(roles.text());
}

std::string others(const std::string& role, const std::vector<std::string>& names) {
  if (names.size() < 2) return "";
  const std::vector<std::string> rest(names.begin() + 1, names.end());
  return "; " + role + " may be another column: " + results::one_line(results::joined(rest), 200);
}

}  // namespace

std::string run_per_line_help(const ScoreInput& input, const Lines& lines) {
  const Offer offer{input, lines};
  const auto offered = offered_roles(offer);
  if (!offered) return "";
  return "to read one run per line, add --columns " + shell_word(offered->roles.text()) +
         (input.variant ? "" : others("variant", variants_in(offer))) + others("score", scores_in_table(offer)) +
         offered->problem;
}

std::string columns_help(const ScoreInput& input, const Lines& lines, std::optional<std::size_t> refused) {
  const Offer offer{input, lines};
  const std::string generic = "--columns variant=...,pair=...,score=... with the columns of the file: " +
                              results::one_line(results::joined(offer.names()), 300);
  if (std::ranges::any_of(lines, [&](const auto& line) { return line.size() != lines[0].size(); }))
    return "name the columns: " + generic;
  if (auto help = run_per_line_help(input, lines); !help.empty()) return help;
  if (is_curve(offer))
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
           shell_word(roles.text()) + commit_per_line(offer, refused, roles);
  }
  const bool all_numbers = std::ranges::all_of(offer.places(), [&](std::size_t c) { return offer.numbers(c); });
  if (!all_numbers || offer.names().size() < 2)
    return "name the columns: " + generic + "; where each other column is a variant, leave this one out";
  ColumnRoles each;
  for (const std::string& name : offer.names()) add_scores(each, name);
  return "if each column is a variant: --columns " + shell_word(each.text()) + "; else name the columns: " + generic;
}

}  // namespace retrial::harness::inline scores::inline formats
