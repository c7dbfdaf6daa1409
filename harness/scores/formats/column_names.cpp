#include <algorithm>
#include <set>
#include <unordered_set>

#include "harness/scores/formats/columns.hpp"
#include "harness/scores/lines/score_lines.hpp"

namespace retrial::harness::inline scores::inline formats {
namespace {

/// Lower case; blanks, underscores and other marks left out: "Learning Rate" and "learning_rate" are one name.
std::string plain_name(const std::string& name) {
  std::string out;
  for (const char c : lower_case(name))
    if ((c >= 'a' && c <= 'z') || (c >= '0' && c <= '9')) out += c;
  return out;
}

/// The words of a name, in lower case.
std::vector<std::string> words_of(const std::string& name) {
  std::vector<std::string> words(1);
  for (const char c : name) {
    const std::string plain = plain_name(std::string(1, c));
    if (!plain.empty())
      words.back() += plain;
    else if (!words.back().empty())
      words.emplace_back();
  }
  if (words.back().empty()) words.pop_back();
  return words;
}

/// acc, val_loss; also val alone: the score on another part of the data is no other variant.
bool is_metric(const std::string& name) {
  static const std::set<std::string> parts{"val",  "valid", "validation", "test", "train",   "dev",
                                           "eval", "best",  "final",      "last", "training"};
  static const std::set<std::string> metrics{
      "acc",       "accuracy", "loss", "error",      "err",   "f1",    "auc",  "reward", "return",
      "precision", "recall",   "bleu", "rouge",      "mse",   "mae",   "rmse", "r2",     "nll",
      "ppl",       "top1",     "top5", "perplexity", "auroc", "auprc", "map",  "iou",    "miou",
      "dice",      "fid",      "wer",  "psnr",       "ssim",  "ndcg",  "mrr",  "score",  "logloss"};
  const auto words = words_of(name);
  const auto is_part = [&](const std::string& word) { return parts.contains(word) || word == "mean"; };
  const auto rest = std::ranges::find_if_not(words, is_part);
  if (rest == words.end()) return !words.empty();
  return std::next(rest) == words.end() && metrics.contains(*rest);
}

/// std, acc_std, ci95, count: what sums up runs. Means alone may be scores, as of data sets.
bool sums_up(const std::string& name) {
  static const std::set<std::string> spreads{"std",      "sd",  "stdev", "stddev", "stderr", "sem",  "se",
                                             "variance", "var", "ci",    "ci95",   "iqr",    "count"};
  static const std::set<std::string> alone{"min",  "max",   "median", "lower",   "upper", "low",
                                           "high", "total", "sum",    "average", "avg",   "overall"};
  const auto words = words_of(name);
  return !words.empty() && (spreads.contains(words.back()) || (words.size() == 1 && alone.contains(words[0])));
}

/// train_time_s, wall_s, elapsed: how long a run took.
bool names_duration(const std::string& name) {
  static const std::set<std::string> units{"s", "sec", "secs", "ms", "us", "min", "mins", "h"};
  static const std::set<std::string> times{"time",    "wall",    "elapsed", "duration",
                                           "runtime", "seconds", "minutes", "hours"};
  static const std::set<std::string> parts{"val",   "test", "train", "training", "eval",    "inference", "fit", "wall",
                                           "total", "mean", "real",  "run",      "elapsed", "score",     "gpu", "cpu"};
  auto words = words_of(name);
  const bool has_unit = words.size() > 1 && units.contains(words.back());
  if (has_unit) words.pop_back();
  if (words.empty()) return false;
  const bool timed = times.contains(words.back()) || (has_unit && words.back() == "cpu");
  return timed && std::all_of(words.begin(), words.end() - 1, [](const auto& word) { return parts.contains(word); });
}

}  // namespace

bool names_time(const std::string& column) {
  static const std::set<std::string> names{"step",
                                           "steps",
                                           "globalstep",
                                           "trainerglobalstep",
                                           "epoch",
                                           "epochs",
                                           "iteration",
                                           "iterations",
                                           "iter",
                                           "itr",
                                           "walltime",
                                           "time",
                                           "timestamp",
                                           "runtime",
                                           "relativetime",
                                           "relativetimewall",
                                           "relativetimeprocess"};
  return names.contains(plain_name(column));
}

bool names_variants(const std::string& column) {
  static const std::set<std::string> names{"variant", "model", "method",    "algorithm", "algo",   "agent",
                                           "system",  "arm",   "condition", "optimizer", "config", "name"};
  const auto words = words_of(column);
  return !words.empty() && names.contains(words.back());
}

bool names_line(const std::string& column) {
  static const std::set<std::string> names{
      "seed",     "seeds",   "randomstate", "fold",    "folds", "split",      "pair",      "pairs", "run",
      "runs",     "trial",   "rep",         "repeat",  "index", "repetition", "replicate", "id",    "uuid",
      "unnamed0", "subject", "participant", "patient", "row",   "line",       "number"};
  const auto words = words_of(column);
  const bool last = words.size() > 1 && (words.back() == "seed" || words.back() == "id");
  return last || names.contains(plain_name(column));
}

bool names_key(const std::string& column) {
  static const std::set<std::string> names{
      "lr",        "learningrate", "batch",     "batchsize",   "bs",          "epochs",    "weightdecay", "wd",
      "dropout",   "layers",       "momentum",  "depth",       "width",       "hidden",    "hiddensize",  "hiddendim",
      "units",     "heads",        "params",    "channels",    "temperature", "warmup",    "flops",       "warmupsteps",
      "numparams", "nparams",      "gpu",       "gpus",        "device",      "workers",   "numworkers",  "threads",
      "maxdepth",  "nlayers",      "numlayers", "nestimators", "numepochs",   "parameters"};
  static const std::vector<std::string> heads{"params.", "config."};
  const auto head = std::ranges::find_if(heads, [&](const auto& each) { return column.starts_with(each); });
  return names.contains(plain_name(head == heads.end() ? column : column.substr(head->size())));
}

bool names_no_variant(const std::string& column) {
  static const std::set<std::string> names{
      // numbers made from the scores
      "diff", "difference", "delta", "gain", "improvement", "rank", "winner", "pvalue", "pval",
      // columns of the long form and of tables of runs
      "variant", "cluster", "task", "metric", "score", "value", "dataset", "status", "state", "created", "starttime",
      "endtime", "duration", "date", "notes", "comment", "name", "model", "method",
      // answers of one model, item by item
      "label", "labels", "target", "truth", "groundtruth", "true", "ytrue", "pred", "ypred", "prediction",
      "predictions", "predicted"};
  // MLflow: metrics.acc, params.lr, tags.user; sacred and W&B: config.lr; W&B: _step, acc__MIN.
  static const std::vector<std::string> heads{"metrics.", "params.", "tags.", "config.", "summary.", "_"};
  const auto starts = [&](const std::string& head) { return column.starts_with(head); };
  return names.contains(plain_name(column)) || names_line(column) || names_key(column) || names_time(column) ||
         names_duration(column) || is_metric(column) || sums_up(column) || std::ranges::any_of(heads, starts) ||
         column.ends_with("__MIN") || column.ends_with("__MAX");
}

bool meant_as_score(std::string_view text) {
  static const std::set<std::string> words{"inf", "infinity"};
  constexpr std::string_view first = "+-.0123456789";
  return text.empty() || first.find(text[0]) != std::string_view::npos || is_missing(text) ||
         words.contains(lower_case(std::string(text)));
}

bool sums_up_lines(const std::string& name) {
  constexpr std::size_t longest = 40;  // "average rank", however it is spelled
  if (name.empty() || name.size() > longest) return false;
  static const std::set<std::string> summaries{
      "mean",  "avg", "average", "averagerank", "avgrank", "meanrank", "geomean", "gmean",    "median", "iqm",
      "std",   "sd",  "stdev",   "stddev",      "stderr",  "sem",      "var",     "variance", "min",    "max",
      "total", "sum", "overall", "count",       "meanstd", "25",       "50",      "75"};
  const bool share = name.ends_with('%');
  const std::string plain = plain_name(name);
  const bool number = !plain.empty() && plain.find_first_not_of("0123456789") == std::string::npos;
  return summaries.contains(plain) && number == share;
}

void refuse_summary(ScoreMistake place, const std::string& name) {
  if (!sums_up_lines(name)) return;
  place.value = name;
  place.problem = "by its name this line sums up others, and would count as a run";
  place.help = "remove the line; if it is a run, give it another name";
  refuse_score(place);
}

bool holds_words(const data::TableLines& lines, std::size_t place) {
  bool some = false;
  for (std::size_t i = 1; i < lines.size(); ++i) {
    if (lines[i].size() <= place) return false;
    const std::string_view text = lines[i][place].text;
    if (text.empty()) continue;
    if (meant_as_score(text)) return false;
    some = true;
  }
  return some;
}

bool repeats(const data::TableLines& lines, std::size_t place) {
  std::unordered_set<std::string_view> seen;
  return std::any_of(lines.begin() + 1, lines.end(),
                     [&](const auto& line) { return place < line.size() && !seen.insert(line[place].text).second; });
}

}  // namespace retrial::harness::inline scores::inline formats
