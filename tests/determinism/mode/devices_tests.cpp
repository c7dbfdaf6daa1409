// Reference values: threads of the cards as NVIDIA documents them, the formula as in pytorch/pytorch#196613.
#include "determinism/mode/devices.hpp"

#include "tests/catch.hpp"

namespace retrial::tests::devices_tests {

using namespace retrial::determinism;

TEST_CASE("the wave limit of a card is that of its blocks of 256 threads") {
  CHECK(wave_limit(132, 2048) == 270'336);  // H100, H200
  CHECK(wave_limit(108, 2048) == 221'184);  // A100
  CHECK(wave_limit(80, 2048) == 163'840);   // V100
  CHECK(wave_limit(10, 1536) == 15'360);
  CHECK(wave_limit(7, 1000) == 5'376);  // 3 blocks, not 3.9
}

}  // namespace retrial::tests::devices_tests
