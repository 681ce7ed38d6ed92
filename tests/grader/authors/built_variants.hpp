#pragma once

// Which variants of our own labs are built and checked: they come in turns, a tree per turn.

#include <algorithm>
#include <cstddef>
#include <string>
#include <vector>

#include "grader/course/course.hpp"
#include "grader/variant/variant.hpp"

namespace warplab {

/// Our own labs that have variants.
inline Course our_course() {
  Course course = Course::read(WARPLAB_SOURCE_DIR);
  std::erase_if(course.labs, [&](const Lab& lab) { return variants_of(course.root, lab).empty(); });
  return course;
}

/// The choices number `turn` of every axis, so that as many turns as an axis has choices meet all of them.
inline std::vector<Chosen> choices_of_turn(const Course& course, std::size_t turn) {
  std::vector<Chosen> chosen;
  for (const Lab& lab : course.labs)
    for (const VariantAxis& axis : variants_of(course.root, lab))
      chosen.push_back({lab.stem, axis.name, axis.choices[turn % axis.choices.size()].name});
  return chosen;
}

/// A lab's variant in the tree of a turn.
struct BuiltVariant {
  std::size_t turn = 0;
  std::string lab;
};

/// Turn by turn, each lab as long as the turn brings a choice that no turn before had.
inline std::vector<BuiltVariant> built_variants(const Course& course) {
  std::vector<BuiltVariant> built;
  std::size_t longest = 1;
  for (std::size_t turn = 0; turn < longest; ++turn)
    for (const Lab& lab : course.labs) {
      std::size_t choices = 0;
      for (const VariantAxis& axis : variants_of(course.root, lab))
        choices = std::max(choices, axis.choices.size());
      longest = std::max(longest, choices);
      if (turn < choices) built.push_back({turn, lab.stem});
    }
  return built;
}

/// "direction=left names=turn": where the lab differs from the published one.
inline std::string choices_of(const Course& course, const BuiltVariant& variant) {
  std::string text;
  for (const Chosen& one : choices_of_turn(course, variant.turn))
    if (one.lab == variant.lab && one.choice != "published")
      text += (text.empty() ? "" : " ") + one.axis + "=" + one.choice;
  return text;
}

/// The page that has a row per built variant, and how a variant's row begins there.
inline const std::string built_variants_page = WARPLAB_SOURCE_DIR "/docs/private-fork.md";
inline std::string row_begin(const Course& course, const BuiltVariant& variant) {
  return "| " + course.find(variant.lab)->folder.filename().string() + " | `" + choices_of(course, variant) +
         "` |";
}

}  // namespace warplab
