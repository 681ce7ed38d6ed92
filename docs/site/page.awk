# Doxygen's filter for Markdown: the documents are written for a reader of the files, and this makes pages of
# them. Headings get the anchors that GitHub gives them, below one identifier per page, and links between
# documents lead to those; links to files that are not pages become plain text, those into docs/examples lead
# to copies.
#
#   awk -v root=/path/to/warplab -f page.awk docs/student-guide.md

# The page's identifier: student-guide, labs, lab-02, decision-0001.
function page_of(path) {
  if (path ~ /^docs\/site\/index\.md$/ || path == "README.md") return "index"
  if (path == "ARCHITECTURE.md") return "architecture"
  if (path ~ /^labs\/README\.md$|^labs\/?$/) return "labs"
  if (match(path, /^labs\/[0-9][0-9]_[a-z0-9_]+(\/(README\.md)?)?$/)) return "lab-" substr(path, 6, 2)
  if (path ~ /^labs\/13_tma_queues\/acta(\/(README\.md)?)?$/) return "acta"
  if (path ~ /^docs\/decisions\/(README\.md)?$/) return "decisions"
  if (path ~ /^docs\/decisions\/[0-9]+-.*\.md$/) return "decision-" substr(path, 16, 4)
  if (path ~ /^docs\/[a-z-]+\.md$/) { sub(/^docs\//, "", path); sub(/\.md$/, "", path); return path }
  return ""
}

# A path as the tree's root sees it.
function resolved(target,    parts, kept, n, i, count, text) {
  n = split(folder "/" target, parts, "/")
  count = 0
  for (i = 1; i <= n; i++) {
    if (parts[i] == "" || parts[i] == ".") continue
    if (parts[i] == "..") { if (count) count--; continue }
    kept[++count] = parts[i]
  }
  for (i = 1; i <= count; i++) text = text (i > 1 ? "/" : "") kept[i]
  return text
}

function anchor_of(heading,    text) {
  text = tolower(heading)
  gsub(/[^a-z0-9_ -]/, "", text)
  gsub(/ /, "-", text)
  return text
}

function link(text, target,    anchor, path, id) {
  if (target ~ /:\/\/|^@ref/) return "[" text "](" target ")"
  if (match(target, /#/)) { anchor = substr(target, RSTART + 1); target = substr(target, 1, RSTART - 1) }
  path = target == "" ? file : resolved(target)
  id = page_of(path)
  gsub(/[*`]/, "", text)  # Doxygen takes the text of a reference as it is
  if (id != "") return "[" text "](@ref " id (anchor == "" || id == "index" ? "" : "--" anchor) ")"
  if (path ~ /^docs\/examples\/[^\/]+$/) { sub(/.*\//, "", path); return "<a href=\"" path "\">" text "</a>" }
  return text
}

# Doxygen leaves what is between double quotes as it is, but not between their entities.
function prose(text) {
  if (text !~ /="/) gsub(/"/, "\\&quot;", text)
  return text
}

# The links of a line, but not what is between backticks.
function with_links(line,    out, found, text, target, is_image) {
  while (match(line, /`[^`]*`|!?\[[^]\[]*\]\([^) ]+\)/)) {
    found = substr(line, RSTART, RLENGTH)
    out = out prose(substr(line, 1, RSTART - 1))
    line = substr(line, RSTART + RLENGTH)
    # For Doxygen a quote ends what one backtick began.
    if (found ~ /^`/) { out = out (found ~ /'/ ? "`" found "`" : found); continue }
    is_image = sub(/^!/, "", found)
    text = substr(found, 2, index(found, "](") - 2)
    target = substr(found, index(found, "](") + 2)
    target = substr(target, 1, length(target) - 1)
    if (is_image) sub(/.*\//, "", target)  # Doxyfile.in copies docs/images beside the pages
    out = out (is_image ? "<img src=\"" target "\" alt=\"" text "\">" : link(text, target))
  }
  return out prose(line)
}

# What Doxygen would tear apart, as it is: blocks of HTML, and hints that fold.
function raw(html) { return "@htmlonly[block]\n" html "\n@endhtmlonly" }
function with_hints(line,    indent, begins, ends, out) {
  match(line, /^ */)
  indent = substr(line, 1, RLENGTH)
  ends = "\n\n" indent "@htmlonly[block]</details>@endhtmlonly\n"
  while (match(line, /<details><summary>[^<]*<\/summary>/)) {
    begins = "\n\n" indent "@htmlonly[block]" substr(line, RSTART, RLENGTH) "@endhtmlonly\n\n" indent
    out = out substr(line, 1, RSTART - 1) begins
    line = substr(line, RSTART + RLENGTH)
  }
  line = out line
  gsub(/<\/details>/, ends, line)
  return line
}

FNR == 1 {
  file = FILENAME
  sub("^" root "/", "", file)
  folder = file
  if (!sub(/\/[^\/]*$/, "", folder)) folder = ""
}
# A link's text may go on in the next line: what ends within one waits for it.
held != "" {
  if ($0 ~ /^ *[^ ]/ && $0 !~ /^ *(```|[#|<-]|[0-9]+\.)/) { sub(/^ +/, ""); $0 = held " " $0 }
  else print with_hints(with_links(held))
  held = ""
}
/^ *```/ { fenced = !fenced }
# Doxygen knows no `console`, and takes a language with a leading dot for unhighlighted code.
fenced && /^ *```(sh|console|json|text|cuda)$/ { sub(/```(sh|console|json|text|cuda)$/, "```{.unparsed}") }
fenced || /^    / || /^<!--/ { print; next }
/^#+ / {
  title = $0
  sub(/^#+ +/, "", title)
  id = page_of(file)
  print with_links($0) (id == "index" ? "" : " {#" (/^# / ? id : id "--" anchor_of(title)) "}")
  if (/^# / && id != "index") print "\n[TOC]\n"
  next
}
# A block of HTML: one line, or a paragraph to its end.
/^<\/?(div|p)[ >]/ {
  block = $0
  while (block ~ /^<p/ && block !~ /<\/p>$/ && (getline) > 0) block = block "\n" $0
  print raw(block)
  next
}
/\[[^]]*$/ { held = $0; next }
{ print with_hints(with_links($0)) }
END { if (held != "") print with_hints(with_links(held)) }
