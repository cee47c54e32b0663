// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The points that a rank and its neighbor on one side exchange, in buffers.
#pragma once
#include "domain.h"

long margin_count(const struct domain *d, enum side side);
void margin_pack(const struct domain *d, enum side side, double *buffer);
void margin_unpack(struct domain *d, enum side side, const double *buffer);
