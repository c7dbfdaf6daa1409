// Study files: what a good one means, and that every mistake is one clear error with its place.
#include "harness/study/file/study_file.hpp"
#include "results/digest/sha256.hpp"
#include "results/text/error.hpp"
#include "tests/catch.hpp"
#include "tests/harness/program/program.hpp"
#include "tests/harness/study/checks/study_text.hpp"
#include "variance/random/rng.hpp"

namespace retrial::tests::study_tests {

using namespace retrial::harness;
using retrial::Error;
using retrial::Exit;
using retrial::tests::error_of;
using retrial::tests::Folder;
using retrial::tests::load;
using retrial::tests::write_file;

namespace {

const std::string head = "schema = 1\nworkload = \"null\"\nseed = 1\n";

}  // namespace

TEST_CASE("the first listed variant is the baseline, whatever its name") {
  const auto study = load(head + "[variant.zebra]\npreset = \"base\"\n[variant.ant]\npreset = \"shifted\"\n");
  REQUIRE(study.compare);
  CHECK(study.compare->baseline == "zebra");
  CHECK(study.compare->candidate == "ant");
  CHECK(study.compare->metric == "score");
}

// TOML 1.0, "Multi-line basic strings": a backslash at the end of a line trims whitespace and newlines up to the next
// character. The characters are of the ranges for which tomlplusplus 3.3 has no answer (harness/study/file/toml.hpp).
TEST_CASE("letters of other languages are no whitespace") {
  for (const std::string letter : {"\u00e9", "\u00df", "\u028b", "\u0416", "\u3042", "\u3001", "\ufb01"}) {
    const auto study = load(head +
                            "[variant.base]\n[variant.shifted]\n[claim.c]\ncandidate = \"shifted\"\nmetric = "
                            "\"score\"\nexpect = \"higher\"\nbaseline = \"base\"\nsays = \"\"\"a\\\n  " +
                            letter + "\"\"\"\n");
    REQUIRE(study.claims.claims.size() == 1);
    CHECK(study.claims.claims.front().says == "a" + letter);
    CHECK_THAT(error_of(head + "  " + letter + " = 1\n"), has_text("saw '" + letter + "'"));
  }
}

TEST_CASE("all honoured sources are varied unless held, and naming one twice is refused") {
  const auto study = load(head + "hold = [\"init\"]\n");
  CHECK(study.held == std::vector<std::string>{"init"});
  CHECK(std::find(study.varied.begin(), study.varied.end(), "data-order") != study.varied.end());
  CHECK_THAT(error_of(head + "vary = [\"init\"]\nhold = [\"init\"]\n"), has_text("varied and held"));
  CHECK_THAT(error_of(head + "vary = [\"inti\"]\n"), has_text("did you mean \"init\"?"));
}

TEST_CASE("keys override each other: default, preset, [set], the variant's own") {
  const auto study = load(head + "[set]\nsd = 2.0\nmean = 3\n[variant.base]\n[variant.shifted]\nmean = 4.5\n");
  CHECK(std::get<double>(study.variants[0].values.at("sd")) == 2.0);
  CHECK(std::get<double>(study.variants[0].values.at("mean")) == 3.0);
  CHECK(std::get<double>(study.variants[1].values.at("mean")) == 4.5);
}

TEST_CASE("every mistake in a study file names its place, the field and the allowed values") {
  const std::vector<std::pair<std::string, std::string>> table{
      {"workload = \"null\"\n", "schema: missing"},
      {"schema = 2\nworkload = \"null\"\n", "allowed: 1"},
      {"schema = 1\nseed = 1\n", "workload: missing"},
      {"schema = 1\nworkload = \"nul\"\n", "did you mean \"null\"?"},
      {head + "pair = 3\n", "did you mean \"pairs\"?"},
      {head + "pairs = 0\n", "pairs = 0: out of range"},
      {head + "pairs = \"many\"\n", "a whole number"},
      {head + "name = 3\n", "text in quotes"},
      {head + "mode = \"determinstic\"\n", "deterministic"},
      {head + "mode = { threads = 0 }\n", "threads"},
      {head + "vary = \"some\"\n", "\"all\" or a list"},
      {head + "[set]\nmeen = 1.0\n", "did you mean \"mean\"?"},
      {head + "[set]\nmean = \"high\"\n", "null.mean"},
      {head + "[set]\nmean = nan\n", "not a finite number"},
      {head + "[set]\nmean = 1979-05-27\n", "mean"},
      {head + "[set]\nsd = -1.0\n", "null.sd = -1"},
      {head + "[variant.a]\npreset = \"shiftd\"\n[variant.base]\n", "did you mean \"shifted\"?"},
      {head + "[variant.a]\npreset = \"base\"\n[variant.\"b/c\"]\npreset = \"base\"\n", "not a name"},
      {head + "[compare]\nalpha = 1.5\n", "compare.alpha = 1.5: out of range (allowed: 0 < alpha < 0.5)"},
      {head + "[compare]\ngamma = 0.5\n", "0.5 < gamma < 1"},
      {head + "[compare]\nmetric = \"scor\"\n", "did you mean \"score\"?"},
      {head + "[compare]\nbaseline = \"base\"\ncandidate = \"base\"\n", "is also the baseline"},
      {head + "[compare]\nfailure = \"ignore\"\n", "loss, drop, refuse"},
      {head + "[compare]\nlevel = 0.9\n", "unknown key"},
      {"schema = 1\nworkload = \"null\"\nseed = -1\n", "not a seed"},
      {"schema = 1\nworkload = \"null\"\nseed = \"0xg\"\n", "not a seed"},
      {"schema = 1\nworkload = \"null\nseed = 1\n", "s.toml:2:"},
  };
  for (const auto& [text, expected] : table) {
    INFO(text);
    CHECK_THAT(error_of(text), has_text(expected));
  }
  CHECK_THAT(error_of(head + "\n\npair = 3\n"), has_text("s.toml:6:1"));
}

TEST_CASE("a mistake that is found after parsing names line and column too") {
  const std::vector<std::pair<std::string, std::string>> table{
      {"schema = 2\n", "s.toml:1:10: schema = 2: not a known version"},
      {"schema = 1\nworkload = \"nul\"\n", "s.toml:2:12: "},
      {head + "pairs = 0\n", "s.toml:4:9: pairs = 0"},
      {head + "name = \"a/b\"\n", "s.toml:4:8: name"},
      {head + "vary = [\"inti\"]\n", "s.toml:4:8: vary = inti"},
      {head + "hold = [\"inti\"]\n", "s.toml:4:8: hold = inti"},
      {head + "[compare]\nalpha = 1.5\n", "s.toml:5:9: compare.alpha = 1.5"},
      {head + "[compare]\n\ngamma = 0.5\n", "s.toml:6:9: compare.gamma = 0.5"},
      {head + "[compare]\nmetric = \"scor\"\n", "s.toml:5:10: compare.metric = scor"},
      {head + "[compare]\nbaseline = \"bas\"\n", "s.toml:5:12: compare.baseline = bas"},
      {head + "[compare]\nfamily = \"dual\"\nn_max = 40\n", "s.toml:5:10: compare.family = dual"},
      {"schema = 1\nworkload = \"distillation\"\n[set]\nepochs = 3\nstudent = \"mpl\"\n[variant.kd]\n",
       "s.toml:5:11: distillation.student"},
      {head + "pairs = 5\n[variance]\ndesign = \"oat\"\n", "s.toml:4:9: pairs = 5"},
  };
  for (const auto& [text, expected] : table) {
    INFO(text);
    CHECK_THAT(error_of(text), has_text(expected));
  }
}

TEST_CASE("names count characters, and cannot be mistaken for options or hide in a terminal") {
  const auto variants = [](const std::string& name) {
    return head + "[variant.\"" + name + "\"]\npreset = \"base\"\n[variant.base]\n";
  };
  std::string umlauts;
  for (int i = 0; i < 128; ++i) umlauts += "\xC3\xA4";
  CHECK(load(variants(umlauts)).variants.front().name == umlauts);
  CHECK_THAT(error_of(variants(umlauts + "\xC3\xA4")), has_text("longer than 128 characters"));
  CHECK_THAT(error_of(variants("a\\u001b[31m")), has_text("contains a control character"));
  CHECK_THAT(error_of(variants("a\\u0085b")), has_text("contains a control character"));
  CHECK_THAT(error_of(variants("-a")), has_text("begins like an option"));
  for (const std::string name : {"-x", "..", ".hidden", "", "a\\u0007"})
    CHECK_THAT(error_of(head + "name = \"" + name + "\"\n"), has_text("s.toml:4:8: name") && has_text("not a name"));
  CHECK_THAT(error_of(head + "vary = [\"init\", \"init\"]\n"), has_text("s.toml:4:8: vary = init: named twice"));
}

TEST_CASE("a refused value is shown, and the help suggests the nearest name") {
  const std::string distillation = "schema = 1\nworkload = \"distillation\"\nseed = 1\n[set]\n";
  const auto error = [](const std::string& text) {
    try {
      static_cast<void>(load(text));
    } catch (const Error& wrong) {
      return wrong.text;
    }
    return retrial::ErrorText{};
  };
  const auto student = error(distillation + "student = \"resnet8a4\"\n[variant.kd]\n");
  CHECK(student.value == "resnet8a4");
  CHECK_THAT(student.help, has_text("did you mean"));
  CHECK_THAT(student.allowed, !has_text("did you mean"));
  CHECK(error(distillation + "train_count = 99999\n[variant.kd]\n").value == "99999");
  const auto mistyped = error(head + "[set]\nfailur = \"crash\"\n");
  CHECK_THAT(mistyped.allowed, has_text("mean"));
  CHECK_THAT(mistyped.help, has_text("did you mean \"failure\"?"));
}

TEST_CASE("pairs differ where a source is varied, noise is requested, or a clock is judged") {
  const auto mode = [](const std::string& name) { return retrial::determinism::mode_from_name(name, ""); };
  using retrial::results::Nature;
  CHECK_FALSE(pairs_differ({}, mode("deterministic"), Nature::outcome));
  CHECK_FALSE(pairs_differ({}, mode("inherit"), Nature::outcome));
  CHECK(pairs_differ({"init"}, mode("deterministic"), Nature::outcome));
  CHECK(pairs_differ({}, mode("nondeterministic"), Nature::outcome));
  CHECK(pairs_differ({}, mode("deterministic"), Nature::cost));
}

TEST_CASE("an impossible design is one error, with the allowed values or the line to write instead") {
  const std::vector<std::pair<std::string, std::string>> table{
      {"family = \"dual\"\nn_max = 40\n", "did you mean \"dual_e\"?"},
      {"family = \"dual_e\"\n", "compare.n_max: missing"},
      {"family = \"dual_e\"\ngamma = 0.75\nn_max = 0\n", "compare.n_max = 0: out of range (allowed: 1 to 10000)"},
      {"family = \"dual_e\"\ngamma = 0.75\nn_max = 10001\n", "out of range"},
      {"family = \"dual_e\"\ngamma = 0.75\nn_max = \"many\"\n", "a whole number"},
      {"n_max = 40\n", "has one look"},
      {"family = \"dual_e\"\ngamma = 0.75\nn_max = 40\nlooks = 5\n", "compare.looks: has no meaning"},
      {"family = \"dual_e\"\ngamma = 0.75\nn_max = 40\nmargin = 1.0\n", "compare.margin: has no meaning"},
      {"family = \"sprt\"\ngamma = 0.75\nn_max = 40\nband = [0.4, 0.6]\n", "compare.band: has no meaning"},
      {"family = \"dual_e\"\ngamma = 0.75\nn_max = 1001\nband = [0.4, 0.6]\n", "1 to 1000 with a band"},
      {"family = \"dual_e\"\ngamma = 0.75\nn_max = 40\ntest = \"wilcoxon\"\n", "is not the test of family dual_e"},
      {"family = \"dual_e\"\ngamma = 0.75\nn_max = 40\nrange = [0, 1]\n", "compare.range: has no meaning"},
      {"family = \"betting\"\nn_max = 40\n", "compare.range: missing"},
      {"family = \"betting\"\nn_max = 40\nrange = [100, 0]\n", "is not an interval"},
      {"family = \"betting\"\nn_max = 40\nrange = [0, inf]\n", "not a finite number"},
      {"family = \"betting\"\nn_max = 40\nrange = [0, 50, 100]\n", "two numbers"},
      {"family = \"betting\"\nn_max = 40\nrange = \"percent\"\n", "a list of two numbers"},
      {"family = \"t_anytime\"\nn_max = 40\nsides = \"one\"\n", "shares alpha between BETTER and WORSE"},
      {"family = \"t_anytime\"\nn_max = 40\ntest = \"paired_t\"\n", "none: leave it out"},
      {"family = \"group_sequential\"\nn_max = 40\nlooks = 21\n", "allowed: 1 to 20 looks in 40 pairs"},
      {"family = \"group_sequential\"\nn_max = 40\nlooks = [10, 30]\n", "is not the last pair"},
      {"family = \"group_sequential\"\nn_max = 40\nlooks = [20, 10, 40]\n", "out of order"},
      {"family = \"group_sequential\"\nn_max = 40\nspending = \"pocok\"\n", "did you mean \"pocock\"?"},
      {"family = \"group_permutation\"\nn_max = 40\nspending = \"pocock\"\n", "compare.spending: has no meaning"},
      {"family = \"group_permutation\"\nn_max = 40\nlooks = 21\n", "allowed: 1 to 20 looks in 40 pairs"},
      {"spending = \"pocock\"\n", "compare.spending: has no meaning"},
      {"test = \"wilcoxn\"\n", "did you mean \"wilcoxon\"?"},
      {"test = \"tost\"\n", "margin"},
      {"test = \"five_by_two_t\"\n", "cannot judge 20 pairs"},
      {"test = \"friedman\"\n", "unknown name"},
      {"test = \"wilcoxon\"\nband = [0.4, 0.6]\n", "has no meaning with test wilcoxon"},
      {"band = [0.6, 0.4]\n", "is not an interval"},
      {"band = [0.5, 0.6]\n", "0 < low < 0.5 < high < 1"},
      {"band = [0.4, 0.6]\nmargin = 1.0\n", "given together with margin"},
      {"sides = \"both\"\n", "allowed: one, two"},
      {"gamma = 0.8\ngamma_mode = \"unpaired\"\n", "needs the correlation"},
      {"gamma = 0.8\ngamma_mode = \"unpaired\"\ncorrelation = 1.0\n", "-1 < correlation < 1"},
      {"gamma = 0.8\ncorrelation = 0.5\n", "given without gamma_mode"},
      {"correlation = 0.5\n", "compare.correlation: has no meaning without gamma"},
      {"gamma_mode = \"paired\"\n", "compare.gamma_mode: has no meaning without gamma"},
      {"beta = 0.1\n", "compare.beta: has no meaning without gamma"},
      {"family = \"dual_e\"\nn_max = 40\n", "compare.gamma: missing: family dual_e tests against the smallest share"},
      {"family = \"sprt\"\nn_max = 40\n", "add gamma = 0.75 to [compare], or --gamma 0.75"},
  };
  for (const auto& [text, expected] : table) {
    INFO(text);
    CHECK_THAT(error_of(head + "[compare]\n" + text), has_text(expected));
  }
  CHECK_THAT(error_of(head + "pairs = 50\n[compare]\nfamily = \"dual_e\"\ngamma = 0.75\nn_max = 40\n"),
             has_text("contradicts pairs = 50"));
  CHECK_THAT(error_of("schema = 1\nworkload = \"command\"\n[set]\nread = \"loss\"\n[variant.a]\ncommand = \"a "
                      "{seed}\"\n[variant.b]\ncommand = \"b {seed}\"\n[compare]\nmargin = 1.0\n"),
             has_text("has no direction"));
}

TEST_CASE("every family and key of a design can be declared and is in its document") {
  const auto document = [](const std::string& text) { return design_document(load(head + "[compare]\n" + text)); };
  for (const std::string family : {"curtailed", "sprt", "mixture_e", "dual_e", "t_anytime", "sequentialised"}) {
    const auto design = document("family = \"" + family + "\"\ngamma = 0.75\nn_max = 40\n");
    CHECK(design.at("family") == family);
    CHECK(design.at("n_max") == 40);
    CHECK(design.at("pairs") == 40);
  }
  CHECK(document("family = \"dual_e\"\ngamma = 0.75\nn_max = 40\n").at("anytime") == true);
  CHECK(document("family = \"curtailed\"\nn_max = 40\n").at("anytime") == false);
  CHECK(document("family = \"group_sequential\"\nn_max = 40\n").at("looks") == retrial::Json({8, 16, 24, 32, 40}));
  CHECK(document("family = \"group_sequential\"\nn_max = 40\nlooks = [10, 40]\n").at("looks") ==
        retrial::Json({10, 40}));
  CHECK(document("family = \"group_permutation\"\nn_max = 40\nlooks = 2\n").at("looks") == retrial::Json({20, 40}));
  CHECK(document("family = \"group_permutation\"\nn_max = 40\n").at("test") == "group_permutation");
  CHECK(document("family = \"betting\"\nn_max = 40\nrange = [0, 100]\n").contains("range"));
  CHECK(document("test = \"wilcoxon\"\nsides = \"two\"\n").at("test") == "wilcoxon");
  CHECK(load(head + "pairs = 30\n[compare]\nfamily = \"dual_e\"\ngamma = 0.75\n").pairs == 30);
}

TEST_CASE("a design that declares nothing new keeps the document and the digest it always had") {
  const auto study = load(head);
  const auto design = design_document(study);
  CHECK(design.size() == 15);
  for (const char* key : {"gamma", "sides", "gamma_mode", "n_max", "looks", "band", "range", "anytime"})
    CHECK_FALSE(design.contains(key));
  CHECK(retrial::results::hex(retrial::results::digest_of(design)) ==
        retrial::results::hex(retrial::results::digest_of(
            design_document(load(head + "[compare]\nfamily = \"fixed\"\ntest = \"pab_exact\"\nsides = \"one\"\n")))));
}

TEST_CASE("a gamma is in the document only if it is declared, and a design that declares .75 keeps its digest") {
  const auto design = design_document(load(head + "[compare]\ngamma = 0.75\n"));
  CHECK(design.size() == 16);
  // The digest that the program gave this design while .75 was the default.
  CHECK(retrial::results::hex(retrial::results::digest_of(design)) ==
        "b50c665e53e5b7f541b738a27c58ac262e418b1fa80a8b447cb96b186f6bb94f");
  CHECK(load(head).compare->gamma == std::nullopt);
}

TEST_CASE("a list in a study file is the list its key holds") {
  const auto own = load(
      "schema = 1\nworkload = \"command\"\n[set]\nread = [\"accuracy\", \"loss~loss (\\\\S+), then\"]\ndirection = "
      "\"higher\"\n"
      "[variant.a]\ncommand = \"a {seed}\"\n");
  CHECK(std::get<std::string>(own.variants[0].values.at("read")) == "accuracy\nloss~loss (\\S+), then");
  const auto trained = load("schema = 1\nworkload = \"distillation\"\n[set]\nmilestones = [\"1/4\", \"1/2\"]\n");
  CHECK(std::get<std::string>(trained.variants[0].values.at("milestones")) == "1/4,1/2");
  const auto pruned = load("schema = 1\nworkload = \"pruning\"\n[set]\ndeltas = [0.5, 1, -2.5]\n");
  CHECK(std::get<std::string>(pruned.variants[0].values.at("deltas")) == "0.5,1,-2.5");
  CHECK_THAT(error_of("schema = 1\nworkload = \"pruning\"\n[set]\ndeltas = [0.5, nan]\n"),
             has_text("set.deltas = NaN") && has_text("not a finite number"));
}

TEST_CASE("a file that would overflow the parser's stack is refused before it is parsed") {
  std::string dotted = "a";
  for (int i = 0; i < 500'000; ++i) dotted += ".a";
  CHECK_THAT(error_of(head + dotted + " = 1\n"), has_text("more than 512 dots"));
  CHECK_THAT(error_of(head + "[" + dotted + "]\n"), has_text("more than 512 dots"));
  // A quote after a backslash, and the end of a multi-line text, do not hide one.
  std::string quoted = "\"\\\"\"", inside = "x = [\"\"\"\n\"\"\", {" + dotted + " = 1}]\n";
  for (int i = 0; i < 100'000; ++i) quoted += ".\"\\\"\"";
  CHECK_THAT(error_of(head + quoted + " = 1\n"), has_text("more than 512 dots"));
  CHECK_THAT(error_of(head + inside), has_text("more than 512 dots"));
  CHECK_THAT(error_of(head + "a = " + std::string(70, '[') + std::string(70, ']') + "\n"), has_text("s.toml:4:"));
  CHECK_THAT(error_of(std::string(2 << 20, '#')), has_text("1 MiB"));
  CHECK_THROWS_AS(read_study_file("/nonexistent/study.toml"), Error);
}

TEST_CASE("mutated study files give an error or a study, never anything else") {
  const std::string good = head +
                           "pairs = 4\nvary = [\"init\"]\n[set]\nmean = 2.0\n[variant.base]\n[variant.shifted]\neffect "
                           "= 1.0\n[compare]\nalpha = 0.05\n";
  const auto key = retrial::variance::derive(retrial::variance::derive(0, "fault-tests"), "study");
  int refused = 0;
  for (std::uint64_t round = 0; round < 600; ++round) {
    retrial::variance::Stream draws(key, round);
    std::string text = good;
    const auto changes = 1 + retrial::variance::bounded(draws.next(), 4);
    for (std::uint64_t i = 0; i < changes; ++i)
      text[retrial::variance::bounded(draws.next(), text.size())] =
          static_cast<char>(retrial::variance::bounded(draws.next(), 256));
    if (error_of(text) != "no error") ++refused;
  }
  CHECK(refused > 300);
}

TEST_CASE("the design enters the study's digest, the place of its lines does not") {
  const auto a = load(head + "[variant.base]\n[variant.shifted]\n[compare]\nalpha = 0.05\n");
  const auto b = load(
      "seed = 1\nworkload = \"null\"\nschema = 1\n\n[compare]\nalpha = 0.05\n[variant.base]\n\n[variant.shifted]\n");
  const auto c = load(head + "[variant.base]\n[variant.shifted]\n[compare]\nalpha = 0.01\n");
  CHECK(study_document(a) == study_document(b));
  CHECK(study_document(a) != study_document(c));
}

}  // namespace retrial::tests::study_tests
