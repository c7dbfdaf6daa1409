// Roots are compared with std::sqrt, products with chains of std::fma in the order that product.hpp states, gradients
// with their closed forms and with differences.
#include "determinism/portable/own_operators.hpp"

#include <ATen/ATen.h>
#include <ATen/core/dispatch/Dispatcher.h>
#include <ATen/core/grad_mode.h>

#include <bit>
#include <cmath>
#include <sstream>

#include "determinism/portable/replaced.hpp"
#include "results/text/error.hpp"
#include "tests/catch.hpp"
#include "tests/determinism/mode/mode_scope_torch_torch.hpp"
#include "variance/random/rng.hpp"

namespace retrial::determinism::own_operators_tests {

namespace {

KernelMode portable_here() {
  KernelMode mode = mode_here(true, 1);
  mode.preset = "portable";
  mode.portable = true;
  return mode;
}

at::Tensor drawn(at::IntArrayRef sizes, at::ScalarType type, std::uint64_t key, double low = -1, double high = 1) {
  at::Tensor x = at::empty(sizes, at::kDouble);
  variance::Stream stream(key, 0);
  double* data = x.mutable_data_ptr<double>();
  for (std::int64_t i = 0; i < x.numel(); ++i) data[i] = variance::uniform(stream.next(), low, high);
  return x.to(type);
}

template <typename T>
T stated_sum(const T* x, std::int64_t x_stride, const T* y, std::int64_t y_stride, std::int64_t terms) {
  T total = 0;
  for (std::int64_t first = 0; first < terms; first += 256) {
    T chain = 0;
    for (std::int64_t p = first; p < std::min(first + 256, terms); ++p)
      chain = std::fma(x[p * x_stride], y[p * y_stride], chain);
    total = first == 0 ? chain : total + chain;
  }
  return total;
}

template <typename T>
at::Tensor stated_product_of(const at::Tensor& a, const at::Tensor& b) {
  at::Tensor result = at::empty({a.size(0), b.size(1)}, a.options());
  for (std::int64_t i = 0; i < a.size(0); ++i)
    for (std::int64_t j = 0; j < b.size(1); ++j)
      result.mutable_data_ptr<T>()[i * b.size(1) + j] =
          stated_sum(a.const_data_ptr<T>() + i * a.stride(0), a.stride(1), b.const_data_ptr<T>() + j * b.stride(1),
                     b.stride(0), a.size(1));
  return result;
}

at::Tensor stated_product(const at::Tensor& a, const at::Tensor& b) {
  return a.scalar_type() == at::kFloat ? stated_product_of<float>(a, b) : stated_product_of<double>(a, b);
}

bool same_bits(const at::Tensor& found, const at::Tensor& expected) {
  const at::ScalarType bits = expected.element_size() == 4 ? at::kInt : at::kLong;
  return found.scalar_type() == expected.scalar_type() && found.sizes() == expected.sizes() &&
         at::equal(found.contiguous().view(bits), expected.contiguous().view(bits));
}

at::Tensor std_roots(const at::Tensor& x) {
  at::Tensor roots = x.contiguous().clone();
  if (x.scalar_type() == at::kFloat)
    for (std::int64_t i = 0; i < x.numel(); ++i)
      roots.mutable_data_ptr<float>()[i] = std::sqrt(roots.const_data_ptr<float>()[i]);
  else
    for (std::int64_t i = 0; i < x.numel(); ++i)
      roots.mutable_data_ptr<double>()[i] = std::sqrt(roots.const_data_ptr<double>()[i]);
  return roots;
}

/// Largest difference of the gradient of sum(weights * f(x)) from central differences.
template <typename F>
double gradient_error(const at::Tensor& x, F f) {
  at::Tensor leaf = x.clone().requires_grad_();
  const at::Tensor y = f(leaf), weights = drawn(y.sizes(), at::kDouble, 77);
  (y * weights).sum().backward();
  const auto value = [&](const at::Tensor& at) {
    const at::NoGradGuard off;
    return (f(at) * weights).sum().template item<double>();
  };
  double worst = 0;
  for (std::int64_t i = 0; i < x.numel(); ++i) {
    constexpr double step = 1e-5;
    at::Tensor up = x.clone(), down = x.clone();
    up.view(-1)[i] += step;
    down.view(-1)[i] -= step;
    const double slope = (value(up) - value(down)) / (2 * step);
    worst = std::max(worst, std::abs(slope - leaf.grad().view(-1)[i].template item<double>()));
  }
  return worst;
}

/// Where the dispatcher has the CPU kernel of an operator from: "CPU: registered at FILE:LINE [kernel]"; else empty.
std::string cpu_kernel(const c10::OperatorName& name) {
  std::istringstream table(c10::Dispatcher::singleton().findOp(name)->dumpComputedTable());
  for (std::string line; std::getline(table, line);)
    if (line.starts_with("CPU: ") && line.ends_with("[kernel]")) return line;
  return "";
}

/// sqrt, sqrt_, sqrt.out; of pow those of a tensor and a number.
std::vector<c10::OperatorName> forms_on_cpu(const std::string& name) {
  std::vector<c10::OperatorName> forms;
  for (const c10::OperatorName& known : c10::Dispatcher::singleton().getAllOpNames()) {
    const bool same = known.name == name || known.name == name + "_";
    const bool of_number = name != "aten::pow" || known.overload_name.starts_with("Tensor_Scalar") ||
                           (known.name == "aten::pow_" && known.overload_name == "Scalar");
    if (same && of_number && !cpu_kernel(known).empty()) forms.push_back(known);
  }
  return forms;
}

void call(const std::string& name, std::int64_t tensors) {
  const auto found = c10::Dispatcher::singleton().findSchemaOrThrow(("aten::" + name).c_str(), "");
  torch::jit::Stack stack;
  for (std::int64_t i = 0; i < tensors; ++i) stack.emplace_back(drawn({3}, at::kFloat, 1, .1, .9));
  if (name.starts_with("logit")) stack.emplace_back();  // eps
  found.callBoxed(&stack);
}

}  // namespace

TEST_CASE("in mode portable a root has the bits of std::sqrt in every form") {
  const ModeScope scope(portable_here());
  for (const at::ScalarType type : {at::kFloat, at::kDouble}) {
    const at::Tensor x = drawn({40, 33}, type, 1, -1, 9);
    const at::Tensor views[] = {x, x.t(), x.slice(1, 1, 30, 3), x[0][0], x.slice(0, 0, 0), x.expand({2, 40, 33})};
    for (const at::Tensor& view : views) {
      CHECK(same_bits(view.sqrt(), std_roots(view)));
      CHECK(same_bits(view.pow(.5), std_roots(view)));
      CHECK(same_bits(view.contiguous().clone().sqrt_(), std_roots(view)));
      at::Tensor out = at::empty({0}, view.options());
      CHECK(same_bits(at::sqrt_out(out, view), std_roots(view)));
    }
    at::Tensor columns = x.clone();
    columns.t().slice(0, 0, 33, 2).sqrt_();
    CHECK(same_bits(columns.slice(1, 0, 33, 2), std_roots(x.slice(1, 0, 33, 2))));
    CHECK(same_bits(columns.slice(1, 1, 33, 2), x.slice(1, 1, 33, 2)));
  }
  CHECK(same_bits(at::arange(9).sqrt(), std_roots(at::arange(9).to(at::kFloat))));
  at::Tensor wide = at::empty({4}, at::kDouble);
  const at::Tensor narrow = drawn({4}, at::kFloat, 2, 0, 9);
  CHECK(same_bits(at::sqrt_out(wide, narrow), std_roots(narrow).to(at::kDouble)));
  at::Tensor whole = at::arange(9);
  CHECK_THROWS_WITH(whole.sqrt_(), has_text("can't be cast"));
}

TEST_CASE("in mode portable products of every form have the bits of the stated order") {
  const ModeScope scope(portable_here());
  for (const at::ScalarType type : {at::kFloat, at::kDouble}) {
    const at::Tensor a = drawn({13, 300}, type, 3), b = drawn({300, 21}, type, 4), product = stated_product(a, b);
    CHECK(same_bits(at::mm(a, b), product));
    CHECK(same_bits(at::mm(b.t(), a.t()), product.t()));
    CHECK(same_bits(at::matmul(a.view({1, 13, 300}), b)[0], product));
    CHECK(same_bits(at::linear(a, b.t()), product));
    at::Tensor out = at::empty({0}, a.options());
    CHECK(same_bits(at::mm_out(out, a, b), product));
    const at::Tensor bias = drawn({21}, type, 5), every = bias.expand({13, 21});
    CHECK(same_bits(at::linear(a, b.t(), bias), product + every));
    CHECK(same_bits(at::addmm(bias, a, b, 0, .5), product * .5));
    at::Tensor self = every.clone();
    CHECK(same_bits(self.addmm_(a, b), product + every));
    const at::Tensor square = drawn({9, 9}, type, 6), squared = stated_product(square, square);
    at::Tensor over = square.clone();
    CHECK(same_bits(at::mm_out(over, over, over), squared));
    over = square.clone();
    CHECK(same_bits(over.addmm_(over, over), squared + square));
    const at::Tensor batch = at::stack({a, a.flip(0)}), right = at::stack({b, b.flip(1)});
    const at::Tensor products = at::stack({product, stated_product(a.flip(0), b.flip(1))});
    CHECK(same_bits(at::bmm(batch, right), products));
    CHECK(same_bits(at::bmm(right.transpose(1, 2), batch.transpose(1, 2)), products.transpose(1, 2)));
    CHECK(same_bits(at::baddbmm(bias, batch, right), products + bias));
    CHECK(same_bits(at::mv(a, b.select(1, 2)), product.select(1, 2)));
    CHECK(same_bits(at::addmv(bias.select(0, 0), a, b.select(1, 2)), product.select(1, 2) + bias[0]));
    CHECK(same_bits(at::dot(a[3], b.select(1, 2)), product[3][2]));
  }
}

TEST_CASE("in mode portable a row of a batch has the bits that it has alone") {
  const ModeScope scope(portable_here());
  const at::Tensor x = drawn({37, 128}, at::kFloat, 7), weight = drawn({10, 128}, at::kFloat, 8),
                   bias = drawn({10}, at::kFloat, 9), whole = at::linear(x, weight, bias);
  for (std::int64_t i = 0; i < 37; ++i)
    CHECK(same_bits(at::linear(x.slice(0, i, i + 1), weight, bias), whole.slice(0, i, i + 1)));
}

TEST_CASE("in mode portable gradients go through the own operators") {
  const ModeScope scope(portable_here());
  const at::Tensor x = drawn({5, 7}, at::kDouble, 10, .5, 2), w = drawn({7, 3}, at::kDouble, 11),
                   stack = drawn({2, 5, 7}, at::kDouble, 12);
  CHECK(gradient_error(x, [](const at::Tensor& at) { return at.sqrt(); }) < 1e-8);
  CHECK(gradient_error(x, [](const at::Tensor& at) { return at.log(); }) < 1e-8);
  CHECK(gradient_error(x, [](const at::Tensor& at) { return at.pow(.5); }) < 1e-8);
  CHECK(gradient_error(x, [&](const at::Tensor& at) { return at::mm(at, w); }) < 1e-8);
  CHECK(gradient_error(w, [&](const at::Tensor& at) { return at::linear(x, at.t(), at[0]); }) < 1e-8);
  CHECK(gradient_error(stack, [&](const at::Tensor& at) { return at::bmm(at, at.transpose(1, 2)); }) < 1e-8);
  CHECK(gradient_error(x, [&](const at::Tensor& at) { return at::mv(at, w.select(1, 0)); }) < 1e-8);
  at::Tensor leaf = x.to(at::kFloat).requires_grad_();
  leaf.sqrt().sum().backward();
  CHECK(same_bits(leaf.grad(), 1 / (2 * std_roots(leaf.detach()))));
}

TEST_CASE("in mode portable whole numbers and wrong shapes stay with the library") {
  const ModeScope scope(portable_here());
  CHECK(at::mm(at::arange(6).view({2, 3}), at::arange(6).view({3, 2}))[1][1].item<std::int64_t>() == 40);
  CHECK_THROWS_WITH(at::mm(at::ones({2, 3}), at::ones({2, 3})), has_text("cannot be multiplied"));
  CHECK_THROWS(at::addmm(at::ones({5}), at::ones({2, 3}), at::ones({3, 4})));
  CHECK_THROWS_WITH(at::mm(at::ones({2, 2}), at::ones({2, 2}, at::kDouble)), has_text("dtype"));
}

TEST_CASE("in mode portable an operator that is not portable is refused by name, in other modes it runs") {
  for (const RefusedOperator& row : refused_operators)
    for (const std::string form : {"", "_"}) {
      const std::string name = std::string(row.name) + form;
      CHECK_NOTHROW(call(name, 1));
      const ModeScope scope(portable_here());
      try {
        call(name, 1);
        FAIL(name << " was not refused");
      } catch (const Error& error) {
        CHECK(error.text.value == "aten::" + name);
        CHECK(error.text.where == "kernel mode portable");
        CHECK(error.text.problem == "its bits depend on the CPU: " + std::string(row.reason));
      }
    }
}

TEST_CASE(
    "every form of a replaced operator that LibTorch computes on a CPU is ours in mode portable, and only there") {
  for (const ReplacedOperator& row : replaced_operators) {
    const std::vector<c10::OperatorName> forms = forms_on_cpu("aten::" + std::string(row.name));
    CHECK_FALSE(forms.empty());
    for (const c10::OperatorName& form : forms) {
      CHECK_THAT(cpu_kernel(form), has_text("RegisterCPU"));
      const ModeScope scope(portable_here());
      CHECK_THAT(cpu_kernel(form), has_text("own_operators_torch.cpp"));
    }
  }
}

TEST_CASE("after mode portable the library's operators are back, and nothing was printed") {
  struct Counter : c10::WarningHandler {
    int warnings = 0;
    void process(const c10::Warning&) override { ++warnings; }
  } counter;
  const c10::WarningUtils::WarningHandlerGuard guard(&counter);
  const at::Tensor a = drawn({64, 700}, at::kFloat, 13), b = drawn({700, 64}, at::kFloat, 14);
  const at::Tensor before = at::mm(a, b);
  {
    const ModeScope scope(portable_here());
    CHECK(same_bits(at::mm(a, b), stated_product(a, b)));
  }
  CHECK(same_bits(at::mm(a, b), before));
  CHECK_FALSE(same_bits(before, stated_product(a, b)));
  const ModeScope deterministic(mode_here(true, 1));
  CHECK_FALSE(same_bits(at::mm(a, b), stated_product(a, b)));
  CHECK(counter.warnings == 0);
}

}  // namespace retrial::determinism::own_operators_tests
