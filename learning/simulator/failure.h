// The reason of the last failure, for `sim_error`.
#pragma once
#include <cstdio>

namespace sim {

inline thread_local char error_text[256] = "";

inline int fail(const char* reason) {
    snprintf(error_text, sizeof error_text, "%s", reason);
    return 1;
}

}  // namespace sim
