#include "determinism/operators/replay_torch.hpp"

#include <ATen/ops/addmm.h>
#include <ATen/ops/full.h>
#include <ATen/ops/index_select.h>
#include <ATen/ops/ones.h>
#include <ATen/ops/relu.h>
#include <ATen/ops/zeros.h>

#include <algorithm>
#include <set>
#include <stdexcept>

#include "determinism/digest/tensor_digest_torch.hpp"
#include "determinism/operators/recorder_torch.hpp"
#include "tests/catch_torch.hpp"

namespace retrial::tests::determinism_operators_replay_torch_tests {

using namespace retrial::determinism;

namespace {

const Call* call_of(const std::vector<Call>& calls, const std::string& name) {
  const auto found = std::ranges::find(calls, name, operator_of);
  return found == calls.end() ? nullptr : &*found;
}

}  // namespace

TEST_CASE("the recorder sees operators of forward and backward passes with their shapes, strides and numbers") {
  OperatorRecorder recorder;
  const at::Tensor weight = at::ones({7, 5}).t().set_requires_grad(true);
  at::addmm(at::zeros({7}), at::ones({3, 5}), weight, 2, 1).relu().sum().backward();
  CHECK(recorder.unreadable().empty());
  CHECK(recorder.passing().contains("aten::t"));  // a view

  const auto calls = recorder.calls();
  const Call* product = call_of(calls, "aten::addmm");
  REQUIRE(product != nullptr);
  const Json& given = product->at("arguments").at(2);
  CHECK(given.at("tensor") == "Float");
  CHECK(given.at("sizes") == Json{5, 7});
  CHECK(given.at("strides") == Json{1, 5});
  CHECK(product->at("arguments").at(3) == Json{{"int", 2}});
  CHECK(call_of(calls, "aten::threshold_backward") != nullptr);  // of relu
  CHECK(call_of(calls, "aten::mm") != nullptr);                  // of the weight
}

TEST_CASE("equal calls are recorded once, nothing after the recorder has gone") {
  std::vector<Call> calls;
  {
    OperatorRecorder recorder;
    for (int i = 0; i < 3; ++i) at::relu(at::ones({4}));
    calls = recorder.calls();
  }
  at::relu(at::ones({9}));
  CHECK(std::ranges::count(calls, std::string("aten::relu"), operator_of) == 1);
  OperatorRecorder next;
  CHECK(next.calls().empty());
  CHECK_THROWS_AS(OperatorRecorder(), std::logic_error);
}

TEST_CASE("ranges are those of all calls for floats, of equal shapes for integers") {
  OperatorRecorder recorder;
  at::relu(at::full({2}, -3.0));
  at::relu(at::full({5}, 8.0));
  at::index_select(at::ones({10}), 0, at::full({2}, 9, at::kLong));
  at::index_select(at::ones({4}), 0, at::full({2}, 3, at::kLong));
  for (const Call& call : recorder.calls()) {
    if (operator_of(call) == "aten::relu") {
      CHECK(call.at("arguments").at(0).at("low") == -3.0);
      CHECK(call.at("arguments").at(0).at("high") == 8.0);
    }
    if (operator_of(call) == "aten::index_select") {
      const auto rows = call.at("arguments").at(0).at("sizes").at(0).get<int>();
      CHECK(call.at("arguments").at(2).at("high") == rows - 1);
    }
  }
}

TEST_CASE("a recorded call is made again: same draw, same digest; another draw, another") {
  std::vector<Call> calls;
  {
    OperatorRecorder recorder;
    at::addmm(at::ones({3}), at::ones({2, 4}), at::full({4, 3}, 2.0));
    calls = recorder.calls();
  }
  const Call* product = call_of(calls, "aten::addmm");
  REQUIRE(product != nullptr);
  const Replayed once = replay(*product, 0);
  CHECK(once.returned == 6);
  CHECK(replay(*product, 0).digest == once.digest);
  CHECK_FALSE(replay(*product, 1).digest == once.digest);
}

TEST_CASE("the digest is that of what the operator returns and of its arguments after the call") {
  // A range of one integer leaves nothing to draw.
  const Json three{{"tensor", "Long"}, {"sizes", {5}}, {"strides", {1}}, {"low", 3}, {"high", 3}};
  const auto filled = [](std::int64_t value) { return at::full({5}, value, at::kLong); };
  CHECK(replay({{"operator", "aten::neg"}, {"arguments", {three}}}, 0).digest ==
        tensor_digest({{"returned 0", filled(-3)}, {"argument 0", filled(3)}}));
  CHECK(replay({{"operator", "aten::neg_"}, {"arguments", {three}}}, 0).digest ==
        tensor_digest({{"returned 0", filled(-3)}, {"argument 0", filled(-3)}}));
}

TEST_CASE("an operator that refuses a shape throws the library's error") {
  const Json left{{"tensor", "Float"}, {"sizes", {2, 3}}, {"strides", {3, 1}}};
  const Call product{{"operator", "aten::mm"}, {"arguments", {left, left}}};
  CHECK_THROWS_AS(replay(product, 0), c10::Error);
}

}  // namespace retrial::tests::determinism_operators_replay_torch_tests
