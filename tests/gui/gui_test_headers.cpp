// SPDX-License-Identifier: GPL-3.0-or-later
// Only holds the precompiled headers of the window's tests.
