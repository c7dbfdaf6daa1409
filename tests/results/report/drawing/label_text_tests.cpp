// Labels that are too wide for their place.
#include "results/report/drawing/label_text.hpp"

#include <set>

#include "tests/catch.hpp"

namespace retrial::tests::label_text_tests {

using namespace retrial::report;

namespace {

using Labels = std::vector<std::string>;

}  // namespace

TEST_CASE("a label that does not fit keeps its two ends") {
  CHECK(fitted("short", 100) == "short");
  const auto cut = fitted("width-8-rate-0.1-seed-17", 100);
  CHECK(label_width(cut) <= 100);
  CHECK(cut.starts_with("width"));
  CHECK(cut.ends_with("-17"));
}

TEST_CASE("labels that differ in the middle differ when they are cut") {
  const Labels names{"efficientnet-b0-wide-mixup-cutmix-ema", "efficientnet-b1-wide-mixup-cutmix-ema",
                     "efficientnet-b12-wide-mixup-cutmix-ema"};
  const auto cut = fitted_apart(names, 143);
  CHECK(cut == Labels{"\xE2\x80\xA6"
                      "0\xE2\x80\xA6",
                      "\xE2\x80\xA6"
                      "1\xE2\x80\xA6",
                      "\xE2\x80\xA6"
                      "12\xE2\x80\xA6"});
  CHECK(std::set(cut.begin(), cut.end()).size() == 3);
  for (const auto& label : cut) CHECK(label_width(label) <= 143);
}

TEST_CASE("labels that stay different are cut as one alone, and equal ones stay equal") {
  const Labels ends{"aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa1", "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa2"};
  CHECK(fitted_apart(ends, 80) == Labels{fitted(ends[0], 80), fitted(ends[1], 80)});
  const Labels equal{"the same long name of a variant", "the same long name of a variant"};
  CHECK(fitted_apart(equal, 80) == Labels(2, fitted(equal[0], 80)));
  CHECK(fitted_apart({}, 80).empty());
}

TEST_CASE("characters of several bytes are not torn") {
  const Labels names{"\xC3\xBC\xC3\xBC\xC3\xBC\xC3\xBC\xC3\xBC\xC3\xBC\xC3\xBC\xC3\xBC\xC3\xA4-0123456789-end",
                     "\xC3\xBC\xC3\xBC\xC3\xBC\xC3\xBC\xC3\xBC\xC3\xBC\xC3\xBC\xC3\xBC\xC3\xB6-0123456789-end"};
  // Both begin with the byte C3 of their ninth letter, which is no letter.
  CHECK(fitted_apart(names, 60)[0].starts_with("\xE2\x80\xA6\xC3\xA4"));
}

}  // namespace retrial::tests::label_text_tests
