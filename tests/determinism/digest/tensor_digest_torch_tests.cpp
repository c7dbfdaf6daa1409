// Reference values: computed for the specification by a program that is independent of this one.
#include <ATen/Parallel.h>
#include <ATen/ops/arange.h>
#include <ATen/ops/complex.h>
#include <ATen/ops/conj.h>
#include <ATen/ops/empty.h>
#include <ATen/ops/full.h>
#include <ATen/ops/imag.h>
#include <ATen/ops/ones.h>
#include <ATen/ops/tensor.h>
#include <ATen/ops/zeros.h>

#include "determinism/digest/tensor_digest_torch.hpp"
#include "tests/catch.hpp"
#include "variance/numbers/error.hpp"
#include "variance/random/rng.hpp"

namespace retrial::determinism::tensor_digest_tests {

namespace {

std::string hex(const at::Tensor& tensor) {
  return determinism::hex(tensor_digest(tensor));
}

at::Tensor drawn(std::int64_t n, std::uint64_t key) {
  at::Tensor values = at::empty({n}, at::kFloat);
  for (std::int64_t e = 0; e < n; ++e)
    values.data_ptr<float>()[e] =
        static_cast<float>(variance::normal(variance::block(key, static_cast<std::uint64_t>(e), 0)[0]));
  return values;
}

}  // namespace

TEST_CASE("digests of tensors have the reference values") {
  CHECK(hex(at::tensor({2.0f, 1.0f})) == "43454db66a62858b76ab4086d6686741");
  CHECK(hex(at::zeros({0}, at::kFloat)) == "7fcda104489fe513751ac2177f4cd9e2");
  CHECK(hex(at::ones({1}, at::kFloat)) == "624c4667945d3c1e093a54ea2efcbb97");
  CHECK(hex(at::full({1}, 0.1, at::kDouble)) == "b76d5ac8739e91c8f20baed1f12a173a");
  CHECK(hex(at::ones({1}, at::kHalf)) == "fc837ed690707503afea938d0369f509");
  CHECK(hex(at::arange(8, at::kLong)) == "caabdcdecfeabc0eb90cb7db423335c9");
  CHECK(hex(at::tensor({1, 0, 1}).to(at::kBool)) == "70b88e44f0ee080e910dc5e95b27cccc");
  CHECK(hex(at::arange(16385, at::kFloat)) == "763a9ed6915841f964fe0fd73d0db6fd");
}

TEST_CASE("a transposed view has the digest of its contiguous copy, not of the viewed tensor") {
  const at::Tensor matrix = at::arange(8, at::kLong).view({2, 4});
  CHECK(hex(matrix) == "2bc7e4120982e88c5d0795bcb1ddd0d4");
  CHECK(hex(matrix.t()) == "1249dbe0c53a82cbf8d278de78ce6310");
  CHECK(hex(matrix.t()) == hex(matrix.t().contiguous()));
  const at::Tensor square = drawn(49, 1).view({7, 7});
  CHECK(hex(square.t()) == hex(square.t().contiguous()));
  CHECK(hex(square.t()) != hex(square));  // equal shape, other content
}

TEST_CASE("no stride changes a digest: slices, steps, expansions, permutations") {
  const at::Tensor block = drawn(6 * 5 * 4, 2).view({6, 5, 4});
  for (const at::Tensor& view : {block.slice(0, 1, 5, 2), block.slice(2, 0, 4, 3), block.permute({2, 0, 1}), block[3],
                                 block.select(2, 1), block.slice(1, 4, 5).expand({6, 3, 4}), block.unsqueeze(1)})
    CHECK(tensor_digest(view) == tensor_digest(view.clone(at::MemoryFormat::Contiguous)));
}

TEST_CASE("the storage around a view does not enter its digest") {
  at::Tensor storage = at::zeros({100}, at::kFloat);
  const at::Tensor view = storage.slice(0, 10, 20);
  const auto before = tensor_digest(view);
  storage[0].fill_(5.0);
  CHECK(tensor_digest(view) == before);
  storage[15].fill_(5.0);
  CHECK(tensor_digest(view) != before);
}

TEST_CASE("conjugate and negative views are resolved") {
  const at::Tensor number = at::complex(at::ones({3}, at::kFloat), drawn(3, 3));
  CHECK(tensor_digest(number.conj()) == tensor_digest(number.conj().resolve_conj()));
  CHECK(tensor_digest(number.conj()) != tensor_digest(number));
  const at::Tensor negative = at::imag(number.conj());
  REQUIRE(negative.is_neg());
  CHECK(tensor_digest(negative) == tensor_digest(negative.resolve_neg().clone()));
  CHECK(tensor_digest(negative) != tensor_digest(at::imag(number)));
}

TEST_CASE("NaN payloads and signed zeros distinguish, NaN equals itself") {
  const auto with_bits = [](std::int32_t bits) { return at::full({1}, bits, at::kInt).view(at::kFloat); };
  CHECK(hex(with_bits(0x7fc00001)) == "547c7cdf5cf06632796f4d68727bb5e1");
  CHECK(tensor_digest(with_bits(0x7fc00001)) == tensor_digest(with_bits(0x7fc00001)));
  CHECK(tensor_digest(with_bits(0x7fc00001)) != tensor_digest(with_bits(0x7fc00002)));
  CHECK(tensor_digest(at::full({2}, 0.0, at::kFloat)) != tensor_digest(at::full({2}, -0.0, at::kFloat)));
}

TEST_CASE("shape and type count, gradients and threads do not") {
  const at::Tensor values = drawn(100'003, 4);
  CHECK(tensor_digest(values.view({1, 100'003})) != tensor_digest(values));
  CHECK(tensor_digest(values.to(at::kBFloat16)) != tensor_digest(values.to(at::kHalf)));
  CHECK(tensor_digest(values.clone().set_requires_grad(true)) == tensor_digest(values));
  const at::Tensor wide = drawn(400 * 251, 5).view({400, 251}).t();  // the copy into rows runs in parallel
  const int threads = at::get_num_threads();
  at::set_num_threads(1);
  const auto one = tensor_digest(wide);
  at::set_num_threads(2);
  CHECK(tensor_digest(wide) == one);
  at::set_num_threads(threads);
}

TEST_CASE("an undefined tensor has a digest of its own") {
  CHECK(tensor_digest(at::Tensor()) == tensor_digest(at::Tensor()));
  CHECK(tensor_digest(at::Tensor()) != tensor_digest(at::zeros({0}, at::kFloat)));
}

TEST_CASE("tensors that cannot be read are refused") {
  CHECK_THROWS_AS(tensor_digest(at::empty({2}, at::TensorOptions().device(at::kMeta))), InvalidInput);
  CHECK_THROWS_AS(tensor_digest(at::ones({2, 2}, at::kFloat).to_sparse()), InvalidInput);
}

TEST_CASE("a list of named tensors depends on order and names") {
  const at::Tensor w = at::tensor({1.0f, 2.0f}), b = at::full({1}, 0.5, at::kFloat);
  CHECK(determinism::hex(tensor_digest({{"w", w}, {"b", b}})) == "753e4ac386ed2c4bc799432a69248315");
  CHECK(determinism::hex(tensor_digest({{"b", b}, {"w", w}})) == "ff068b57323f98fbadbb8cd724e3c820");
  CHECK_THROWS_WITH(tensor_digest({{"w", w}, {"w", b}}), has_text("name = w"));
}

}  // namespace retrial::determinism::tensor_digest_tests
