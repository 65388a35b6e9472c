/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Bytes written as hexadecimal text, in the forms that people paste: pairs of digits with spaces
 * and line ends wherever they please, 0xe8 and \xe8, with commas and quotes as in a C array (of
 * which what is in braces counts), and the lines of objdump -d and of gdb's x/xb, which begin with
 * an address and a colon.
 */
#ifndef RSB_SIM_IMAGE_HEX_H
#define RSB_SIM_IMAGE_HEX_H

#include "traces/util/error.h"

#include <stdint.h>

/* Decodes into a new array, NULL if there are none. Error says where the text is no pair of digits.
 */
bool rsb_hex_decode(const char *text, uint8_t **bytes, size_t *size, struct rsb_error *error);

#endif
