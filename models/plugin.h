/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Models that live outside this tree: a shared object that defines
 *
 *	const struct rsb_model_type rsb_model_plugin = { .version = RSB_MODEL_VERSION, ... };
 *
 * See rsbsim-model(5).
 */
#ifndef RSB_MODELS_PLUGIN_H
#define RSB_MODELS_PLUGIN_H

#include "models/model.h"

/* The symbol that a plug-in defines. */
#define RSB_MODEL_PLUGIN_SYMBOL "rsb_model_plugin"

/* A loaded plug-in. It must outlive its type and every model of it. */
struct rsb_plugin;

/*
 * Loads the file and checks its row; the file's own code runs when it is loaded. type is set to
 * the row, which is owned by the plug-in. NULL: error names the file and what was expected.
 */
struct rsb_plugin *rsb_model_plugin_open(const char *path, const struct rsb_model_type **type,
					 struct rsb_error *error);
void rsb_model_plugin_close(struct rsb_plugin *plugin);

#endif
