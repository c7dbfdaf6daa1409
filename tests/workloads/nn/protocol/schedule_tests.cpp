// Expected values: arithmetic, and the definition of LibTorch's SGD evaluated by hand.
#include <cstring>
#include <sstream>

#include "tests/catch.hpp"
#include "variance/numbers/error.hpp"
#include "workloads/interface/trial/trial.hpp"
#include "workloads/nn/protocol/schedule.hpp"
#include "workloads/nn/protocol/sgd.hpp"
#include "workloads/nn/shape/state.hpp"

namespace retrial::tests::schedule_tests {

using namespace retrial;

namespace {
std::size_t changes_at(const std::vector<double>& rates, std::size_t nth) {
  for (std::size_t e = 1; e < rates.size(); ++e)
    if (rates[e] != rates[e - 1] && nth-- == 0) return e;
  return 0;
}
}  // namespace

TEST_CASE("the learning rate falls at exact shares of the epochs") {
  const auto rates = nn::learning_rates({.lr = .05, .gamma = .1, .milestones = "1/3,2/3"}, 120);
  CHECK(rates.size() == 120);
  CHECK(rates.front() == .05);
  CHECK(changes_at(rates, 0) == 40);
  CHECK(changes_at(rates, 1) == 80);
  CHECK(rates.back() == .05 * .1 * .1);
}

TEST_CASE("milestones of .33 and .66 are floors of exact products") {
  const auto rates = nn::learning_rates({.lr = .1, .gamma = .1, .milestones = ".33,.66"}, 350);
  CHECK(changes_at(rates, 0) == 115);  // 115.5
  CHECK(changes_at(rates, 1) == 231);  // .66 * 350 is 231 exactly, 231.00000000000003 in doubles
  const auto hundred = nn::learning_rates({.lr = .1, .gamma = .1, .milestones = ".29"}, 100);
  CHECK(changes_at(hundred, 0) == 29);  // 28.999999999999996 in doubles
}

TEST_CASE("whole numbers are epochs, and nothing keeps the rate") {
  const auto rates = nn::learning_rates({.lr = 1, .gamma = .5, .milestones = "2,3,9"}, 5);
  CHECK(rates == std::vector<double>{1, 1, .5, .25, .25});
  CHECK(nn::learning_rates({.lr = 1, .gamma = .5, .milestones = ""}, 3) == std::vector<double>{1, 1, 1});
}

TEST_CASE("what is no milestone is named") {
  for (const char* text : {"x", "1.5", "0", "3/2", "1/3,", ",", "-1", "0.0"}) {
    CHECK_FALSE(nn::milestones_problem(text).empty());
    CHECK_THROWS_AS(nn::learning_rates({.lr = 1, .gamma = 1, .milestones = text}, 3), InvalidInput);
  }
  CHECK(nn::milestones_problem("").empty());
}

TEST_CASE("the digest of a schedule sees every change of a rate") {
  CHECK(nn::schedule_digest({1, .1}) == nn::schedule_digest({1, .1}));
  CHECK(nn::schedule_digest({1, .1}) != nn::schedule_digest({.1, 1}));
  CHECK(nn::schedule_digest({1}) == results::sha256(std::string("\0\0\0\0\0\0\xf0\x3f", 8)));
}

TEST_CASE("two steps of momentum follow the definition") {
  // Powers of two: every operation is exact. w 1, g .5: step 1 v = .5, w = 1 - .25 * .5; step 2 v = .5 * .5 + .5.
  std::vector<float> w{1}, v{0};
  const std::vector<float> g{.5};
  const nn::Sgd sgd{.momentum = .5, .weight_decay = 0, .nesterov = false};
  nn::sgd_step(w, g, v, .25, sgd);
  CHECK(w[0] == .875F);
  nn::sgd_step(w, g, v, .25, sgd);
  CHECK(v[0] == .75F);
  CHECK(w[0] == .6875F);
}

TEST_CASE("Nesterov looks ahead and weight decay acts on the gradient") {
  // g = .5 + .25 * 1 = .75, v = .75, step = .75 + .5 * .75 = 1.125, w = 1 - .25 * 1.125.
  std::vector<float> w{1}, v{0};
  nn::sgd_step(w, std::vector<float>{.5}, v, .25, {.momentum = .5, .weight_decay = .25, .nesterov = true});
  CHECK(v[0] == .75F);
  CHECK(w[0] == .71875F);
}

TEST_CASE("a step does not contract multiplication and addition") {
  // g + decay * w with decay * w = 1 - 2^-24 * ... : in float32 the product rounds to 1 before 2^-24 is added.
  const float a = 1 + 0x1p-12F,
              b = 1 - 0x1p-12F;  // a * b = 1 - 2^-24, representable only with one more bit below 1: exact
  std::vector<float> w{a}, v{0};
  nn::sgd_step(w, std::vector<float>{-1}, v, 0, {.momentum = 0, .weight_decay = b, .nesterov = false});
  CHECK(v[0] == -1 + static_cast<float>(static_cast<double>(a) * b));
}

TEST_CASE("a state reads back to the bit, and is refused at the field where it is damaged") {
  std::ostringstream stream;
  nn::StateWriter to(stream);
  const std::vector<float> numbers{1, -0.0F, 3e-40F};
  to.number("epoch", 7);
  to.real("loss", -0.0);
  to.text("name", "a\0b");
  to.bytes("weights", std::as_bytes(std::span(numbers)));
  const auto read = [&](const std::string& bytes) {
    std::istringstream again(bytes);
    nn::StateReader from(again);
    CHECK(from.number("epoch") == 7);
    CHECK(std::signbit(from.real("loss")));
    CHECK(from.text("name") == "a");
    std::vector<float> found(3);
    from.bytes("weights", std::as_writable_bytes(std::span(found)));
    CHECK(std::memcmp(found.data(), numbers.data(), 12) == 0);
  };
  read(stream.str());
  const std::string whole = stream.str();
  CHECK_THROWS_WITH(read(whole.substr(0, whole.size() - 1)), has_text("weights"));
  std::istringstream other(whole);
  nn::StateReader from(other);
  CHECK_THROWS_AS((void)from.number("step"), workloads::TrialFailure);
}

}  // namespace retrial::tests::schedule_tests
