// Networks from files: what the keys allow before any file is read.
#include <algorithm>

#include "tests/catch.hpp"
#include "workloads/distillation/keys/inputs.hpp"
#include "workloads/distillation/keys/keys.hpp"
#include "workloads/interface/registry.hpp"
#include "workloads/interface/script_name.hpp"

namespace retrial::tests::distillation_script_tests {
using std::string_literals::operator""s;

namespace {

const std::string script = workloads::script_name(std::string(64, 'a'));

const workloads::Declaration& workload() {
  return workloads::find_workload("distillation", "");
}

Values keys(const Values& given) {
  return workloads::resolved(workload(), given);
}

std::vector<workloads::Problem> problems(const Values& given) {
  return workload().validate(keys(given));
}

bool has(const std::vector<std::string>& names, const std::string& name) {
  return std::ranges::find(names, name) != names.end();
}

}  // namespace

TEST_CASE("a script takes part in every method whose losses see logits alone") {
  std::vector<std::string> fitting;
  for (const auto& method : distillation::all_methods()) {
    if (method.name == "uda") continue;  // changes photographs, so that it does not fit the digits
    const auto found = problems({{"student", script}, {"method", method.name}, {"assistant", "mlp:8"s}});
    if (found.empty()) fitting.push_back(method.name);
    for (const auto& problem : found) {
      CHECK(problem.key == "method");
      CHECK_THAT(problem.problem, has_text("shows its logits alone, and this method compares features"));
      CHECK(problem.allowed == "for these networks: ce, cosine, dist, dkd, kd, lstd, multikd, takd, uda");
    }
  }
  std::ranges::sort(fitting);
  CHECK(fitting == std::vector<std::string>{"ce", "cosine", "dist", "dkd", "kd", "lstd", "multikd", "takd"});
  CHECK_FALSE(problems({{"teacher", script}, {"method", "at"s}, {"student", "cnn8"s}}).empty());
  CHECK(problems({{"teacher", script}, {"student", "cnn8"s}}).empty());
}

TEST_CASE("init does not reach a student from a file, and no source a teacher that is used as it is") {
  const auto honoured = [](const Values& given) { return workload().honours(keys(given)); };
  CHECK(has(honoured({}), "init"));
  CHECK_FALSE(has(honoured({{"student", script}}), "init"));
  CHECK(has(honoured({{"student", script}, {"teacher", script}}), "teacher"));
  const Values as_it_is{{"teacher", script}, {"teacher_epochs", std::int64_t{0}}};
  CHECK_FALSE(has(honoured(as_it_is), "teacher"));
  CHECK(has(honoured(as_it_is), "init"));
  const auto read = workload().reads(keys(as_it_is));
  for (const char* idle : {"teacher_lr", "teacher_batch", "teacher_augment", "teacher_augment_mix"})
    CHECK_FALSE(has(read, idle));
  CHECK(has(read, "teacher_epochs"));
}

TEST_CASE("only a network from a file can be a teacher without training") {
  const auto found = problems({{"teacher_epochs", std::int64_t{0}}});
  REQUIRE(found.size() == 1);
  CHECK(found.front().key == "teacher_epochs");
  CHECK(found.front().problem == "0, and the teacher cnn16 would keep its drawn weights");
  CHECK(found.front().allowed == "1 and above; 0 with teacher = script:FILE");
  CHECK(problems({{"teacher", script}, {"teacher_epochs", std::int64_t{0}}}).empty());
  CHECK(problems({{"method", "ce"s}, {"teacher_epochs", std::int64_t{0}}}).empty());  // not read
  CHECK(
      problems({{"teacher", script}, {"teacher_epochs", std::int64_t{0}}, {"method", "takd"s}, {"assistant", "mlp:8"s}})
          .front()
          .problem == "0, and the assistant mlp:8 would keep its drawn weights");
}

TEST_CASE("keys that change nothing in a script are refused") {
  CHECK(problems({{"student", script}, {"method", "ce"s}, {"dropout", .1}}).front().key == "dropout");
  CHECK(problems({{"student", script}, {"ablation", "norelu"s}}).front().key == "ablation");
}

TEST_CASE("a path is no model: the programs put the digest in its place") {
  CHECK(problems({{"student", "script:net.pt"s}}).front().problem == "unknown model");
}

}  // namespace retrial::tests::distillation_script_tests
