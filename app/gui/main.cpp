// SPDX-License-Identifier: GPL-3.0-or-later
#include "run.h"

int main(int argc, char** argv) { return shardlens::runDesktop(argc, argv); }
