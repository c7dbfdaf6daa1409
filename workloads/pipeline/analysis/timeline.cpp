#include <algorithm>

#include "results/json/json.hpp"
#include "results/text/text.hpp"
#include "workloads/pipeline/analysis/schedule.hpp"

namespace retrial::pipeline::inline analysis {
namespace {

std::string number_text(double value) {
  auto text = results::text_of(value);
  if (text.ends_with(".0")) text.resize(text.size() - 2);
  return text;
}

std::string color_of(Pass pass) {
  return pass == Pass::forward ? "#4c78a8" : pass == Pass::backward ? "#f58518" : "#54a24b";
}

}  // namespace

std::string chrome_trace(const Simulation& simulation) {
  Json events = Json::array();
  for (std::size_t s = 0; s < simulation.stages.size(); ++s) {
    events.push_back({{"name", "thread_name"},
                      {"ph", "M"},
                      {"pid", 0},
                      {"tid", s},
                      {"args", {{"name", "stage " + std::to_string(s)}}}});
    for (const auto& [entry, start, end] : simulation.stages[s])
      events.push_back({{"name", entry.text()},
                        {"cat", std::string(1, static_cast<char>(entry.pass))},
                        {"ph", "X"},
                        {"ts", start},
                        {"dur", end - start},
                        {"pid", 0},
                        {"tid", s}});
  }
  return results::printed({{"traceEvents", std::move(events)}});
}

std::string timeline_svg(const Simulation& simulation) {
  constexpr double row = 22, bar = 18, left = 70, width = 900, top = 6;
  const double scale = simulation.makespan > 0 ? width / simulation.makespan : 0;
  const double height = top + row * static_cast<double>(simulation.stages.size()) + row;
  const auto at = [&](const std::string& name, double value) { return " " + name + "=\"" + number_text(value) + "\""; };
  std::string out = "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 " + number_text(left + width + 10) + " " +
                    number_text(height) + "\" font-family=\"sans-serif\" font-size=\"11\">\n";
  for (std::size_t s = 0; s < simulation.stages.size(); ++s) {
    const double y = top + row * static_cast<double>(s);
    out += "<text x=\"4\"" + at("y", y + bar - 5) + ">stage " + std::to_string(s) + "</text>\n";
    for (const auto& [entry, start, end] : simulation.stages[s]) {
      const double x = left + start * scale, wide = (end - start) * scale;
      out += "<rect" + at("x", x) + at("y", y) + at("width", wide) + at("height", bar) + " fill=\"" +
             color_of(entry.pass) + "\" stroke=\"#fff\"><title>" + entry.text() + ", " + number_text(start) + " to " +
             number_text(end) + "</title></rect>\n";
      constexpr double legible = 7;  // width of a character
      if (wide >= legible * static_cast<double>(entry.text().size()))
        out += "<text" + at("x", x + wide / 2) + at("y", y + bar - 5) + " text-anchor=\"middle\" fill=\"#fff\">" +
               entry.text() + "</text>\n";
    }
  }
  out += "<text" + at("x", left) + at("y", height - 6) + ">0</text>\n<text" + at("x", left + width) +
         at("y", height - 6) + " text-anchor=\"end\">" + number_text(simulation.makespan) + "</text>\n";
  return out + "</svg>\n";
}

}  // namespace retrial::pipeline::inline analysis
