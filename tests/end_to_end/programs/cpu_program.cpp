// A program whose result depends on the CPU as the word says, for the checks under emulated CPUs:
//   clean   no            avx2   features          vendor   vendor, unless OPENBLAS_CORETYPE=Haswell, like OpenBLAS
//   killed  dies where there is no AVX2            curve    from the third step on, by features
#include <cpuid.h>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>

namespace {

bool avx2() {
  return __builtin_cpu_supports("avx2");
}

/// The first letter of the vendor: G of GenuineIntel, A of AuthenticAMD.
bool intel() {
  unsigned a = 0, b = 0, c = 0, d = 0;
  __get_cpuid(0, &a, &b, &c, &d);
  return (b & 0xff) == 'G';
}

bool pinned() {
  const char* set = std::getenv("OPENBLAS_CORETYPE");
  return set != nullptr && std::strcmp(set, "Haswell") == 0;
}

}  // namespace

int main(int count, char** words) {
  const char* const word = count > 1 ? words[1] : "clean";
  const auto is = [&](const char* what) { return std::strcmp(word, what) == 0; };
  if (is("killed") && !avx2()) std::raise(SIGKILL);
  const bool other = (is("avx2") && avx2()) || (is("vendor") && intel() && !pinned());
  for (int step = 1; is("curve") && step <= 4; ++step)
    std::printf("step=%d acc=0.%d\n", step, step >= 3 && avx2() ? 6 : 5);
  std::printf("acc=0.%s\n", other ? "9000000000000001" : "9");
}
