// Keys, sources and metrics of the workload, and what is said about keys that do not go together (section 17 of the
// specification of pruning).
#include <algorithm>
#include <fstream>
#include <iterator>

#include "results/text/error.hpp"
#include "results/text/text.hpp"
#include "tests/catch.hpp"
#include "tests/workloads/interface/folder.hpp"
#include "workloads/data/corrupt/mix.hpp"
#include "workloads/interface/registry.hpp"
#include "workloads/pruning/keys/distributions.hpp"
#include "workloads/pruning/keys/keys.hpp"
#include "workloads/pruning/steps/grid.hpp"

namespace retrial::pruning_declaration_tests {
using std::string_literals::operator""s;

namespace {

const workloads::Declaration& declaration() {
  return workloads::find_workload("pruning", "test");
}

Values keys(const Values& given = {}) {
  return workloads::resolved(declaration(), given);
}

std::vector<workloads::Problem> problems(const Values& given) {
  return declaration().validate(keys(given));
}

/// The only problem that these keys have.
workloads::Problem problem(const Values& given) {
  const auto found = problems(given);
  REQUIRE(found.size() == 1);
  return found[0];
}

bool contains(const std::vector<std::string>& names, const std::string& name) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

std::vector<std::string> honoured(const Values& given) {
  return declaration().honours(keys(given));
}

std::vector<std::string> metric_names(const Values& given) {
  std::vector<std::string> names;
  for (const auto& metric : workloads::metrics_under(declaration(), keys(given))) names.push_back(metric.name);
  return names;
}

std::string refusal(const std::string& key, const std::string& value) {
  try {
    (void)workloads::parsed(declaration(), key, value, "--set");
  } catch (const Error& error) {
    return error.what() + ("\n" + error.text.help);
  }
  return "";
}

}  // namespace

TEST_CASE("the defaults of every method of pruning go together") {
  for (const auto& variant : declaration().variants) {
    CAPTURE(variant.name);
    CHECK(problems(variant.preset).empty());
  }
}

TEST_CASE("random weights are the default baseline, and every method is a variant") {
  CHECK(declaration().variants.front().name == "rand_global");
  CHECK(declaration().variants.size() == pruning::all_methods().size());
}

TEST_CASE("prune potential on the nominal test images is judged by default") {
  CHECK(metric_names({}).front() == "potential_nominal_max");
}

TEST_CASE("an unknown method or pipeline suggests its nearest name and lists all, sorted") {
  CHECK_THAT(refusal("method", "snap"), has_text("snip") && has_text("bn_scale, fpgm, ft, group_l1, group_l2"));
  CHECK_THAT(refusal("pipeline", "cascad"), has_text("cascade, cascade_rewind, fine_tune, one_shot"));
  CHECK_THAT(refusal("dataset", "digit"), has_text("digits"));
}

TEST_CASE("an unknown model, corruption or distribution is named") {
  CHECK(problem({{"model", "resnet21b"s}}).key == "model");
  CHECK(problem({{"corruptions", "fogg"s}}).key == "corruptions");
  CHECK_THAT(problem({{"corruptions", "fogg"s}}).problem, has_text("fogg"));
  CHECK_THAT(problem({{"corruptions", "fogg"s}}).allowed, has_text("did you mean \"fog\"?") && has_text("uniform_1"));
  CHECK_THAT(problem({{"corruptions", "portabel"s}}).allowed, has_text("did you mean \"portable\"?"));
  CHECK(problems({{"corruptions", "fog, uniform_2"s}}).empty());
}

TEST_CASE("a last batch of one row is refused where a batch norm would see one value") {
  Values odd{{"model", "resnet8b"s}, {"downscale", std::int64_t{2}}, {"train_count", std::int64_t{33}}};
  CHECK(problem(odd).key == "batch");
  CHECK_THAT(problem(odd).problem, has_text("the last batch of 33 training rows has 1"));
  odd["batch"] = std::int64_t{31};
  CHECK(problems(odd).empty());
}

TEST_CASE("a grid that does not decrease, leaves (0, 1], is empty or is no number is refused") {
  CHECK_THAT(problem({{"grid", ".6, .4, .4"s}}).problem, has_text("0.4 after 0.4; must decrease"));
  for (const char* grid : {"1.2, .5", ".5, 0", "", ".5, .4x"}) {
    CAPTURE(grid);
    CHECK(problem({{"grid", std::string(grid)}}).key == "grid");
  }
}

TEST_CASE("severities outside 1..5 and margins that are no numbers are refused") {
  const auto severity = problem({{"severities", "6"s}});
  CHECK(severity.key == "severities");
  CHECK_THAT(severity.problem, has_text("6"));
  CHECK(severity.allowed == "1..5");
  CHECK(problem({{"deltas", "inf"s}}).key == "deltas");
  CHECK(problem({{"deltas", "101"s}}).key == "deltas");
  CHECK(problem({{"deltas", ""s}}).key == "deltas");
  CHECK(problem({{"noise_levels", "-1"s}}).key == "noise_levels");
}

TEST_CASE("what metrics are named after is there once, and a margin is compared exactly") {
  CHECK_THAT(problem({{"corruptions", "fog, snow, fog"s}}).problem, has_text("fog is repeated"));
  CHECK(problem({{"severities", "1, 2, 1"s}}).key == "severities");
  CHECK(problem({{"noise_levels", ".1, .10"s}}).key == "noise_levels");
  CHECK(problem({{"deltas", ".5, 1, .5"s}}).key == "deltas");
  // contrast at severity 1 has the name of a shift of the digits.
  CHECK_THAT(problem({{"corruptions", "contrast, contrast_1"s}, {"severities", "1, 2"s}}).problem,
             has_text("contrast_1 is repeated"));
  CHECK(problems({{"corruptions", "contrast, contrast_1"s}}).empty());
  CHECK_THAT(problem({{"deltas", "1e-30"s}}).allowed, has_text("18 decimals"));
  CHECK(problems({{"deltas", ".00001"s}}).empty());
  CHECK_THAT(problem({{"deltas", ".5,"s}}).problem, has_text("an empty item is not allowed"));
}

TEST_CASE("what would measure nothing, or only fail in the end, is refused before") {
  const auto every = problem({{"retrain_every", std::int64_t{15}}});
  CHECK(every.key == "retrain_every");
  CHECK(every.allowed == "1 to 14");
  CHECK(problems({{"retrain_every", std::int64_t{14}}}).empty());
  CHECK(problem({{"noise_images", std::int64_t{3}}, {"noise_levels", ""s}}).key == "noise_levels");
  CHECK(problems({{"noise_levels", ""s}}).empty());
  const Values blocks{{"backselect_images", std::int64_t{1}}, {"backselect_block", std::int64_t{3}}};
  CHECK_THAT(problem(blocks).problem, has_text("8x8"));
  CHECK(problems({{"backselect_block", std::int64_t{3}}}).empty());  // nothing is measured by it
  CHECK(problem({{"backselect_images", std::int64_t{1}}, {"backselect_block", std::int64_t{16}}}).key ==
        "backselect_block");
}

TEST_CASE("a scope in [set] for other variants does not reach a method whose rule has none") {
  for (const char* method : {"norm1", "sipp_rand", "lth", "ft"})
    for (const char* scope : {"global", "layer"}) {
      CAPTURE(method, scope);
      CHECK_FALSE(pruning::step_options(keys({{"method", std::string(method)}, {"scope", std::string(scope)}})).scope);
    }
  CHECK(pruning::step_options(keys({{"scope", "layer"s}})).scope == pruning::Rule::share);
  CHECK(pruning::step_options(keys({{"method", "fpgm"s}, {"scope", "global"s}})).scope == pruning::Rule::best);
}

TEST_CASE("training and tests name the one table that their corruptions are from") {
  const auto document = [](const Values& given) { return pruning::distribution_document(keys(given)); };
  const Json both = document({{"corruptions", "fog"s}, {"augment", "mix1"s}});
  CHECK(both.at("tested_by") == "C-like v1");
  CHECK(both.at("trained_by") == "C-like v1");
  CHECK(both.at("names") == Json{"nominal", "fog"});
  CHECK(document({}).at("tested_by").is_null());  // shifts of the digits are no corruptions of bytes
  CHECK(document({}).at("trained_by").is_null());
}

TEST_CASE("a corruption that leaves grey images as they are is said once, and not of images in colour") {
  const Values both = keys({{"corruptions", "saturate, fog"s}, {"severities", "1, 2"s}});
  CHECK(pruning::distribution_notes(both, {1, 8, 8}) ==
        std::vector<std::string>{"saturate does not change gray images"});
  CHECK(pruning::distribution_notes(both, {3, 32, 32}).empty());
  // Corruptions that mix1 leaves for tests are named if this program cannot make them.
  auto left_out = corrupt::usable(corrupt::mix2()).left_out;
  std::erase(left_out, "frost");  // a matter of photographs, not of the program
  const auto notes = pruning::distribution_notes(keys({{"corruptions", "mix2"s}}), {3, 32, 32});
  REQUIRE(notes.size() == left_out.size());
  for (std::size_t i = 0; i < notes.size(); ++i)
    CHECK(notes[i] == "corruptions = mix2: " + left_out[i] + " is not available in this program and is left out");
}

TEST_CASE("what asks for single weights or early ones is refused with factors, both keys named") {
  for (const char* method : {"svd", "alds", "pca"})
    for (const char* pipeline : {"cascade_rewind", "reinit", "random_mask"}) {
      const auto found = problem({{"method", std::string(method)}, {"pipeline", std::string(pipeline)}});
      CHECK(found.key == "pipeline");
      CHECK_THAT(found.problem, has_text(pipeline) && has_text("method = "s + method));
      CHECK_THAT(found.allowed, has_text("one_shot"));
    }
  const auto found = problem({{"method", "alds"s}, {"structure", "group"s}});
  CHECK(found.key == "structure");
  CHECK_THAT(found.problem, has_text("method = alds replaces weights by factors"));
  for (const char* pipeline : {"cascade", "one_shot", "fine_tune", "train"})
    CHECK(problems({{"method", "alds"s}, {"pipeline", std::string(pipeline)}}).empty());
}

TEST_CASE("keys of masks are not read by methods of low rank, and only pca draws a scoring set") {
  for (const char* key : {"scope", "exact", "min_keep", "reduce", "round_to", "lth_rule"}) {
    CAPTURE(key);
    CHECK_FALSE(contains(declaration().reads(keys({{"method", "alds"s}})), key));
  }
  CHECK(contains(declaration().reads(keys({{"method", "alds"s}})), "prune_classifier"));
  CHECK_FALSE(contains(honoured({{"method", "svd"s}}), "sample"));
  CHECK(contains(honoured({{"method", "pca"s}}), "sample"));
}

TEST_CASE("min_keep beyond the smallest keep ratio names the smallest that works") {
  const auto found = problem({{"min_keep", std::int64_t{200}}, {"grid", ".5, .02"s}});
  CHECK(found.key == "min_keep");
  CHECK_THAT(found.allowed, has_text("keep ratios from 0.03524"));  // 600 / 17,024
}

TEST_CASE("validation rows too few for a scoring set are refused with the smallest share that works") {
  const Values few{{"method", "sipp"s}, {"train_count", std::int64_t{100}}, {"validation", .015}};
  const auto found = problem(few);
  CHECK(found.key == "validation");
  CHECK_THAT(found.allowed, has_text("0.02"));
  Values enough = few;
  enough["validation"] = .02;
  CHECK(problems(enough).empty());
  enough["method"] = "wt"s;
  enough["validation"] = .015;
  CHECK(problems(enough).empty());  // nothing is drawn from them
}

TEST_CASE("structure = group with a method that masks single weights names both keys") {
  const auto found = problem({{"structure", "group"s}});
  CHECK(found.key == "structure");
  CHECK_THAT(found.problem, has_text("method = wt"));
  CHECK(problems({{"structure", "group"s}, {"method", "ft"s}}).empty());
}

TEST_CASE("the official arrays belong to CIFAR-10 as it was published, and are asked for by their nineteen names") {
  const auto found = problem({{"corruptions", "official"s}});
  CHECK(found.key == "corruptions");
  CHECK_THAT(found.allowed, has_text("dataset = cifar10, downscale = 1"));
  const auto names = pruning::distribution_names(keys({{"corruptions", "official"s}, {"dataset", "cifar10"s}}));
  CHECK(names.size() == 20);
  CHECK(contains(names, "jpeg_compression"));
  CHECK(contains(names, "frost"));
}

TEST_CASE("bn_scale wants batch norms: model and method are named") {
  const auto found = problem({{"method", "bn_scale"s}});
  CHECK(found.key == "model");
  CHECK_THAT(found.problem, has_text("mlp:128,64") && has_text("bn_scale"));
}

TEST_CASE("lth wants a grid of levels, and rewinding an epoch the parent has") {
  CHECK(problem({{"method", "lth"s}}).key == "grid");
  CHECK(problem({{"pipeline", "cascade_rewind"s}, {"rewind_epoch", std::int64_t{21}}}).key == "rewind_epoch");
}

TEST_CASE("a data set without its folder ends with exit code 4 and names data_dir") {
  try {
    (void)declaration().validate(keys({{"dataset", "cifar10"s}}));
    FAIL("accepted");
  } catch (const Error& error) {
    CHECK(error.text.exit == Exit::incomparable);
    CHECK(error.text.field == "pruning.data_dir");
  }
}

TEST_CASE("sources are honoured where something draws from them") {
  CHECK(honoured({{"corruptions", "none"s}}) == std::vector<std::string>{"init", "data-order"});
  CHECK(contains(honoured({}), "corrupt"));
  CHECK(contains(honoured({{"method", "rand_global"s}}), "prune"));
  CHECK(contains(honoured({{"pipeline", "random_mask"s}}), "prune"));
  CHECK(contains(honoured({{"method", "pfp"s}}), "sample"));
  CHECK(contains(honoured({{"pipeline", "reinit"s}}), "rewind"));
  CHECK(contains(honoured({{"noise_images", std::int64_t{5}}}), "test-noise"));
  CHECK(contains(honoured({{"augment", "mix1"s}, {"corruptions", "none"s}}), "corrupt"));
  CHECK_FALSE(contains(honoured({{"augment", "mix1"s}}), "augmentation"));
  CHECK(contains(honoured({{"augment", "shift1"s}}), "augmentation"));
  CHECK(honoured({{"pipeline", "train"s}, {"method", "rand_global"s}, {"corruptions", "none"s}}) ==
        std::vector<std::string>{"init", "data-order"});
}

TEST_CASE("noise and corruptions of test images belong to the data") {
  for (const auto& source : declaration().sources)
    CHECK(source.of_test_data == (source.name == "corrupt" || source.name == "test-noise"));
}

TEST_CASE("keys are read by the methods and pipelines that use them, and by no other") {
  const auto reads = [](const Values& given, const std::string& key) {
    return contains(declaration().reads(keys(given)), key);
  };
  CHECK(reads({}, "min_keep"));
  CHECK_FALSE(reads({{"method", "ft"s}}, "min_keep"));
  CHECK_FALSE(reads({{"scope", "layer"s}}, "min_keep"));
  CHECK_FALSE(reads({{"exact", false}}, "min_keep"));
  CHECK(reads({{"method", "mag_layer"s}, {"scope", "global"s}}, "min_keep"));
  CHECK_FALSE(reads({{"method", "ft"s}}, "prune_classifier"));
  CHECK(reads({{"method", "sipp"s}}, "sample_size"));
  CHECK_FALSE(reads({}, "sample_size"));
  CHECK(reads({{"pipeline", "cascade_rewind"s}}, "rewind_epoch"));
  CHECK_FALSE(reads({}, "rewind_epoch"));
  CHECK_FALSE(reads({{"pipeline", "train"s}}, "method"));
  CHECK_FALSE(reads({}, "noise_draws"));
  CHECK_FALSE(reads({}, "separate"));  // nothing to be compared in
  CHECK(reads({{"backselect_images", std::int64_t{1}}}, "separate"));
  CHECK(reads({{"model", "cnn4"s}}, "recalibrate"));
  CHECK_FALSE(reads({}, "recalibrate"));  // no batch norm
}

TEST_CASE("metrics are named after the distributions and the noise levels that are asked for") {
  const auto names = metric_names(
      {{"corruptions", "fog"s}, {"severities", "1, 3"s}, {"noise_images", std::int64_t{2}}, {"noise_levels", ".05"s}});
  for (const char* name :
       {"accuracy", "accuracy_fog_1", "potential_fog_3_first", "excess_slope", "distance_match_0.05", "live"})
    CHECK(contains(names, name));
  CHECK(contains(names, "potential_noise_0.05_max"));
  CHECK(contains(names, "accuracy_noise_0.05"));
  CHECK_FALSE(contains(metric_names({{"corruptions", "none"s}}), "excess_slope"));
  CHECK(pruning::distribution_names(keys()).size() == 14);  // nominal and the thirteen shifts of the digits
  CHECK(pruning::distribution_names(keys({{"corruptions", "portable"s}})).size() == 13);
}

TEST_CASE("a retraining counts the epochs of its network, and starts the schedule again or keeps its last rate") {
  const pruning::Lengths lengths{.parent = 20, .retraining = 10, .every = 3};
  const auto& cascade = pruning::find_pipeline("cascade");
  CHECK_FALSE(pruning::retrains(lengths, 2));
  CHECK(pruning::retrains(lengths, 3));
  CHECK(pruning::epochs_before(cascade, lengths, 3) == 20);
  CHECK(pruning::epochs_before(cascade, lengths, 6) == 30);
  CHECK(pruning::epochs_before(pruning::find_pipeline("one_shot"), lengths, 6) == 20);
  const nn::Schedule original{.lr = .1, .gamma = .1, .milestones = "1/2"};
  CHECK(pruning::retraining_schedule(cascade, original, 20).lr == .1);
  CHECK(pruning::retraining_schedule(pruning::find_pipeline("fine_tune"), original, 20).lr == .1 * .1);
}

TEST_CASE("a panel of the paper takes 50,778 epochs") {
  const auto networks = static_cast<std::int64_t>(pruning::retrained(pruning::grid(pruning::resnet20_grid), 3).size());
  const std::int64_t epochs = 182, methods = 4, nets = 3;
  CHECK(nets * (epochs + methods * networks * epochs) == 50778);
}

TEST_CASE("the page about pruning describes every method, every pipeline and every key of its own") {
  std::ifstream file(std::string(RETRIAL_SOURCE_DIR) + "/docs/workloads/pruning.md");
  const std::string page{std::istreambuf_iterator<char>(file), {}};
  const auto described = [&](const std::string& name) {
    CAPTURE(name);
    CHECK_THAT(page, has_text("`" + name + "`"));
  };
  for (const auto& method : pruning::all_methods()) described(method.name);
  for (const auto& pipeline : pruning::all_pipelines()) described(pipeline.name);
  const auto shared = data::data_parameters();
  for (const auto& parameter : declaration().parameters)
    if (std::none_of(shared.begin(), shared.end(), [&](const auto& s) { return s.name == parameter.name; }))
      described(parameter.name);
}

TEST_CASE("a potential is judged by the round that it is, and a compression by the same rounds") {
  const Values given = keys({{"grid", "powers(4, .8, .75)"s}});
  const auto scale = declaration().scale(given, "potential_nominal_max");
  CHECK(scale.range == std::pair(0.0, 100.0));
  REQUIRE(scale.levels.size() == 5);
  const double expected[] = {0, 20, 40, 55, 66.25};  // 100 (1 - .8 * .75^i)
  for (std::size_t i = 0; i < 5; ++i) CHECK_THAT(scale.levels[i], WithinAbs(expected[i], 1e-9));
  // A filter method that undershoots its round by the .36 points of a small network ties with one that does not.
  CHECK(workloads::judged_score(scale, 66.61) == workloads::judged_score(scale, 66.25));
  CHECK(workloads::judged_score(scale, 55.2) < workloads::judged_score(scale, 66.25));
  const auto compression = declaration().scale(given, "compression_nominal");
  REQUIRE(compression.levels.size() == 5);
  CHECK(compression.levels.front() == 1);
  CHECK(std::ranges::is_sorted(compression.levels));
  CHECK_FALSE(compression.range);
  CHECK(declaration().scale(given, "last_accuracy").range == std::pair(0.0, 100.0));
  CHECK(declaration().scale(given, "excess_slope") == workloads::ScoreScale{});
}

TEST_CASE("only retrained rounds are levels of a potential") {
  const auto scale = declaration().scale(keys({{"grid", "list(.8, .6, .4, .2)"s}, {"retrain_every", std::int64_t{2}}}),
                                         "potential_nominal_first");
  REQUIRE(scale.levels.size() == 3);
  CHECK_THAT(scale.levels[1], WithinAbs(40, 1e-9));
  CHECK_THAT(scale.levels[2], WithinAbs(80, 1e-9));
}

TEST_CASE("a redrawn division has an overlap, and test rows drawn with replacement tell less than their number") {
  const auto of = [](const char* split) { return keys({{"dataset", "digits"s}, {"split", std::string(split)}}); };
  CHECK_FALSE(declaration().overlap(of("published")));
  // 797 test rows, 1,000 training rows. 451.4 is the mean over 2,000 divisions drawn by another program; the formula
  // neglects that classes are divided apart.
  CHECK_THAT(*declaration().overlap(of("permuted")), WithinAbs(.797, 1e-12));
  CHECK_THAT(*declaration().overlap(of("oob")), WithinAbs(.797, 1e-12));
  CHECK_THAT(static_cast<double>(declaration().effective_items(of("oob"), "parent_accuracy").value()),
             WithinAbs(451.4, 2));
  CHECK_FALSE(declaration().effective_items(of("permuted"), "parent_accuracy"));
  CHECK_FALSE(declaration().effective_items(of("oob"), "potential_nominal_max"));
}

}  // namespace retrial::pruning_declaration_tests
