/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Bytes written as hexadecimal text, with spaces and line ends wherever they please. */
#ifndef RSB_SIM_IMAGE_HEX_H
#define RSB_SIM_IMAGE_HEX_H

#include "traces/util/error.h"

#include <stdint.h>

/* Decodes into a new array, NULL if there are none. Error says where the text is no pair of digits.
 */
bool rsb_hex_decode(const char *text, uint8_t **bytes, size_t *size, struct rsb_error *error);

#endif
