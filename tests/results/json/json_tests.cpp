#include "tests/catch.hpp"

#include <cmath>
#include <limits>

#include "results/digest/sha256.hpp"
#include "results/json/json.hpp"
#include "results/text/error.hpp"
#include "results/text/text.hpp"

namespace retrial::tests::json_tests {

using namespace retrial;
using namespace retrial::results;

namespace {

std::string nested(int depth) {
  return std::string(static_cast<std::size_t>(depth), '[') + std::string(static_cast<std::size_t>(depth), ']');
}

std::string refusal(const std::string& text) {
  try {
    (void)parse_json(text, "input");
    return "accepted";
  } catch (const Error& error) {
    CHECK(error.text.exit == Exit::usage);
    return error.what();
  }
}

}  // namespace

TEST_CASE("canonical JSON has the digests of the specification") {
  struct Row {
    const char *text, *digest;
  };
  // Reference values of the specification of results, 16.1, and of determinism, 28.2 F: computed independently.
  const auto row = GENERATE(values<Row>(
      {{R"({"schema":"retrial.config/1","values":{}})",
        "93700759c54a969a2a50d8471ec350690671e133d1b5f500f531ee1ce9152d36"},
       {"{\"schema\":\"retrial.config/"
        "1\",\"values\":{\"A\":{\"\":false},\"Z\":1,\"a\":[\"4480f0cf064dd592\",\"0000000000000001\",-7],"
        "\"aa\":\"\xE2\x80\xA8\x7F/\"}}",
        "1b58df630173c492136c9f87ff21fd9b56738bcdac9881309638f14447151ff4"},
       {R"({"name":"demo","schema":"retrial.study/1"})",
        "9eb5c9a819d5c12d5a041f90c00b0f79e5cdc24f0ff5ceb72982bdecf80a0ab9"},
       {R"({"cpu":"x","load":"3fe0000000000000","threads":{"inter":1,"intra":2}})",
        "d1357be8e2036a773765989f5501b5c0416507497cf4c3dffe2225b82199ce09"},
       {R"({"cpu":"x","threads":{"inter":1,"intra":2}})",
        "b57cddd16eae0c099e0d0545becf6c125b100cce36ae699af5edf4ef372e6495"},
       {R"({"schema":"retrial.config/1","values":{"epochs":30,"layers":[64,32],"lr":"3fa999999999999a","name":"a\"b\\c\u0001","optimizer":"sgd"}})",
        "a2720ee171c1c402e267b770ddbc0831e88c53c60f02a8d9c327ac7e2d0e8221"},
       {R"({"cpu_cores":2,"cpu_model":"Example CPU"})",
        "6c04783aadfa2449eb66ab3ac79daac43bfa03eb165be8c3e9ed85a574f1ce3f"},
       {R"({"a":"x","b":1})", "cdab067e9f3beb32d1252cfd63e492592fecbf591b0d08cadb24bb17f3864246"},
       {R"({"env":{"MKL_CBWR":"unset","OMP_NUM_THREADS":"2"},"loss":"3fc999999999999a","threads":{"inter":1,"intra":2}})",
        "a9517c44651b9c9594971bc8fa869a5a80855fbcaebdcb2a8d4e32a29bc61eda"},
       {"{\"B\":true,\"a\":-5,\"z\":[3,1,2],\"\xC3\xA9\":null}",
        "9bea1218576fd23d2e32b93c9f6fe700eed84b659716a86d8131958af6033510"}}));
  const Json document = parse_json(row.text, "reference");
  CHECK(canonical(document) == row.text);
  CHECK(hex(digest_of(document)) == row.digest);
}

TEST_CASE("keys are sorted by their bytes however they were inserted") {
  Json document;
  document["\xC3\xA9"] = 1;
  document["a"] = 2;
  document["B"] = 3;
  document["aa"] = 4;
  document[""] = 5;
  CHECK(canonical(document) == "{\"\":5,\"B\":3,\"a\":2,\"aa\":4,\"\xC3\xA9\":1}");
}

TEST_CASE("only quote, backslash and control bytes are escaped") {
  CHECK(canonical(Json("\n\t\"\\/\x7f\x1f")) == "\"\\u000a\\u0009\\\"\\\\/\x7f\\u001f\"");
  CHECK(canonical(Json(std::string("\0", 1))) == "\"\\u0000\"");
}

TEST_CASE("canonical integers cover signed and unsigned 64 bits") {
  CHECK(canonical(Json(INT64_MIN)) == "-9223372036854775808");
  CHECK(canonical(Json(UINT64_MAX)) == "18446744073709551615");
}

TEST_CASE("canonical JSON refuses floating-point numbers, bad UTF-8 and endless nesting") {
  CHECK_THROWS_WITH(canonical(Json(0.5)), has_text("floating-point") && has_text("0.5"));
  CHECK_THROWS_AS(canonical(Json(std::nan(""))), Error);
  CHECK_THROWS_WITH(canonical(Json("\xff")), has_text("UTF-8"));
  CHECK_THROWS_AS(canonical(Json{{"\xff", 1}}), Error);
  Json deep;
  for (int i = 0; i < 64; ++i) deep = Json::array({std::move(deep)});
  CHECK(canonical(deep).size() == 64 + 4 + 64);
  deep = Json::array({std::move(deep)});
  CHECK_THROWS_WITH(canonical(deep), has_text("64 levels"));
}

TEST_CASE("printed JSON keeps every bit of a double, writes null for NaN and infinities, and ends with a line feed") {
  CHECK(
      printed(Json{
          {"x", 1.0}, {"y", -0.0}, {"z", 0.1}, {"n", std::nan("")}, {"i", std::numeric_limits<double>::infinity()}}) ==
      "{\"i\":null,\"n\":null,\"x\":1.0,\"y\":-0.0,\"z\":0.1}\n");
  CHECK(hex_of_bits(parse_json(printed(Json(-0.0)), "x").get<double>()) == "8000000000000000");
}

TEST_CASE("JSON that is not quite JSON is refused with the place") {
  CHECK_THAT(refusal("{\"a\":1,\n \"a\":2}"), has_text("input:2:") && has_text("twice"));
  CHECK_THAT(refusal("{\"a\":{\"b\":1,\"b\":1}}"), has_text("\"b\" occurs twice"));
  CHECK_THAT(refusal("[1,]"), has_text("input:1:4"));
  CHECK_THAT(refusal("NaN"), has_text("not JSON"));
  CHECK_THAT(refusal("[Infinity]"), has_text("not JSON"));
  CHECK_THAT(refusal("{} x"), has_text("input:1:4"));
  CHECK_THAT(refusal(std::string("{}\0{}", 5)), has_text("input:1:3") && has_text("zero byte"));
  CHECK_THAT(refusal("\"\xC0\xAF\""), has_text("input:1:2") && has_text("UTF-8"));
  CHECK_THAT(refusal("\"\\ud800\""), has_text("not JSON"));
  CHECK_THAT(refusal("1e999"), has_text("not JSON"));
  CHECK_THAT(refusal("18446744073709551616"), has_text("more than 64 bits"));
  CHECK_THAT(refusal("-9223372036854775809"), has_text("more than 64 bits"));
  CHECK_THAT(refusal(""), has_text("not JSON"));
  CHECK_THAT(refusal("// x\n1"), has_text("not JSON"));
  CHECK_THAT(refusal("'a'"), has_text("not JSON"));
  CHECK_THAT(refusal("01"), has_text("not JSON"));
}

TEST_CASE("nesting is accepted to 64 levels and refused beyond, without using the call stack") {
  CHECK(canonical(parse_json(nested(64), "x")) == nested(64));
  CHECK_THAT(refusal(nested(65)), has_text("input:1:65") && has_text("64 levels"));
  CHECK_THAT(refusal(std::string(2'000'000, '[')), has_text("64 levels"));
}

TEST_CASE("keys of different objects may be equal, and empty objects and arrays survive") {
  const char* text = R"({"a":{"a":[]},"b":[{"a":{}},{"a":null}]})";
  CHECK(canonical(parse_json(text, "x")) == text);
}

TEST_CASE("values pass through canonical JSON with their type and bits") {
  const std::vector<Value> values = {true, std::int64_t{-3}, -0.0, std::string("a\"b")};
  for (const Value& value : values) {
    const Json json = canonical_value(value);
    const Value back = value_from_canonical(json, value, "lr");
    CHECK(canonical_value(back) == json);
    CHECK(back.index() == value.index());
  }
  CHECK(canonical_value(Value{0.05}) == Json("3fa999999999999a"));
}

TEST_CASE("a value of the wrong type is refused by name") {
  CHECK_THROWS_WITH(value_from_canonical(Json("x"), Value{1.0}, "lr"), has_text("lr") && has_text("16 hex digits"));
  CHECK_THROWS_WITH(value_from_canonical(Json(1.5), Value{std::int64_t{0}}, "epochs"), has_text("epochs"));
  CHECK_THROWS_AS(value_from_canonical(Json(UINT64_MAX), Value{std::int64_t{0}}, "epochs"), Error);
  CHECK_THROWS_AS(value_from_canonical(Json(1), Value{true}, "flag"), Error);
  CHECK_THROWS_AS(value_from_canonical(Json(1), Value{std::string()}, "name"), Error);
}

}  // namespace retrial::tests::json_tests
