// CUDA's modified Bessel functions of the first kind. They are compiled only here, since with those of the
// standard library every .cu file would take longer to compile.
#include <cmath>

double cyl_bessel_i0(double x) noexcept;
double cyl_bessel_i1(double x) noexcept;

double cyl_bessel_i0(double x) noexcept { return std::cyl_bessel_i(0.0, std::fabs(x)); }
double cyl_bessel_i1(double x) noexcept { return std::copysign(std::cyl_bessel_i(1.0, std::fabs(x)), x); }
