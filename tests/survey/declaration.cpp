// The survey of Ruffy and Chahal 2019 as a workload of a test program: `code = survey` has the defects that were read
// in its sources, `code = mended` has none. Two more defects are added, which its code does not have.
#include "tests/survey/contribution.hpp"
#include "workloads/interface/registry.hpp"

namespace retrial::survey {
namespace {

using workloads::Reads;

std::vector<std::string> reads(const Values& values) {
  std::vector<std::string> keys{"method", "code", "select", "epochs", "lr"};
  const std::string method = text_in(values, "method");
  if (method != "nokd") keys.insert(keys.end(), {"w_ce", "w_soft"});
  if (method == "kd" || method == "detached" || method == "dropout") keys.emplace_back("temperature");
  if (method == "rkd") keys.emplace_back("w_attention");
  return keys;
}

workloads::Declaration declaration() {
  using std::string_literals::operator""s;
  const auto variant = [](const char* name, const char* summary) {
    return workloads::Variant{name, summary, {{"method", std::string(name)}}};
  };
  return {
      .name = "survey",
      .summary = "distillation with the defects of a published survey",
      .parameters = {{"code", "survey"s, "whose code", std::vector<std::string>{"survey", "mended"}, Reads::evaluation},
                     {"method", "kd"s, "what the student minimises",
                      std::vector<std::string>{"nokd", "kd", "rkd", "oh", "ab", "detached", "dropout"}},
                     {"temperature", 4.0, "of both softmaxes", workloads::Range{0, 1000, true}},
                     {"w_ce", .5, "weight of the labels", workloads::Range{0, 1e6}},
                     {"w_soft", .5, "weight of the teacher's term", workloads::Range{0, 1e6}},
                     {"w_attention", 50.0, "weight of the attention of rkd", workloads::Range{0, 1e6}},
                     {"epochs", std::int64_t{2}, "passes", workloads::Range{1, 100}, Reads::schedule},
                     {"lr", .05, "step size", workloads::Range{0, 10, true}},
                     {"select", "last"s, "epoch that is reported", std::vector<std::string>{"last", "best-test"},
                      Reads::evaluation}},
      .sources = {{"init", "weights of the student"}, {"teacher", "weights of the teacher"}},
      .metrics = {{"accuracy", "%", results::Direction::higher},
                  {"loss", "nat", results::Direction::lower},
                  {"batch_gap", "", results::Direction::none}},
      .variants = {variant("nokd", "labels alone"), variant("kd", "the temperature is a type annotation"),
                   variant("rkd", "an attention loss is computed and never added"),
                   variant("oh", "teacher in training mode, features without ReLU between the stages"),
                   variant("ab", "features without ReLU between the stages"),
                   variant("detached", "the student's side of the soft term has no gradient"),
                   variant("dropout", "the student's logits depend on the other rows of a batch")},
      .probes = {{"dead-term", "every loss term pulls at the student"},
                 {"unaccounted-term", "the terms add up to the objective"},
                 {"teacher-mutated", "the teacher stays as it is while a student learns"},
                 {"teacher-path-differs", "features and logits come from one function"},
                 {"train-mode-in-eval", "a row scores alone as in a batch"}},
      .honours =
          [](const Values& values) {
            return text_in(values, "method") == "nokd" ? std::vector<std::string>{"init"}
                                                       : std::vector<std::string>{"init", "teacher"};
          },
      .reads = reads,
      .selects_on_test = [](const Values& values) { return text_in(values, "select") == "best-test" ? "select" : ""; },
      .operations = {"step"},
      .contributes = contribution()};
}

const workloads::Register declared{declaration()};

}  // namespace
}  // namespace retrial::survey
