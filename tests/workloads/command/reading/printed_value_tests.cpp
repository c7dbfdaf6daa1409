#include "workloads/command/reading/printed_value.hpp"

#include <string>
#include <utility>
#include <vector>

#include "tests/catch.hpp"

namespace retrial::tests::printed_value_tests {

using namespace retrial::workloads::command;
using Kind = PrintedValue::Kind;

// As PyTorch 2, NumPy 1 and 2, JAX and TensorFlow print one number.
TEST_CASE("one number is read in every wrapping that libraries give it") {
  const std::vector<std::pair<std::string, double>> table{
      {"0.91", 0.91},
      {"[0.91]", 0.91},
      {"[ 0.91 ]", 0.91},
      {"[[0.91]], more", 0.91},
      {"tensor(0.9100)", 0.91},
      {"tensor(-1.5e-05)", -1.5e-05},
      {"tensor(0.91, device='cuda:0')", 0.91},
      {"tensor(0.91, device='cuda:0', grad_fn=<MeanBackward0>)", 0.91},
      {"tensor([0.91], dtype=torch.float64)", 0.91},
      {"tensor(3)", 3},
      {"np.float64(0.91)", 0.91},
      {"np.float32(0.5)", 0.5},
      {"array(0.91)", 0.91},
      {"array([0.91], dtype=float32)", 0.91},
      {"Array(0.5, dtype=float32, weak_type=True)", 0.5},
      {"tf.Tensor(0.5, shape=(), dtype=float32)", 0.5},
      {"[tensor(0.25, device='cuda:0')]", 0.25}};
  for (const auto& [text, expected] : table) {
    CAPTURE(text);
    const auto value = value_at(text);
    CHECK(value.kind == Kind::number);
    CHECK(value.value == expected);
  }
}

TEST_CASE("several numbers and half of a number are unclear, words are words") {
  for (const std::string text : {"[0.9, 0.8]",
                                 "[0.9 0.8]",
                                 "[0.9; 0.8]",
                                 "[0.9, ..., 0.8]",
                                 "[[0.9], [0.8]]",
                                 "tensor([0.9, 0.8])",
                                 "tensor([0.9,\n        0.8])",
                                 "np.float64(0.9, 0.8)",
                                 "1,234",
                                 "1.5ms",
                                 "0x1F",
                                 "12:30",
                                 "[1,234]",
                                 "[0.9",
                                 "0.80 -> 0.93",
                                 "0.8 => 0.9",
                                 "0.8 \xe2\x86\x92 0.9",
                                 "3 of 5 folds",
                                 "91 / 100",
                                 "1 234.5",
                                 "-12 345",
                                 "1 000"}) {
    CAPTURE(text);
    CHECK(value_at(text).kind == Kind::unclear);
  }
  for (const std::string text : {"", "pending", "(0.9)", "[5-fold]", "[3/10]", "[best]", "[]", "tensor()", "tensor(x)",
                                 "size(3)", "step(3)", "[[[[[[[0.9]]]]]]]", "-> 0.9"}) {
    CAPTURE(text);
    CHECK(value_at(text).kind == Kind::words);
  }
  CHECK(value_at("1e999").kind == Kind::out_of_range);
  CHECK(value_at("tensor(1e999)").kind == Kind::out_of_range);
}

TEST_CASE("a number that only stands beside others is read") {
  for (const std::string text : {"0.5 / Top-5 acc 0.9", "0.5 of all", "0.5 -> better", "0.5 0.9", "0.5 100",
                                 "0.5 (best 0.9)", "0.5, up from 0.4", "0.5 \xc2\xb1 0.1", "0.5  1234", "0.5 1 000"}) {
    CAPTURE(text);
    CHECK(value_at(text).kind == Kind::number);
    CHECK(value_at(text).value == 0.5);
  }
  CHECK(value_at("12 1234").kind == Kind::number);
  CHECK(value_at("1234 567").kind == Kind::number);
}

TEST_CASE("a text is a value as a whole or not at all") {
  CHECK(whole_value(" tensor(0.5)\n").value == 0.5);
  CHECK(whole_value("[0.5]").kind == Kind::number);
  CHECK(whole_value("[0.5] x").kind == Kind::words);
  CHECK(whole_value("0.5 0.6").kind == Kind::words);
}

}  // namespace retrial::tests::printed_value_tests
