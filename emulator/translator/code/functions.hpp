#pragma once

#include <set>
#include <string>
#include <vector>

#include "emulator/translator/code/token.hpp"

namespace warplab::translator {

/// A function (or lambda) that runs on the device and whose body is in this file.
struct Function {
  std::string name;  ///< unqualified; "operator" for operators; empty for lambdas
  bool is_kernel = false;
  bool is_template = false;
  int body_open = -1, body_close = -1;  ///< tokens of the braces
  std::set<std::string> names;          ///< identifiers in the body
  bool waits = false;                   ///< its threads may wait for each other, or ask who they are
  bool launches = false;                ///< it launches kernels itself
  bool prints = false;                  ///< the order of its threads is seen
  /// The arguments of __cluster_dims__, if they depend on the template's parameters; and these, by name.
  std::string cluster_shape, template_arguments;
};

/// Names that kernels of this file have, whether defined here or only declared.
struct DeviceCode {
  std::vector<Function> functions;
  std::set<std::string> kernels;
  std::set<std::string> defaulting;  ///< kernels with default arguments
  std::set<std::string> shaped;      ///< kernels with a cluster_shape
  std::set<std::string> waiting;     ///< functions that wait
  bool waiting_operator = false;     ///< an operator or a lambda waits: it may be called anywhere
  /// Tokens in loops that name a volatile variable, or a function that reads one: the loop may wait for it.
  std::set<int> polls;
  std::set<int> unnamed_calls;  ///< parentheses of calls that may be of a function which waits
};

/// Finds what `__global__` and `__device__` mark in user code, and which of it waits.
DeviceCode find_device_code(const Source& source);

/// The function whose body token `i` is in, or null.
const Function* function_around(const DeviceCode& code, int i);

/// Whether token `i`, in a kernel's body, makes the thread wait: the name of a built-in or of a function that
/// waits, or the parenthesis of an unnamed call.
bool waits_at(const Source& source, const DeviceCode& code, int i);

/// The last token of the `<<<`, or `<< <`, of a launch that begins at token i; -1 if none does.
int launch_opening(const Source& source, int i);

/// Whether a function's declaration says __restrict__ of a parameter.
bool is_restricted(const Source& source, const Function& function);

/// First token of the declaration around token `i`: after the previous ';', '{' or '}'.
int declaration_start(const Source& source, int i);

}  // namespace warplab::translator
