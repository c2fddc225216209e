/* SPDX-License-Identifier: MIT */
/* Each callback is told the ip that the one before it has left in the frame (S81). */
#include "set.h"

BROKEN_SET(set_reads_frame_again, "all_are_told_the_same", "newest_first", IP_FROM_FRAME);
