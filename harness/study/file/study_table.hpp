#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "harness/study/checks/study.hpp"
#include "harness/study/file/toml.hpp"

namespace retrial::harness::inline study::inline file {

/// One table of a study file. An absent key reads as nothing; every error names line, column, field and the allowed
/// values. The table must outlive this object.
class StudyTable {
 public:
  /// `name` as in the brackets, empty at the top.
  StudyTable(const toml::table& table, std::string path, std::string name)
      : table_(table), path_(std::move(path)), name_(std::move(name)) {}

  [[nodiscard]] std::string where(const toml::node& node) const;
  [[nodiscard]] std::string where(const toml::key& key) const;
  [[nodiscard]] std::string field(std::string_view key) const;
  /// Adds the place of every key of this table, as keys of `section`, else of the table's own name.
  void add_places(StudyDraft& draft) const { add_places(draft, name_); }
  void add_places(StudyDraft& draft, const std::string& section) const;
  /// Error{study.unknown_key} for a key that is not in `known`, with the nearest name.
  void only(const std::vector<std::string>& known) const;
  [[noreturn]] void wrong(const toml::node& node, std::string_view key, const std::string& allowed) const;

  /// The table under this key, nothing when absent. `allowed` is for the error about anything else.
  [[nodiscard]] const toml::table* child(std::string_view key, const std::string& allowed) const;
  /// A table of the same file under its full name; an error if the node is not a table.
  [[nodiscard]] StudyTable named(const std::string& name, const toml::node& node) const;
  [[nodiscard]] std::optional<std::string> text(std::string_view key) const;
  [[nodiscard]] std::optional<std::int64_t> integer(std::string_view key) const;
  /// Finite; whole numbers are accepted too.
  [[nodiscard]] std::optional<double> number(std::string_view key) const;
  [[nodiscard]] bool flag(std::string_view key) const;
  /// A list of texts; nothing for "all" or an absent key.
  [[nodiscard]] std::optional<std::vector<std::string>> names(std::string_view key) const;
  /// One text, or a list of texts.
  [[nodiscard]] std::optional<std::vector<std::string>> texts(std::string_view key) const;
  [[nodiscard]] std::optional<std::vector<double>> numbers(std::string_view key) const;
  /// A whole number or a list of them.
  [[nodiscard]] std::optional<std::vector<std::int64_t>> integers(std::string_view key) const;
  /// Keys of the workload with a list of values each, in the order of the file.
  [[nodiscard]] std::vector<StudyDraft::GridKey> grid(std::string_view separator) const;
  /// Keys of the workload, in the order of the file; a list becomes one text, its items joined by `separator`.
  [[nodiscard]] std::vector<StudyDraft::Key> keys(const std::vector<std::string>& except,
                                                  std::string_view separator) const;

 private:
  [[nodiscard]] double finite(const toml::node& node, std::string_view key) const;
  [[nodiscard]] Value scalar(const toml::node& node, std::string_view key, std::string_view separator) const;

  const toml::table& table_;
  std::string path_, name_;
};

/// Keys and values by their position in the file; the library sorts them by key.
[[nodiscard]] std::vector<std::pair<const toml::key*, const toml::node*>> in_file_order(const toml::table& table);

}  // namespace retrial::harness::inline study::inline file
