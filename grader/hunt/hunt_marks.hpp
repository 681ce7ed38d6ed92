#pragma once

#include <functional>
#include <string>
#include <vector>

#include "grader/hunt/planted.hpp"
#include "grader/hunt/symptoms.hpp"
#include "grader/predict/sealed_answers.hpp"

namespace warplab {

/// "28 race": the line and the kind that a student gives for a planted mistake. The remedy is the reason of
/// the answer.
struct GivenFind {
  int line = 0;
  std::string kind;
};
std::string text_of(const GivenFind& find);
/// Line 0 and no kind for what is not one.
GivenFind find_of(const std::string& answer);

/// What one student's hunt is worth.
struct HuntMarks {
  bool committed = false;            ///< each mistake has a line, a kind and a remedy
  int lines = 0, kinds = 0;          ///< how many are right
  double points = 0;                 ///< half for committing, a quarter each for lines and kinds
  std::vector<std::string> remarks;  ///< per mistake that was not found: what it is, and where
};
constexpr double hunt_points = 10;

/// @param symptoms gives those of a planted mistake
HuntMarks hunt_marks(const SealedAnswers& given, const std::vector<PlantedMistake>& planted,
                     const std::function<Symptoms(const PlantedMistake&)>& symptoms);

/// Marks of whatever was handed in. Who names a lab that no hunt can be made of, which a student's file may
/// do, gets none, and the reason as the remark: the others are marked all the same.
/// @param planted gives the mistakes that this student got; it throws BadInput where the lab has too few
HuntMarks hunt_marks(const SealedAnswers& given, const std::function<std::vector<PlantedMistake>()>& planted,
                     const std::function<Symptoms(const PlantedMistake&)>& symptoms);

}  // namespace warplab
