// Values of numpy.random (NumPy 1.24.2, and 2.4.6 again) for SeedSequence, PCG64 and Generator.uniform.
#include <sstream>

#include "tests/catch.hpp"
#include "workloads/rl/env/numpy_generator.hpp"

namespace retrial::rl_numpy_generator_tests {

using namespace retrial::rlenv;

Pcg64::Wide wide_of(std::uint64_t high, std::uint64_t low) {
  return static_cast<Pcg64::Wide>(high) << 64 | low;
}

TEST_CASE("doubles of seed 42 are NumPy's") {
  Pcg64 generator(42);
  CHECK(generator.uniform(0, 1) == 0.7739560485559633);
  CHECK(generator.uniform(0, 1) == 0.4388784397520523);
  CHECK(generator.uniform(0, 1) == 0.8585979199113825);
  CHECK(generator.uniform(0, 1) == 0.6973680290593639);
}

TEST_CASE("a seed becomes NumPy's pool, state and increment") {
  struct Known {
    std::uint64_t seed;
    std::vector<std::uint32_t> pool;
    Pcg64::Wide state, increment;
    std::uint64_t first;
    double number;
  };
  const std::vector<Known> all{{0,
                                {0xb0f478be, 0xdb2cd7e7, 0x2c71ba49, 0xabf4641a},
                                wide_of(0x1aa1b5345996452d, 0x09585eb7a69561e3),
                                wide_of(0x418ddadb3af71a82, 0x588133bc447873a9),
                                0xa30febcfd9c2825f,
                                0.6369616873214543},
                               {1,
                                {0x6d6791ff, 0x672d8ee5, 0x4eb1072c, 0x8ae19ca1},
                                wide_of(0x9c5b484bfedb756c, 0x2a6e7d6f320fbc7e),
                                wide_of(0x922af2da2645f895, 0xa19857b95740937b),
                                0x8306bdf37922e4ff,
                                0.5118216247002567},
                               {2,
                                {0xa8ed588b, 0x8c8ea222, 0x6ee114ca, 0x55aa58f3},
                                wide_of(0x692416b3311ec79c, 0x2a21eb1bc4f483cc),
                                wide_of(0x5bae0a5743882ba5, 0xd1ad0f9f2cb8dbef),
                                0x42f90348d66b58c1,
                                0.2616121342493164},
                               {3,
                                {0x5dfd711b, 0xad068d6f, 0x2433f5f9, 0xb2a36eea},
                                wide_of(0xf38b68fdd16b0f8d, 0xa7f7267aef605897),
                                wide_of(0xa7043c160277735a, 0x2ed88b8bc66abe1f),
                                0x15ed1a93cfbec2f8,
                                0.08564916714362436},
                               {4,
                                {0x58de42c6, 0x6c73632b, 0x1dec4cb6, 0x23188e64},
                                wide_of(0x76339b92f88ff6f3, 0x4f69f00c3a703764),
                                wide_of(0xd1596989777d52ac, 0xa8edb0f4250cac59),
                                0xf16c1ffbb9f8274e,
                                0.9430561055723676}};
  for (const Known& known : all) {
    CHECK(SeedSequence(known.seed).generate_state(4) == known.pool);
    Pcg64 generator(known.seed);
    CHECK((generator.state() == known.state));
    CHECK((generator.increment() == known.increment));
    Pcg64 again = generator;
    CHECK(generator.next() == known.first);
    CHECK(again.uniform(0, 1) == known.number);
  }
}

// numpy.random.default_rng(2**40 + 7).random(): a seed of two words.
TEST_CASE("a seed of more than 32 bits") {
  Pcg64 generator((std::uint64_t{1} << 40) + 7);
  CHECK(generator.uniform(0, 1) == 0.829812891829413);
}

TEST_CASE("a generator that was saved goes on") {
  Pcg64 generator(5), loaded;
  (void)generator.next();
  std::stringstream bytes;
  nn::StateWriter to(bytes);
  generator.save(to);
  nn::StateReader from(bytes);
  loaded.load(from);
  CHECK(loaded.next() == generator.next());
}

}  // namespace retrial::rl_numpy_generator_tests
