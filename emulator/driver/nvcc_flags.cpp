#include "emulator/driver/nvcc_flags.hpp"

#include <algorithm>
#include <iterator>
#include <utility>

namespace warplab::driver {
namespace {

constexpr std::string_view without_value[] = {
    // how nvcc works
    "keep", "save-temps", "objdir-as-tempdir", "objtemp", "allow-unsupported-compiler", "dont-use-profile",
    "noprof", "use-local-env", "force-cl-env-setup", "jobserver", "link", "m64", "no-align-double",
    // what it says
    "res-usage", "resource-usage", "display-error-number", "err-no", "no-display-error-number", "no-err-no",
    "Wno-deprecated-gpu-targets", "Wext-lambda-captures-this", "Wdefault-stream-launch",
    "Wmissing-launch-bounds",
    // the language, of which the emulator takes all
    "extended-lambda", "expt-extended-lambda", "expt-relaxed-constexpr", "no-host-device-initializer-list",
    "nohdinitlist", "no-host-device-move-forward", "nohdmoveforward", "no-exceptions", "noeh",
    // code for GPUs
    "lineinfo", "generate-line-info", "use_fast_math", "restrict", "source-in-ptx", "src-in-ptx", "nodlink",
    "no-device-link", "dlto", "dlink-time-opt", "lto", "gen-opt-lto", "extra-device-vectorization",
    "extensible-whole-program", "ewp", "keep-device-functions", "compile-as-tools-patch", "astoolspatch",
    "relocatable-ptx", "reloc-ptx", "no-compress", "compress-all", "fdevice-syntax-only",
    "augment-host-linker-script", "aug-hls",
    // libraries that are part of the emulator's
    "lcudart", "lcudadevrt", "lcudart_static", "lcuda", "lnvToolsExt", "lcublas", "lcublasLt",
    "lcublas_static", "lcublasLt_static", "lculibos", "lcurand", "lcurand_static"};

constexpr std::string_view with_value[] = {
    // how nvcc works
    "ccbin", "compiler-bindir", "arbin", "archiver-binary", "ldir", "libdevice-directory", "target-dir",
    "target-directory", "keep-dir", "threads", "t", "split-compile", "split-compile-extended", "time",
    "fdevice-time-trace", "machine", "m", "run-args", "qpp-config", "idp", "input-drive-prefix", "ddp",
    "dependency-drive-prefix", "dp", "drive-prefix", "cudart", "cudadevrt",
    // for programs that warplab-cc does not run
    "Xptxas", "ptxas-options", "Xnvlink", "nvlink-options", "Xarchive", "archive-options", "Xcudafe",
    "Xfatbin", "fatbin-options",
    // what it says
    "diag-suppress", "diag-warn", "diag-error", "brief-diagnostics", "brief-diag", "opt-info",
    "optimization-info",
    // code for GPUs
    "arch", "gpu-architecture", "gencode", "generate-code", "code", "gpu-code", "maxrregcount", "rdc",
    "relocatable-device-code", "ftz", "fmad", "prec-div", "prec-sqrt", "dopt", "Ofc", "Ofast-compile",
    "compress-mode", "static-global-template-stub", "device-entity-has-hidden-visibility", "jtd",
    "jump-table-density", "device-stack-protector", "entries", "e", "sanitize", "hls", "host-linker-script"};

bool contains(const auto& names, std::string_view name) {
  return std::find(std::begin(names), std::end(names), name) != std::end(names);
}

}  // namespace

bool is_of_nvcc(std::string_view name) { return contains(without_value, name); }

bool is_of_nvcc_with_value(std::string_view name) { return contains(with_value, name); }

std::string_view refusal_of(std::string_view name) {
  static constexpr std::string_view for_gpus =
      "makes code for a GPU; the emulator makes code for this CPU only";
  static constexpr std::string_view lists =
      "lists the GPUs that nvcc compiles for; the emulator makes code for this CPU only";
  static constexpr std::pair<std::string_view, std::string_view> refusals[] = {
      {"ptx", for_gpus},
      {"cubin", for_gpus},
      {"fatbin", for_gpus},
      {"optix-ir", for_gpus},
      {"ltoir", for_gpus},
      {"run", "starts the program; warplab-cc only makes it: leave the flag out, and start it yourself"},
      {"dryrun", "shows commands without running them; warplab-cc shows them as it runs them, with -v"},
      {"clean", "deletes files; warplab-cc only makes them: delete them yourself"},
      {"clean-targets", "deletes files; warplab-cc only makes them: delete them yourself"},
      {"arch-ls", lists},
      {"list-gpu-arch", lists},
      {"code-ls", lists},
      {"list-gpu-code", lists}};
  for (const auto& [flag, why] : refusals)
    if (flag == name) return why;
  return "";
}

const LongForm* find_long_form(std::string_view name) {
  static constexpr LongForm forms[] = {{"include-path", "-I", true},
                                       {"define-macro", "-D", true},
                                       {"undefine-macro", "-U", true},
                                       {"library-path", "-L", true},
                                       {"library", "-l", true},
                                       {"optimize", "-O", false},
                                       {"system-include", "-isystem=", true},
                                       {"pre-include", "-include=", true},
                                       {"ftemplate-depth", "-ftemplate-depth=", false},
                                       {"ftemplate-backtrace-limit", "-ftemplate-backtrace-limit=", false},
                                       {"frandom-seed", "-frandom-seed=", false},
                                       {"dependency-output", "-MF", false},
                                       {"dependency-target-name", "-MT", false}};
  for (const LongForm& form : forms)
    if (form.name == name) return &form;
  return nullptr;
}

std::string_view short_form_without_value(std::string_view word) {
  static constexpr std::pair<std::string_view, std::string_view> forms[] = {
      {"--debug", "-g"},
      {"--profile", "-pg"},
      {"--disable-warnings", "-w"},
      {"--Wreorder", "-Wreorder"},
      {"--Wno-deprecated-declarations", "-Wno-deprecated-declarations"},
      {"--generate-dependencies", "-M"},
      {"--generate-nonsystem-dependencies", "-MM"},
      {"--generate-dependencies-with-compile", "-MD"},
      {"--generate-nonsystem-dependencies-with-compile", "-MMD"},
      {"--generate-dependency-targets", "-MP"}};
  for (const auto& [name, form] : forms)
    if (name == word) return form;
  return "";
}

}  // namespace warplab::driver
