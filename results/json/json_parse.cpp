#include <algorithm>
#include <iterator>
#include <vector>

#include "results/json/json.hpp"
#include "results/text/error.hpp"
#include "results/text/text.hpp"
#include "results/text/utf8.hpp"

namespace retrial::results::inline json {
namespace {

constexpr std::size_t max_open = 64;

// Passes the text to the parser and tracks how far it has read, since the parser's events have no position.
class CountingIterator {
 public:
  using iterator_category = std::forward_iterator_tag;
  using value_type = char;
  using difference_type = std::ptrdiff_t;
  using pointer = const char*;
  using reference = const char&;

  CountingIterator(const char* at, const char** furthest) : at_(at), furthest_(furthest) {}
  reference operator*() const { return *at_; }
  CountingIterator& operator++() { return *furthest_ = ++at_, *this; }
  CountingIterator operator++(int) {
    const auto old = *this;
    return ++*this, old;
  }
  bool operator==(const CountingIterator& other) const { return at_ == other.at_; }

 private:
  const char* at_;
  const char** furthest_;
};

class Builder final : public nlohmann::json_sax<Json> {
 public:
  explicit Builder(std::size_t size) : failed_at(size) {}
  Json root;
  std::string problem;    ///< empty: no problem
  std::size_t failed_at;  ///< byte position, if the parser reports one

  bool null() override { return place(nullptr); }
  bool boolean(bool value) override { return place(value); }
  bool number_integer(number_integer_t value) override { return place(value); }
  bool number_unsigned(number_unsigned_t value) override { return place(value); }
  bool number_float(number_float_t value, const string_t& text) override {
    // The parser silently turns an integer of more than 64 bits into a double.
    if (text.find_first_of(".eE") == std::string::npos)
      return refuse("the integer " + one_line(text, 40) + " has more than 64 bits");
    return place(value);
  }
  bool string(string_t& value) override { return place(std::move(value)); }
  bool binary(binary_t&) override { return refuse("binary data"); }
  bool start_object(std::size_t) override { return open(Json::object()); }
  bool start_array(std::size_t) override { return open(Json::array()); }
  bool end_object() override { return close(); }
  bool end_array() override { return close(); }
  bool key(string_t& name) override {
    if (open_.back()->contains(name))
      return refuse("the key \"" + one_line(name, 100) + "\" occurs twice in one object");
    key_ = std::move(name);
    return true;
  }
  bool parse_error(std::size_t position, const std::string&, const nlohmann::detail::exception& error) override {
    failed_at = position > 0 ? position - 1 : 0;
    const std::string text = error.what();
    const std::size_t reason = text.find("; ");
    return refuse(
        "not JSON: " +
        one_line(reason == std::string::npos ? text.substr(text.find("] ") + 2) : text.substr(reason + 2), 200));
  }
  bool refuse(std::string why) {
    if (problem.empty()) problem = std::move(why);
    return false;
  }

 private:
  template <typename V>
  bool place(V&& value) {
    slot() = Json(std::forward<V>(value));
    return true;
  }
  Json& slot() {
    if (open_.empty()) return root;
    Json& parent = *open_.back();
    return parent.is_array() ? parent.emplace_back() : parent[key_];
  }
  bool open(Json value) {
    if (open_.size() == max_open) return refuse("it is nested deeper than 64 levels");
    Json& where = slot();
    where = std::move(value);
    open_.push_back(&where);
    return true;
  }
  bool close() {
    open_.pop_back();
    return true;
  }

  std::vector<Json*> open_;  // a parent does not grow while a child is open, so these stay valid
  std::string key_;
};

[[noreturn]] void fail(std::string_view text, std::size_t at, const std::string& where, const std::string& problem) {
  at = std::min(at, text.size());
  const auto lines = std::count(text.begin(), text.begin() + static_cast<std::ptrdiff_t>(at), '\n');
  const std::size_t line_start = at == 0 ? std::string_view::npos : text.rfind('\n', at - 1);
  const std::size_t column = line_start == std::string_view::npos ? at + 1 : at - line_start;
  throw Error({.code = "json.malformed",
               .where = where + ":" + std::to_string(lines + 1) + ":" + std::to_string(column),
               .problem = problem});
}

}  // namespace

Json parse_json(std::string_view text, const std::string& where) {
  if (const auto bad = invalid_utf8(text); bad != std::string_view::npos) fail(text, bad, where, "not valid UTF-8");
  // The parser takes a zero byte for the end of its input and would ignore the bytes after it.
  if (const auto zero = text.find('\0'); zero != std::string_view::npos) fail(text, zero, where, "a zero byte");
  if (Builder whole(text.size()); Json::sax_parse(text.begin(), text.end(), &whole) && whole.problem.empty())
    return std::move(whole.root);
  // Once more, for the place of the problem.
  const char* furthest = text.data();
  Builder builder(text.size());
  const bool ok = Json::sax_parse(CountingIterator(text.data(), &furthest),
                                  CountingIterator(text.data() + text.size(), &furthest), &builder);
  if (ok && builder.problem.empty()) return std::move(builder.root);
  const auto reached = static_cast<std::size_t>(furthest - text.data());
  fail(text, std::min(builder.failed_at, reached > 0 ? reached - 1 : 0), where, builder.problem);
}

}  // namespace retrial::results::inline json
