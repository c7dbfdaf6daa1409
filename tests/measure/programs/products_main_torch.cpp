// Matrix products of LibTorch's library (MKL) and of mode portable, in turn, at the shapes of the networks: batch x
// inputs x outputs, forward (weights transposed) and the two gradients. tests/measure/portable.py starts it once for
// each branch of MKL, because that is fixed before the program starts.
#include <ATen/ATen.h>
#include <ATen/Parallel.h>
#include <benchmark/benchmark.h>

#include <string>

#include "determinism/portable/own_operators.hpp"

namespace {

struct Shape {
  const char* name;
  std::int64_t rows, terms, columns;
  bool a_transposed, b_transposed;
};
constexpr Shape shapes[] = {{"mlp:32 forward", 32, 64, 32, false, true},
                            {"mlp:32 weights", 32, 32, 64, true, false},
                            {"mlp:32 classes", 32, 32, 10, false, true},
                            {"resnet classes", 128, 64, 100, false, true},
                            {"resnet class weights", 100, 128, 64, true, false},
                            {"similarities", 128, 576, 128, false, true},
                            {"wide", 256, 1000, 300, false, true},
                            {"square", 512, 512, 512, false, false},
                            {"one row", 1, 64, 32, false, true},
                            {"one column", 300, 77, 1, false, false}};

at::Tensor numbers(std::int64_t rows, std::int64_t columns, bool transposed) {
  const at::Tensor stored = at::arange(rows * columns).to(at::kFloat).mul_(.37).remainder_(1).sub_(.5);
  return transposed ? stored.view({columns, rows}).t() : stored.view({rows, columns});
}

void multiply(benchmark::State& state, const Shape& shape, bool own) {
  at::set_num_threads(1);
  retrial::determinism::use_own_operators(own);
  const at::Tensor a = numbers(shape.rows, shape.terms, shape.a_transposed),
                   b = numbers(shape.terms, shape.columns, shape.b_transposed);
  for (auto _ : state) benchmark::DoNotOptimize(at::mm(a, b));
}

}  // namespace

int main(int argc, char** argv) {
  for (const Shape& shape : shapes)
    for (const bool own : {false, true})
      benchmark::RegisterBenchmark((std::string(shape.name) + (own ? "/own" : "/library")).c_str(), multiply, shape,
                                   own)
          ->MinTime(.05);
  benchmark::Initialize(&argc, argv);
  benchmark::RunSpecifiedBenchmarks();
}
