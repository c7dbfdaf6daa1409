#include "results/report/gnuplot_script.hpp"

#include <algorithm>
#include <array>
#include <cmath>

#include "results/error.hpp"
#include "results/report/escape.hpp"
#include "results/text.hpp"
#include "results/utf8.hpp"

namespace retrial::report {
namespace {

constexpr std::size_t shortest_token = 6, longest_token = 40;
constexpr std::size_t most_labels = 9999;

struct Shades {
  const char *full, *faint;
};
/// In the order of Colour. Faint is the same at 35 % on white, opaque: where lines cross nothing grows darker.
constexpr std::array<Shades, 5> shades{{{"#000000", "#a6a6a6"},
                                        {"#595959", "#c5c5c5"},
                                        {"#0072b2", "#a6cee4"},
                                        {"#d55e00", "#f0c7a6"},
                                        {"#009e73", "#a6ddcf"}}};
/// In the order of Shape: gnuplot's numbers of the filled symbols.
constexpr std::array<const char*, 4> symbols{"7", "9", "5", "13"};
constexpr std::array<const char*, 3> dashes{"1", "(8,4)", "(2,3)"};

std::string four_digits(std::size_t number) {
  const std::string digits = std::to_string(number);
  return std::string(4 - std::min<std::size_t>(4, digits.size()), '0') + digits;
}

std::size_t characters(const std::string& text) {
  std::size_t out = 0;
  for (std::size_t at = 0; at < text.size(); ++out) at += std::max<std::size_t>(1, results::utf8_length(text, at));
  return out;
}

/// Shortest decimal; what is not finite is missing.
std::string number(double value) {
  return std::isfinite(value) ? results::text_of(value) : "?";
}

class Writer {
 public:
  explicit Writer(GnuplotScript& script) : script_(script) {}

  void plot(const Plot& plot, std::size_t figure) {
    settings(plot, figure);
    for (std::size_t i = 0; i < plot.series.size(); ++i) data(plot.series[i], i);
    line(curves(plot));
    line("set output");
    line("reset");
    line("undefine $*");
  }

 private:
  void line(const std::string& text) { script_.text += text + "\n"; }

  /// A quoted stand-in for the label.
  std::string token(const std::string& label) {
    const std::size_t place = script_.labels.size() + 1;
    if (place > most_labels)
      throw Error({.code = "figure.labels",
                   .value = std::to_string(place),
                   .problem = "too many labels in the figures of one report",
                   .allowed = "at most " + std::to_string(most_labels)});
    const std::string shown = cleaned(label, longest_in_figure);
    std::string name = "RT" + four_digits(place);
    name.resize(std::clamp(characters(shown), shortest_token, longest_token), 'x');
    script_.labels[name] = shown;
    return "'" + name + "'";
  }

  void settings(const Plot& plot, std::size_t figure) {
    line("set terminal svg size 720," + std::to_string(plot.height) +
         " noenhanced font 'sans-serif,13' background '#ffffff' name 'fig" + four_digits(figure) + "'");
    line("set output '" + figure_file(figure) + "'");
    line("set encoding utf8");
    line("set decimalsign '.'");
    line("set datafile missing '?'");
    line("set border 3 lc rgb '#595959'");
    line("set grid lc rgb '#e4e4e4' lw 1 dt 1");
    line("set tics nomirror");
    line("set key outside top center horizontal Left reverse samplen 2");
    axis("x", plot.x);
    axis("y", plot.y);
  }

  void axis(const std::string& name, const Axis& axis) {
    line("set " + name + "range [" + number(axis.low) + ":" + number(axis.high) + "]");
    if (!axis.label.empty()) line("set " + name + "label " + token(axis.label));
    if (axis.tics.empty()) return line("set format " + name + " '%.6g'");
    std::string tics;
    for (const auto& tic : axis.tics) tics += (tics.empty() ? "" : ", ") + token(tic.label) + " " + number(tic.at);
    line("set " + name + "tics (" + tics + ")");
  }

  void data(const Series& series, std::size_t index) {
    line("$d" + std::to_string(index) + " << EOD");
    for (const auto& p : series.points)
      line(std::isfinite(p.x) ? number(p.x) + " " + number(p.y) + " " + number(p.low) + " " + number(p.high) : "");
    line("EOD");
  }

  static std::string look(const Series& series) {
    const auto& pair = shades.at(static_cast<std::size_t>(series.colour));
    return std::string(" lc rgb '") + (series.faint ? pair.faint : pair.full) + "' lw " + number(series.width) +
           " dt " + dashes.at(static_cast<std::size_t>(series.dash));
  }
  static std::string symbol(const Series& series) {
    const std::size_t n = series.points.size();
    return std::string(" pt ") + symbols.at(static_cast<std::size_t>(series.shape)) + " ps " +
           (n <= 100   ? "0.9"
            : n <= 400 ? "0.6"
                       : "0.35");
  }

  static std::string drawn(const Series& series) {
    switch (series.draw) {
      case Draw::points:
        return "1:2 with points" + symbol(series) + look(series);
      case Draw::lines:
        return "1:2 with lines" + look(series);
      case Draw::steps:
        return "1:2 with steps" + look(series);
      case Draw::band:
        return std::string("1:3:4 with filledcurves fs transparent solid 0.18 noborder lc rgb '") +
               shades.at(static_cast<std::size_t>(series.colour)).full + "'";
      case Draw::interval:
        return "1:2:3:4 with xerrorbars" + symbol(series) + look(series);
    }
    return "";
  }

  std::string curves(const Plot& plot) {
    std::string out = "plot ";
    for (std::size_t i = 0; i < plot.series.size(); ++i) {
      const auto& series = plot.series[i];
      out += (i == 0 ? "" : ", ") + std::string("$d") + std::to_string(i) + " using " + drawn(series) +
             (series.label.empty() ? " notitle" : " title " + token(series.label));
    }
    return out;
  }

  GnuplotScript& script_;
};

}  // namespace

std::string figure_file(std::size_t number) {
  return "fig-" + four_digits(number) + ".svg";
}

GnuplotScript gnuplot_script(std::span<const Plot> plots) {
  GnuplotScript out;
  Writer writer(out);
  for (std::size_t i = 0; i < plots.size(); ++i) writer.plot(plots[i], i + 1);
  return out;
}

}  // namespace retrial::report
