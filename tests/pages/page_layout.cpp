#include "tests/pages/page_layout.hpp"

#include <fstream>

#include "tests/common/command.hpp"

namespace warplab::house {
namespace {

/// A page that shows FILE in a frame of this WIDTH and writes what sticks out of it into its body.
constexpr const char* probe =
    R"(<!DOCTYPE html><meta charset="utf-8"><body><iframe style="border:0;width:WIDTHpx;height:900px"></iframe>
<script>
const frame = document.querySelector('iframe');
frame.onload = () => {
  const page = frame.contentDocument, root = page.documentElement, out = [];
  if (page.querySelectorAll('section').length < SECTIONS) out.push('no sections');
  if (!page.body.textContent.trim()) out.push('the page is empty');
  if (root.scrollWidth > WIDTH) out.push('the page is ' + root.scrollWidth + ' wide');
  for (const element of page.body.querySelectorAll('*')) {
    const box = element.getBoundingClientRect();
    if (box.width === 0 || element.closest('.marks, defs')) continue;
    let holder = element.parentElement;
    while (holder && (holder.closest('svg') || getComputedStyle(holder).overflowX === 'visible')) holder = holder.parentElement;
    const held = holder && holder !== root && holder !== page.body;
    if (!held && (box.right > WIDTH + 1 || box.left < -1))
      out.push(element.tagName + ' ' + (element.className.baseVal ?? element.className) + ' ends at ' + box.right + ': ' + element.textContent.slice(0, 40));
  }
  // A table need not be scrolled on a desk, but for one of source lines or of more than 8 columns.
  for (const box of page.querySelectorAll('.scroll'))
    if (WIDTH >= 1000 && !box.querySelector('.map, td.code, th:nth-child(9)') && box.scrollWidth > box.clientWidth + 1)
      out.push('a table is ' + box.scrollWidth + ' wide in ' + box.clientWidth + ': ' + box.textContent.slice(0, 60));
  for (const chart of page.querySelectorAll('svg.chart')) {
    const texts = [...chart.querySelectorAll('text')].filter(text => text.textContent.trim());
    const boxes = texts.map(text => text.getBoundingClientRect());
    for (let i = 0; i < texts.length; ++i)
      for (let j = 0; j < i; ++j) {
        const across = Math.min(boxes[i].right, boxes[j].right) - Math.max(boxes[i].left, boxes[j].left);
        const down = Math.min(boxes[i].bottom, boxes[j].bottom) - Math.max(boxes[i].top, boxes[j].top);
        if (across > 2 && down > 5) out.push(texts[j].textContent.trim() + ' lies upon ' + texts[i].textContent.trim() + ' in ' + (chart.getAttribute('aria-label') ?? ''));
      }
  }
  document.body.textContent = 'PROBE[' + out.slice(0, 5).join('; ') + ']';
};
frame.src = 'FILE';
</script></body>)";

}  // namespace

std::string browser() {
  for (const char* name : {"chromium", "chromium-browser", "google-chrome"})
    if (run(std::string("command -v ") + name).exit_code == 0) return name;
  return "";
}

void replace_all(std::string& text, const std::string& from, const std::string& to) {
  for (std::size_t at = 0; (at = text.find(from, at)) != std::string::npos; at += to.size())
    text.replace(at, from.size(), to);
}

std::string unfolded(std::string page) {
  replace_all(page, "<details>", "<details open=\"open\">");
  return page;
}

std::string overflow(const std::filesystem::path& folder, const std::string& page, int width, int sections) {
  std::ofstream(folder / "page.html", std::ios::binary) << page;
  return overflow_of_file(folder, "page.html", width, sections);
}

std::string overflow_of_file(const std::filesystem::path& folder, const std::string& file, int width,
                             int sections) {
  std::string text = probe;
  replace_all(text, "WIDTH", std::to_string(width));
  replace_all(text, "SECTIONS", std::to_string(sections));
  replace_all(text, "FILE", file);
  const std::string page = (folder / "probe.html").string();
  std::ofstream(page, std::ios::binary) << text;
  const Outcome shown = run(
      "timeout 100 " + browser() +
      " --headless --no-sandbox --disable-gpu --disable-quic --no-first-run --disable-background-networking "
      "--disable-component-update --disable-sync --allow-file-access-from-files --virtual-time-budget=5000 "
      "--user-data-dir=" +
      (folder / "profile").string() + " --dump-dom file://" + page + " 2>/dev/null");
  const std::size_t begin = shown.output.rfind("PROBE["), end = shown.output.rfind(']');
  if (begin == std::string::npos || end < begin)
    return "the browser did not answer: " + shown.output.substr(0, 300);
  return shown.output.substr(begin + 6, end - begin - 6);
}

}  // namespace warplab::house
