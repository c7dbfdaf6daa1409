#include "tests/catch.hpp"

#include "results/exchange/jsonl.hpp"
#include "results/text/error.hpp"
#include "tests/results/store/fixtures.hpp"

namespace retrial::tests::jsonl_tests {

using namespace retrial;
using namespace retrial::results;

namespace {

const auto nowhere = [](const Digest&) { return std::optional<Json>(); };

Digest record_digest(const TrialRecord& r) {
  return digest_of(record_document(r, sha256("environment"),
                                   r.manifest.is_null() ? std::nullopt : std::optional(digest_of(r.manifest))));
}

std::string error_of(const std::string& text) {
  try {
    (void)read_jsonl(text, "x.jsonl", nowhere);
    return "accepted";
  } catch (const Error& error) {
    CHECK(error.text.exit == Exit::integrity);
    return error.what();
  }
}

}  // namespace

TEST_CASE("records and events pass through JSON Lines without losing a bit") {
  TrialRecord failed;
  failed.status = Status::oom;
  failed.message = "torch.oom: \"quoted\"\n";
  const std::vector<TrialRecord> records = {sample_record_with_series(1, 5000), sample_record(2), failed};
  const std::vector<Event> events = {
      {.at_ns = 3, .kind = "note", .identity = identity_of(1), .attempt = {}, .detail = "d"}};
  const JsonlContent back = read_jsonl(jsonl_text(records, events), "x.jsonl", nowhere);
  REQUIRE(back.records.size() == 3);
  for (std::size_t i = 0; i < 3; ++i) CHECK(record_digest(back.records[i]) == record_digest(records[i]));
  CHECK(back.records[0].manifest == records[0].manifest);
  CHECK(back.records[1].artifacts[0].body == records[1].artifacts[0].body);
  CHECK(digest_of(event_document(back.events.at(0))) == digest_of(event_document(events[0])));
  CHECK(jsonl_text(back.records, back.events) == jsonl_text(records, events));
}

TEST_CASE("an environment that the file lacks is looked up") {
  std::string text = jsonl_text(std::vector<TrialRecord>{sample_record(1)}, {});
  const std::size_t begin = text.find('\n') + 1, end = text.find('\n', begin) + 1;
  const Json base = parse_json(std::string_view(text).substr(begin, end - begin - 1), "line").at("body");
  text.erase(begin, end - begin);
  CHECK_THAT(error_of(text), has_text("environment") && has_text("missing"));
  const auto known = [&](const Digest& digest) {
    return digest == digest_of(base) ? std::optional(base) : std::nullopt;
  };
  CHECK(read_jsonl(text, "x", known).records.size() == 1);
}

TEST_CASE("any changed byte of a file is noticed, with its line") {
  const std::string whole = jsonl_text(std::vector<TrialRecord>{sample_record(1)}, {});
  CHECK(error_of(whole) == "accepted");
  for (std::size_t at = 0; at < whole.size(); at += 7) {
    std::string text = whole;
    text[at] = text[at] == '1' ? '2' : '1';
    if (text == whole) continue;
    // A changed letter in "t" or in a key that is not read may only make the line unreadable; nothing is ever taken in
    // changed.
    INFO("byte " << at << " of " << text);
    CHECK_THAT(error_of(text), has_text("x.jsonl"));
  }
}

TEST_CASE("an incomplete file is refused") {
  const std::string whole = jsonl_text(std::vector<TrialRecord>{sample_record(1)}, {});
  CHECK_THAT(error_of(""), has_text("no end line"));
  CHECK_THAT(error_of(whole.substr(0, whole.rfind("{\"records\""))), has_text("no end line"));
  CHECK_THAT(error_of(whole + whole.substr(0, 5)), has_text("incomplete"));
  CHECK_THAT(error_of(whole + whole), has_text("after the end line"));
  CHECK_THAT(error_of("{\"format\":\"other/1\"}\n"), has_text("x.jsonl:1"));
}

}  // namespace retrial::tests::jsonl_tests
