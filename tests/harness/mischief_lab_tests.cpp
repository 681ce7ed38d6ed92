// The tests that WARPLAB_LAB_TESTS makes for the lab "mischief". Most must fail:
// lab_test.cpp runs them and checks that.
#include "harness/testing/test_support.hpp"

WARPLAB_LAB_TESTS(mischief);
