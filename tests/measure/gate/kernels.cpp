// Six small CPU kernels for the error rates of the gate. One process runs one kernel 20 times and prints the time of
// each repetition in nanoseconds, a line each. `slower` lengthens the loop by that many percent: a real slow-down.
//
//     kernels NAME [SLOWER]
#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <numeric>
#include <string>
#include <vector>

namespace {

volatile double sink = 0;

std::uint64_t next(std::uint64_t& state) {
  state = state * 6364136223846793005ULL + 1442695040888963407ULL;
  return state >> 33;
}

/// The work of one kernel, `rounds` times; 100 rounds are one repetition.
using Kernel = void (*)(int rounds);

void gemm(int rounds) {
  constexpr std::size_t n = 40;
  static std::vector<double> a(n * n, 1.25), b(n * n, 0.75), c(n * n);
  for (int r = 0; r < rounds; ++r)
    for (std::size_t i = 0; i < n; ++i)
      for (std::size_t j = 0; j < n; ++j) {
        double sum = 0;
        for (std::size_t k = 0; k < n; ++k) sum += a[i * n + k] * b[k * n + j];
        c[i * n + j] = sum;
      }
  sink = c[n];
}

void stream(int rounds) {
  static std::vector<double> a(20'000, 1.0), b(20'000, 2.0);
  for (int r = 0; r < rounds; ++r)
    for (std::size_t i = 0; i < a.size(); ++i) a[i] = 0.5 * a[i] + b[i];
  sink = a[7];
}

void chase(int rounds) {
  static std::vector<std::uint32_t> to = [] {
    std::vector<std::uint32_t> order(1 << 14), out(1 << 14);
    std::iota(order.begin(), order.end(), 0U);
    std::uint64_t state = 1;
    for (std::size_t i = order.size() - 1; i > 0; --i) std::swap(order[i], order[next(state) % (i + 1)]);
    for (std::size_t i = 0; i < order.size(); ++i) out[order[i]] = order[(i + 1) % order.size()];
    return out;
  }();
  std::uint32_t at = 0;
  for (int r = 0; r < rounds; ++r)
    for (int i = 0; i < 2'000; ++i) at = to[at];
  sink = at;
}

void sorting(int rounds) {
  static std::vector<std::uint64_t> values(600), work;
  std::uint64_t state = 7;
  for (auto& value : values) value = next(state);
  for (int r = 0; r < rounds; ++r) {
    work = values;
    std::sort(work.begin(), work.end());
  }
  sink = static_cast<double>(work.front());
}

void hash(int rounds) {
  std::uint64_t h = 1469598103934665603ULL;
  for (int r = 0; r < rounds; ++r)
    for (std::uint64_t i = 0; i < 8'000; ++i) h = (h ^ (i & 255)) * 1099511628211ULL;
  sink = static_cast<double>(h);
}

void scan(int rounds) {
  static std::string text(30'000, 'a');
  text.back() = 'z';
  std::size_t found = 0;
  for (int r = 0; r < rounds; ++r)
    for (const char c : text) found += c == 'z' ? 1 : 0;
  sink = static_cast<double>(found);
}

struct Named {
  const char* name;
  Kernel run;
};
constexpr Named kernels[]{{"chase", chase}, {"gemm", gemm},    {"hash", hash},
                          {"scan", scan},   {"sort", sorting}, {"stream", stream}};

}  // namespace

int main(int count, char** words) {
  if (count < 2) return 2;
  const double slower = count > 2 ? std::atof(words[2]) : 0.0;
  for (const Named& kernel : kernels) {
    if (std::strcmp(kernel.name, words[1]) != 0) continue;
    const int rounds = static_cast<int>(std::lround(20.0 * (1.0 + slower / 100.0)));
    kernel.run(2);
    for (int repetition = 0; repetition < 20; ++repetition) {
      const auto begin = std::chrono::steady_clock::now();
      kernel.run(rounds);
      const auto ns =
          std::chrono::duration_cast<std::chrono::nanoseconds>(std::chrono::steady_clock::now() - begin).count();
      std::printf("%lld\n", static_cast<long long>(ns));
    }
    return 0;
  }
  return 2;
}
