/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The rows that the registry lists; each is defined in the file of its name. */
#ifndef RSB_MODELS_REGISTRY_H
#define RSB_MODELS_REGISTRY_H

#include "models/model.h"

extern const struct rsb_model_type rsb_model_checked;
extern const struct rsb_model_type rsb_model_ideal;
extern const struct rsb_model_type rsb_model_ring;

#endif
