#include "workloads/command/line/asked_keys.hpp"

#include "tests/catch.hpp"
#include "workloads/interface/registry.hpp"

namespace retrial::tests::asked_keys_tests {

using namespace retrial;
using namespace retrial::workloads;
using namespace retrial::workloads::command;

namespace {

Values asked_with(const Values& given) {
  return asked_keys(resolved(find_workload("command", ""), given), "acc");
}

const std::string program = "python3 train.py --lr 0.1 --seed {seed}";
const Values plain = asked_with({{"command", program}});

}  // namespace

TEST_CASE("blanks and quotes make no other program, another word does") {
  CHECK(asked_with({{"command", "  python3\ttrain.py  --lr '0.1' \"--seed\" {seed} "}}) == plain);
  CHECK(asked_with({{"command", "python3 train.py --lr 0.10 --seed {seed}"}}) != plain);
  CHECK(asked_with({{"command", "python3 'train.py --lr' 0.1 --seed {seed}"}}) != plain);
}

TEST_CASE("the kind of a seed and the spelling of a folder make no other program") {
  CHECK(asked_with({{"command", "python3 train.py --lr 0.1 --seed {seed64}"}}) == plain);
  CHECK(asked_with({{"command", "python3 train.py --lr 0.1 --seed 7"}}) != plain);
  for (const char* folder : {".", "./", "a/.."}) {
    CAPTURE(folder);
    CHECK(asked_with({{"command", program}, {"workdir", std::string(folder)}}) == plain);
  }
}

TEST_CASE("the text that a shell reads is kept as it is") {
  const auto with = [](const std::string& text) { return asked_with({{"command", text}, {"shell", true}}); };
  CHECK(with("echo '{seed}' | cat") != with("echo {seed} | cat"));
  CHECK(with(program) != plain);
}

TEST_CASE("what else is read or kept, and where seeds come from, makes no other program; what runs before it does") {
  for (const char* key : {"read", "read_curve", "read_file", "read_json", "digest", "inputs", "env_seeds"}) {
    CAPTURE(key);
    CHECK(asked_with({{"command", program}, {key, std::string("other")}}) == plain);
  }
  for (const char* key : {"keep_out", "shared_folder", "env_seed"}) {
    CAPTURE(key);
    CHECK(asked_with({{"command", program}, {key, true}}) == plain);
  }
  CHECK(asked_with({{"command", program}, {"direction", std::string("higher")}}) == plain);
  CHECK(asked_with({{"command", program}, {"prepare", std::string("make clean")}}) != plain);
  CHECK(asked_with({{"command", program}, {"workdir", std::string("other")}}) != plain);
  CHECK(asked_with({{"command", program}, {"copy", std::string("other.yaml")}}) != plain);
  CHECK(asked_with({{"command", program}, {"warm_up", std::int64_t{2}}}) != plain);
}

}  // namespace retrial::tests::asked_keys_tests
