// Defaults, ranges and messages: sections 5, 7, 8, 9 and 19 of the specification of distillation.
#include "results/text/error.hpp"
#include "tests/catch.hpp"
#include "workloads/distillation/methods/methods.hpp"
#include "workloads/distillation/methods/selection.hpp"
#include "workloads/interface/registry.hpp"

namespace retrial::tests::trial_declaration_tests {

using namespace retrial;
using Names = std::vector<std::string>;

namespace {

const workloads::Declaration& declared() {
  return workloads::find_workload("distillation", "");
}

Values with(const Values& given) {
  return workloads::resolved(declared(), given);
}

Names honoured(const Values& given) {
  return declared().honours(with(given));
}

std::string problems(const Values& given) {
  std::string text;
  for (const auto& problem : declared().validate(with(given)))
    text += problem.key + ": " + problem.problem + " (" + problem.allowed + ")\n";
  return text;
}

bool reads(const Values& given, const std::string& key) {
  const Names keys = declared().reads(with(given));
  return std::find(keys.begin(), keys.end(), key) != keys.end();
}

using std::string_literals::operator""s;

}  // namespace

TEST_CASE("distillation declares scratch as its baseline, and kd") {
  REQUIRE(declared().variants.size() == 2);
  CHECK(declared().variants[0].name == "scratch");
  CHECK(declared().variants[1].name == "kd");
  CHECK(declared().needs_torch);
  CHECK(declared().metrics.front().name == "accuracy");
  for (const auto& variant : declared().variants) CHECK(problems(variant.preset).empty());
}

TEST_CASE("a source is honoured only when the keys draw from it") {
  CHECK(honoured({}) == Names{"init", "teacher", "data-order"});
  CHECK(honoured({{"method", "ce"s}}) == Names{"init", "data-order"});
  CHECK(honoured({{"split", "oob"s}}) == Names{"init", "teacher", "data-split", "data-order"});
  CHECK(honoured({{"augment", "shift1"s}, {"dropout", .5}}) ==
        Names{"init", "teacher", "data-order", "augmentation", "dropout"});
}

TEST_CASE("kd reads the weights and the teacher, ce neither") {
  for (const char* key : {"w_ce", "w_soft", "temperature", "t_squared", "reduction", "teacher", "teacher_epochs",
                          "teacher_lr", "teacher_cache"}) {
    CHECK(reads({}, key));
    CHECK_FALSE(reads({{"method", "ce"s}}, key));
  }
  CHECK_FALSE(reads({}, "augment_mix"));
  CHECK(reads({{"augment", "shift1"s}}, "augment_mix"));
  CHECK_FALSE(reads({}, "subset"));
  CHECK(reads({{"train_count", std::int64_t{150}}}, "subset"));
}

TEST_CASE("every key that is read is declared") {
  for (const Values& given :
       {Values{}, Values{{"method", "ce"s}}, Values{{"augment", "shift1"s}, {"train_count", std::int64_t{9}}}})
    for (const std::string& key : declared().reads(with(given)))
      CHECK(workloads::find_parameter(declared(), key) != nullptr);
  for (const auto& parameter : declared().parameters) CHECK_FALSE(parameter.meaning.empty());
}

TEST_CASE("values outside their range are refused with the range") {
  const auto refusal = [](const std::string& key, const Value& value) {
    try {
      (void)workloads::checked(declared(), key, value, "");
    } catch (const Error& error) {
      return std::string(error.what());
    }
    return std::string();
  };
  CHECK_THAT(refusal("temperature", 0.0), has_text("distillation.temperature = 0") && has_text("(0, 1000]"));
  CHECK_THAT(refusal("method", "kdd"s), has_text("kd, kdsvd"));
  CHECK_THAT(refusal("dataset", "cifar11"s), has_text("cifar10, cifar10.1, cifar100, digits, fashion, mnist"));
  CHECK_THAT(refusal("method", "nothing"s), has_text("ab, at, cc, ce, cosine, crd, darkrank, dist, dkd"));  // sorted
  CHECK_FALSE(refusal("epochs", std::int64_t{0}).empty());
  CHECK_FALSE(refusal("momentum", 1.0).empty());
  CHECK_FALSE(refusal("lr", 0.0).empty());
  CHECK_FALSE(refusal("validation", .6).empty());
  CHECK(refusal("temperature", 1000.0).empty());
}

TEST_CASE("letters that mean opposite things elsewhere are refused with what to use instead") {
  for (const char* key : {"alpha", "lambda", "kd_weight"})
    CHECK_THROWS_WITH(workloads::checked(declared(), key, .9, "study.toml:3"),
                      "study.toml:3: distillation."s + key + " is ambiguous; use w_ce and w_soft");
}

TEST_CASE("unknown models are reported with the allowed names") {
  CHECK_THAT(problems({{"student", "resnet9"s}}), has_text("student: unknown model") && has_text("mlp:H1,H2,..."));
  CHECK_THAT(problems({{"teacher", "lenet300"s}}), has_text("teacher: does not fit the data set") && has_text("28x28"));
  CHECK(problems({{"method", "ce"s}, {"teacher", "nonsense"s}}).empty());  // ce reads no teacher
}

TEST_CASE("a method with a teacher refuses teacher = none") {
  CHECK_THAT(problems({{"teacher", "none"s}}), has_text("method kd needs a teacher"));
  CHECK(problems({{"method", "ce"s}, {"teacher", "none"s}}).empty());
}

TEST_CASE("weights that are both 0 minimise nothing") {
  CHECK_THAT(problems({{"w_ce", 0.0}, {"w_soft", 0.0}}), has_text("both 0"));
  CHECK(problems({{"w_ce", 0.0}}).empty());
  CHECK(problems({{"method", "ce"s}, {"w_ce", 0.0}, {"w_soft", 0.0}}).empty());
}

TEST_CASE("more training rows than there are: the error names the maximum") {
  CHECK_THAT(problems({{"train_count", std::int64_t{1001}}}),
             has_text("train_count: larger than the training split (0 (all) to 1000)"));
  CHECK(problems({{"train_count", std::int64_t{1000}}}).empty());
  CHECK_THAT(problems({{"train_count", std::int64_t{1000}}, {"subset", "balanced"s}}), has_text("class"));
}

TEST_CASE("an augmentation for photographs is refused on grey images") {
  CHECK_THAT(problems({{"augment", "autoaugment"s}}), has_text("augment: autoaugment needs images of 3 channels"));
  CHECK(problems({{"augment", "crop_flip"s}}).empty());
}

TEST_CASE("keys that contradict each other are refused before the first trial") {
  CHECK_THAT(problems({{"select", "best-val"s}}), has_text("best-val needs validation rows"));
  CHECK(problems({{"select", "best-val"s}, {"validation", .1}}).empty());
  CHECK_THAT(problems({{"teacher_cache", "logits"s}, {"augment", "shift1"s}}),
             has_text("must see each augmented image"));
  CHECK_THAT(problems({{"milestones", "1/3;2/3"s}}), has_text("is not a milestone"));
  CHECK_THAT(problems({{"validation", .001}, {"train_count", std::int64_t{150}}, {"split", "oob"s}}),
             has_text("validation"));
}

TEST_CASE("the identity of a preset holds only keys that differ from their default") {
  CHECK(workloads::non_default(declared(), with({{"method", "kd"s}})).empty());
  CHECK(workloads::non_default(declared(), with({{"method", "ce"s}})).size() == 1);
}

TEST_CASE("the data set's digest and its test items are known without a worker") {
  CHECK(results::hex(*declared().dataset(with({}), "")).substr(0, 12) == "68aea062d35a");
  CHECK(declared().test_items(with({}), "accuracy") == 797);
  CHECK_FALSE(declared().test_items(with({}), "train_loss").has_value());
}

TEST_CASE("every method reads the keys that weigh its terms") {
  for (const auto& method : distillation::all_methods()) {
    INFO(method.name);
    CHECK_FALSE(method.terms.empty());
    const Values keys = {{"method", method.name}, {"student", "cnn4"s}, {"teacher", "cnn4"s}, {"assistant", "cnn4"s}};
    for (const auto& use : method.terms)
      if (!use.weight_key.empty()) CHECK(reads(keys, use.weight_key));
    CHECK(reads(keys, "w_feat") == (method.w_feat > 0));
    if (method.name != "uda") CHECK(problems(keys) == "");
  }
}

TEST_CASE("beta is the weight of dkd alone; elsewhere it is ambiguous") {
  CHECK(problems({{"method", "dkd"s}, {"beta", 2.0}}).empty());
  CHECK_THAT(problems({{"beta", .9}}), has_text("beta: is ambiguous; use w_ce and w_soft"));
}

TEST_CASE("a loss that needs maps is refused for a network without, with the methods that do without") {
  const std::string said = problems({{"method", "at"s}});
  CHECK_THAT(
      said,
      has_text("method: method at: student mlp:32 has no spatial features (for these networks: cc, ce, cosine, "));
  CHECK_THAT(said, has_text(", rkd, ") && has_text(", dkd, ") && has_text(", crd, "));
  CHECK_THAT(said, !has_text("hint") && !has_text("reviewkd") && !has_text(" ab,"));
  CHECK_THAT(problems({{"method", "vid"s}, {"student", "cnn4"s}, {"teacher", "mlp:8"s}}),
             has_text("teacher mlp:8 has no spatial features"));
  CHECK(problems({{"method", "at"s}, {"student", "cnn4"s}}).empty());
}

TEST_CASE("networks that a method cannot compare are refused with their sizes") {
  const auto said = [&](const char* method, const char* student, const char* teacher, const Values& more = {}) {
    Values keys{{"method", std::string(method)}, {"student", std::string(student)}, {"teacher", std::string(teacher)}};
    for (const auto& [key, value] : more) keys[key] = value;
    return problems(keys);
  };
  CHECK_THAT(said("fsp", "cnn4", "cnn8"), has_text("student cnn4 has 4 channels in stage 1, teacher cnn8 has 8"));
  CHECK(said("fsp", "cnn4", "cnn4").empty());
  CHECK_THAT(said("at", "cnn4", "resnet10x"), has_text("has 3 stages, teacher resnet10x has 4"));
  CHECK_THAT(said("ofd", "resnet8b:w=8", "resnet8b:norelu"), has_text("no batch norm before the ReLU"));
  CHECK_THAT(said("ofd", "resnet8b:w=8", "cnn8"), has_text("maps of 4x4 in stage 2, teacher cnn8 of 8x8"));
  CHECK(said("ofd", "cnn4", "cnn8").empty());
  CHECK_THAT(said("hint", "cnn4", "cnn8", {{"hint_layer", std::int64_t{0}}}), has_text("student cnn4 has no stem"));
  CHECK_THAT(said("hint", "cnn4", "cnn8", {{"hint_layer", std::int64_t{4}}}), has_text("has no stage 4"));
  CHECK(said("hint", "resnet8b:w=8", "resnet8b", {{"hint_layer", std::int64_t{0}}}).empty());
}

TEST_CASE("modes, weights and optimizers that a method does not have are refused") {
  const Values cnn{{"student", "cnn4"s}};
  const auto with_cnn = [&](Values keys) {
    keys.insert(cnn.begin(), cnn.end());
    return problems(keys);
  };
  CHECK_THAT(with_cnn({{"method", "at"s}, {"mode", "delta"s}}),
             has_text("method at has no mode delta (default, code, paper)"));
  CHECK(with_cnn({{"method", "at"s}, {"mode", "paper"s}}).empty());
  CHECK_THAT(with_cnn({{"method", "at"s}, {"w_feat", -.5}}), has_text("w_feat: a negative weight"));
  CHECK_THAT(with_cnn({{"method", "at"s}, {"optimizer", "dot"s}}), has_text("dot needs a term with softened logits"));
  CHECK(with_cnn({{"method", "at"s}, {"optimizer", "dot"s}, {"base", "kd"s}}).empty());
  CHECK_THAT(problems({{"optimizer", "dot"s}, {"momentum", .95}}),
             has_text("dot_delta: moves a momentum of 0.95 out of"));
  CHECK_THAT(problems({{"method", "ce"s}, {"optimizer", "dot"s}}), has_text("optimizer"));
  CHECK_THAT(problems({{"method", "takd"s}}), has_text("assistant: method takd needs an assistant"));
  CHECK_THAT(problems({{"method", "takd"s}, {"assistant", "cnn"s}}), has_text("assistant: unknown model"));
  CHECK_THAT(problems({{"method", "rkd"s}, {"teacher_cache", "logits"s}}), has_text("needs features, not only logits"));
  CHECK(problems({{"method", "dkd"s}, {"teacher_cache", "logits"s}}).empty());
}

TEST_CASE("a last batch of one row is refused where samples are compared") {
  const Values odd{{"method", "rkd"s}, {"train_count", std::int64_t{129}}};
  CHECK_THAT(problems(odd), has_text("batch: the last batch of 129 training rows has 1"));
  CHECK(problems({{"method", "kd"s}, {"train_count", std::int64_t{129}}}).empty());
  CHECK(problems({{"method", "rkd"s}, {"train_count", std::int64_t{130}}}).empty());
  CHECK_THAT(problems({{"method", "darkrank"s}, {"train_count", std::int64_t{130}}}), has_text("has 2"));
  CHECK_THAT(problems({{"method", "darkrank"s}, {"train_count", std::int64_t{130}}}),
             has_text("method darkrank needs at least 3 samples"));
  CHECK_THAT(problems({{"method", "pkt"s}, {"batch", std::int64_t{1}}}), has_text("has 1"));
}

TEST_CASE("a last batch of one row is refused where a batch norm would see one value, which makes its statistics NaN") {
  // Digits of 8x8 are 2x2 after the three stages of a ResNet, and 1x1 after four, or if they are halved.
  const auto odd = [](const Values& more) {
    Values all{{"student", "resnet8b"s}, {"teacher", "cnn8"s}, {"train_count", std::int64_t{33}}};
    for (const auto& [key, value] : more) all[key] = value;
    return problems(all);
  };
  const Values half{{"downscale", std::int64_t{2}}};
  CHECK(odd({}).empty());
  CHECK(odd(half) ==
        "batch: the last batch of 33 training rows has 1, and the maps of student resnet8b end at 1x1: its batch norm "
        "needs more than one value (sizes with a last batch of at least 2)\n");
  CHECK_THAT(odd({{"student", "resnet18x"s}}), has_text("student resnet18x end at 1x1"));
  CHECK(odd({{"downscale", std::int64_t{2}}, {"batch", std::int64_t{31}}}).empty());
  CHECK(odd({{"downscale", std::int64_t{2}}, {"student", "mlp:8"s}}).empty());
  // The teacher trains on 1,000 rows, less those that are kept for validation: 37 * 27 = 999.
  CHECK_THAT(problems({{"teacher", "resnet18x"s}, {"teacher_batch", std::int64_t{37}}}),
             has_text("teacher_batch: the last batch of 1000 training rows has 1"));
  CHECK(problems({{"teacher", "resnet18x"s},
                  {"teacher_batch", std::int64_t{37}},
                  {"validation", .1},
                  {"train_count", std::int64_t{10}}})
            .empty());
  CHECK_THAT(problems({{"method", "takd"s}, {"assistant", "resnet18x"s}, {"teacher_batch", std::int64_t{37}}}),
             has_text("assistant resnet18x end at 1x1"));
}

TEST_CASE("files that a set does not have are a problem of the key, whatever the batches") {
  for (const auto& method : {"kd"s, "sp"s})
    CHECK(problems({{"files", "t10k"s}, {"method", method}}) ==
          "files: does not fit the data set (only MNIST and Fashion-MNIST have parts)\n");
}

TEST_CASE("a first phase whose terms all weigh 0 has no objective") {
  for (const auto& method : {"ab"s, "fsp"s}) {
    const Values none{{"student", "cnn8"s}, {"teacher", "cnn8"s}, {"method", method}, {"w_feat", 0.}};
    CHECK_THAT(problems(none), has_text("w_feat: 0, so the first phase of method " + method + " has no objective"));
    Values without = none;
    without["init_epochs"] = std::int64_t{0};
    CHECK(problems(without).empty());
  }
  const Values hint{{"student", "cnn8"s}, {"teacher", "cnn8"s}, {"method", "hint"s}, {"w_feat", 0.}};
  CHECK(problems(hint).empty());  // no first phase unless asked for
}

TEST_CASE("uda brings its own augmentation, which grey images refuse") {
  CHECK_THAT(problems({{"method", "uda"s}}), has_text("method: autoaugment needs images of 3 channels"));
  CHECK_THAT(problems({{"method", "uda"s}, {"augment", "shift1"s}}),
             has_text("augment: method uda has its own augmentation, autoaugment"));
  CHECK(honoured({{"method", "uda"s}}) == Names{"init", "teacher", "data-order", "augmentation"});
  CHECK(honoured({{"method", "uda"s}, {"teacher", "none"s}}) == Names{"init", "data-order", "augmentation"});
  CHECK(reads({{"method", "uda"s}}, "rotate_sign"));
  CHECK_FALSE(reads({{"method", "uda"s}}, "augment_mix"));
  CHECK_FALSE(reads({{"method", "uda"s}, {"teacher", "none"s}}, "w_soft"));
}

TEST_CASE("crd draws its negatives from a source of its own") {
  CHECK(honoured({{"method", "crd"s}}) == Names{"init", "teacher", "data-order", "sampling"});
}

TEST_CASE("a method's phases are its terms alone, then its base; or all of them together") {
  const auto phases = [](const Values& given) {
    Values keys{{"student", "cnn4"s}};
    for (const auto& [key, value] : given) keys[key] = value;
    std::string text;
    for (const auto& phase : distillation::phases_of(with(keys))) {
      text += phase.name + (phase.preparation ? "!" : "") + std::to_string(phase.epochs) + ":";
      for (const auto& term : phase.terms) text += " " + term.term + "*" + std::to_string(term.weight).substr(0, 5);
      text += "; ";
    }
    return text;
  };
  CHECK(phases({}) == "60: ce*0.500 soft*0.500; ");
  CHECK(phases({{"method", "ce"s}}) == "60: ce*1.000; ");
  CHECK(phases({{"method", "hint"s}}) == "60: ce*1.000 hint*100.0; ");
  CHECK(phases({{"method", "hint"s}, {"init_epochs", std::int64_t{5}}}) == "init5: hint*100.0; 60: ce*1.000; ");
  CHECK(phases({{"method", "ab"s}}) == "init10: ab*0.003; 60: ce*0.500 soft*0.500; ");
  CHECK(phases({{"method", "ab"s}, {"base", "ce"s}}) == "init10: ab*0.003; 60: ce*1.000; ");
  CHECK(phases({{"method", "ab"s}, {"init_epochs", std::int64_t{0}}}) == "60: ce*0.500 soft*0.500 ab*0.003; ");
  CHECK(phases({{"method", "fsp"s}}) == "init30: fsp*1.000; 60: ce*1.000; ");
  CHECK(phases({{"method", "ft"s}}) == "init!30: ft*1.000; 60: ce*1.000 ft*200.0; ");
  CHECK(phases({{"method", "rkd"s}, {"w_feat", 2.0}}) == "60: ce*1.000 rkd_distance*50.00 rkd_angle*100.0; ");
  CHECK(phases({{"method", "dkd"s}}) == "60: ce*1.000 tckd*1.000 nckd*8.000; ");
  CHECK(phases({{"method", "uda"s}, {"teacher", "none"s}}) == "60: ce*1.000; ");
}

TEST_CASE("dkd and reviewkd warm up over twenty epochs") {
  const distillation::WeightedTerm term{.term = "x", .weight = 2, .warms_up = true};
  CHECK(term.weight_at(0) == 2. / 20);
  CHECK(term.weight_at(19) == 2);
  CHECK(term.weight_at(100) == 2);
}

TEST_CASE("the last epoch is reported unless another is asked for") {
  distillation::Selection selection;
  selection.add(80, 50);
  selection.add(95, 60);
  selection.add(90, 60);  // a tie in validation: the first epoch of it counts
  selection.add(85, 40);
  CHECK(selection.reported("last") == 85);
  CHECK(selection.reported("best-val") == 95);
  CHECK(selection.reported("best-test") == 95);
  CHECK(selection.best_test() - selection.last() == 10);
  CHECK(selection.best_validation() == 60);
}

TEST_CASE("without validation rows nothing is selected by them") {
  distillation::Selection selection;
  selection.add(80, std::nullopt);
  CHECK_FALSE(selection.best_validation().has_value());
  CHECK_FALSE(selection.test_at_best_validation().has_value());
}

}  // namespace retrial::tests::trial_declaration_tests
