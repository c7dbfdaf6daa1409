#include "tests/catch.hpp"

#include <fstream>
#include <vector>

#include "results/digest/sha256.hpp"
#include "results/text/error.hpp"
#include "tests/results/store/fixtures.hpp"

namespace retrial::tests::sha256_tests {

using namespace retrial;
using namespace retrial::results;

TEST_CASE("SHA-256 gives the published digests") {
  // FIPS 180-4 examples and NIST test vectors.
  CHECK(hex(sha256("")) == "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
  CHECK(hex(sha256("abc")) == "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
  CHECK(hex(sha256("abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq")) ==
        "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1");
  CHECK(hex(sha256(std::string(1'000'000, 'a'))) == "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0");
}

TEST_CASE("the pieces in which a text is hashed do not matter") {
  const std::string text(300, 'x');
  for (std::size_t cut = 0; cut <= 130; ++cut) {
    Sha256 hash;
    hash.update(std::string_view(text).substr(0, cut));
    hash.update(std::string_view(text).substr(cut, 1));
    hash.update(std::string_view(text).substr(cut + 1));
    REQUIRE(hash.finish() == sha256(text));
  }
}

TEST_CASE("a file has the digest of its bytes, and a missing file is an error") {
  const TemporaryFolder folder;
  std::ofstream(folder / "f", std::ios::binary) << std::string(100'000, 'q');
  CHECK(sha256_file(folder / "f") == sha256(std::string(100'000, 'q')));
  CHECK_THROWS_WITH(sha256_file(folder / "nothing"), has_text("cannot be read"));
  try {
    (void)sha256_file(folder / "nothing");
  } catch (const Error& error) {
    CHECK(error.text.exit == Exit::incomparable);
  }
}

TEST_CASE("a digest in hex is read back, and anything else is an integrity error that names it") {
  const Digest digest = sha256("abc");
  CHECK(digest_from_hex(hex(digest), "record") == digest);
  CHECK(id16_from_hex("00112233445566778899aabbccddeeff", "attempt")[15] == 0xff);
  CHECK_THROWS_WITH(digest_from_hex("abc", "record"), has_text("record") && has_text("64 hex digits"));
  try {
    (void)id16_from_hex(hex(digest), "attempt");
    FAIL("accepted");
  } catch (const Error& error) {
    CHECK(error.text.exit == Exit::integrity);
  }
}

}  // namespace retrial::tests::sha256_tests
