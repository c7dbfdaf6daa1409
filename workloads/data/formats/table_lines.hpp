#pragma once

#include <cstdint>
#include <filesystem>
#include <iterator>
#include <string>
#include <string_view>
#include <vector>

namespace retrial::data::inline formats {

/// Fields of one table; one with more is refused before it is cut.
constexpr std::size_t max_table_fields = std::size_t{1} << 26;

/// The text stands where the table was read from, or in its TableLines.
struct TableField {
  std::string_view text;
  bool quoted = false;
};

/// Goes through the places of something that makes its items from their places.
template <class Owner, class Item>
class PlaceIterator {
 public:
  using iterator_category = std::input_iterator_tag;
  using value_type = Item;
  using difference_type = std::ptrdiff_t;
  using pointer = void;
  using reference = Item;

  PlaceIterator() = default;
  PlaceIterator(const Owner& owner, std::size_t place) : owner_(&owner), place_(place) {}
  Item operator*() const { return (*owner_)[place_]; }
  PlaceIterator& operator++() {
    ++place_;
    return *this;
  }
  PlaceIterator operator++(int) { return {*owner_, place_++}; }
  friend PlaceIterator operator+(PlaceIterator from, std::size_t places) {
    from.place_ += places;
    return from;
  }
  friend bool operator==(const PlaceIterator& a, const PlaceIterator& b) { return a.place_ == b.place_; }

 private:
  const Owner* owner_ = nullptr;
  std::size_t place_ = 0;
};

class TableLines;

/// One of the lines, as long as they are there.
class TableLine {
 public:
  TableLine(const TableLines& lines, std::size_t line) : lines_(&lines), line_(line) {}
  [[nodiscard]] std::size_t size() const;
  [[nodiscard]] TableField operator[](std::size_t place) const;
  [[nodiscard]] TableField back() const { return (*this)[size() - 1]; }
  [[nodiscard]] PlaceIterator<TableLine, TableField> begin() const { return {*this, 0}; }
  [[nodiscard]] PlaceIterator<TableLine, TableField> end() const { return {*this, size()}; }

 private:
  const TableLines* lines_;
  std::size_t line_;
};

/// The lines of a table cut into fields. A field is eight bytes beside the text, which has to outlive the lines.
class TableLines {
 public:
  explicit TableLines(std::string_view text) : text_(text) {}

  [[nodiscard]] std::size_t size() const { return starts_.size() - 1; }
  [[nodiscard]] bool empty() const { return size() == 0; }
  [[nodiscard]] TableLine operator[](std::size_t line) const { return {*this, line}; }
  [[nodiscard]] TableLine front() const { return (*this)[0]; }
  [[nodiscard]] PlaceIterator<TableLines, TableLine> begin() const { return {*this, 0}; }
  [[nodiscard]] PlaceIterator<TableLines, TableLine> end() const { return {*this, size()}; }

  void reserve(std::size_t lines, std::size_t fields);
  /// Adds a field to the last line; `text` is a part of the table's text or any other.
  void add_field(std::string_view text, bool quoted);
  void end_line() { starts_.push_back(static_cast<std::uint32_t>(fields_.size())); }
  [[nodiscard]] std::size_t fields_in_last_line() const { return fields_.size() - starts_.back(); }
  /// Texts of fields that were taken before end with this.
  void replace(std::size_t line, std::size_t place, std::string_view text);
  /// Of lines with equal numbers of fields.
  void drop_last_column();

 private:
  friend class TableLine;
  struct Piece {
    std::uint32_t at = 0;  ///< beyond the text: in `own_`
    std::uint32_t size : 31 = 0;
    std::uint32_t quoted : 1 = 0;
  };
  [[nodiscard]] Piece piece(std::string_view text, bool quoted);
  [[nodiscard]] TableField field(const Piece& piece) const;

  std::string_view text_;
  std::string own_;  ///< texts of fields that stand otherwise in the table: a doubled quote, a decimal comma
  std::vector<Piece> fields_;
  std::vector<std::uint32_t> starts_{0};  ///< first field of each line, and the end
};

/// The lines of a table cut into fields (rules: table.hpp); errors name file, line and column.
[[nodiscard]] TableLines table_lines(const std::filesystem::path& file, std::string_view text, char separator,
                                     std::size_t max_fields = max_table_fields);

/// Throws Error{usage, "data.content"} at `file:line:column`.
[[noreturn]] void refuse_field(const std::filesystem::path& file, std::size_t line, std::size_t column,
                               const std::string& problem);

}  // namespace retrial::data::inline formats
