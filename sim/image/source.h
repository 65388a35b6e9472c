/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Sources of code, and a layout as it was read. A source is a key of a layout file ("core") with
 * what reads its object and what makes an image of it. To add one: one C file and one row in
 * sim/image/source.c.
 */
#ifndef RSB_SIM_IMAGE_SOURCE_H
#define RSB_SIM_IMAGE_SOURCE_H

#include "sim/generate/callers.h"
#include "sim/generate/family.h"
#include "sim/generate/generate.h"
#include "sim/image/layout.h"
#include "traces/util/json.h"

struct rsb_source {
	const char *key;
	const char *example; /* of its object, for messages */

	/* False: the code has its traced function and its callers; "call" and "registers" are not
	 * for it. */
	bool called;

	bool program; /* it may be a whole program, with "entry" in place of "call" */

	/* Reads the object into the layout's member of that name. */
	bool (*read)(struct rsb_layout *layout, const cJSON *object, struct rsb_error *error);

	/* An image of the code. NULL: error. */
	struct rsb_image *(*make)(const struct rsb_layout *layout,
				  const struct rsb_scenario *scenario, struct rsb_error *error);

	/*
	 * Says how system calls enter the kernel that the image has, for the key "syscall". NULL:
	 * the code has none. Error: it cannot be entered.
	 */
	bool (*enter)(const struct rsb_layout *layout, struct rsb_image *image,
		      struct rsb_system *system, struct rsb_error *error);

	/* The forms that callers of this function take. NULL: plain ones. */
	bool (*forms)(const struct rsb_image *image, uint64_t function, struct rsb_forms *forms,
		      struct rsb_error *error);
};

/* All sources, ended by NULL, in the order in which messages list them. */
extern const struct rsb_source *const rsb_sources[];

extern const struct rsb_source rsb_source_asm;
extern const struct rsb_source rsb_source_bytes;
extern const struct rsb_source rsb_source_core;
extern const struct rsb_source rsb_source_elf;
extern const struct rsb_source rsb_source_generate;
extern const struct rsb_source rsb_source_jitdump;

/* What a register holds at each traced call. */
struct rsb_layout_register {
	unsigned number; /* x86 */
	bool scratch;    /* the address of zeroed memory of its own, instead of the value */
	uint64_t value;
};

struct rsb_layout_memory {
	const cJSON *item;
	uint64_t at, size;
	uint8_t *bytes;
	size_t given;
};

struct rsb_layout_incident {
	const cJSON *item;
	const char *at; /* a place; NULL: of a system call */
	struct rsb_incident incident;
};

/* Texts are owned by json. */
struct rsb_layout {
	struct rsb_json *json;
	char *path;      /* NULL: built in */
	char *directory; /* what paths in it are relative to */
	char *file_name; /* the name of a layout that states none */
	const char *name, *summary, *origin;
	const struct rsb_source *source;
	const cJSON *code;    /* the source's object */
	const cJSON *call;    /* a symbol or an address; NULL: not given */
	const cJSON *syscall; /* its number, in place of a call; NULL: not given */
	int64_t syscall_number;
	const cJSON *entry, *traced;   /* of a whole program, in place of call */
	const cJSON *expect;           /* NULL: not given */
	const cJSON *stubs, *intended; /* arrays of texts; NULL: not given */
	struct rsb_layout_register registers[RSB_CALLERS_REGISTERS];
	unsigned register_count;
	struct rsb_layout_memory *memory;
	size_t memory_count;
	struct rsb_patches *kept; /* that an image of a core keeps its pages in; NULL: none */
	bool has_gs_base, has_fs_base, has_scenario;
	uint64_t gs_base, fs_base;
	unsigned cet; /* RSB_CET_... */
	struct rsb_scenario scenario;
	struct rsb_layout_incident incidents[RSB_INCIDENTS_MAX];
	size_t incident_count;

	struct {
		const struct rsb_family *family;
		int64_t values[RSB_PARAMETERS_MAX];
		int64_t forms[RSB_PARAMETERS_MAX];
		struct rsb_generate_how how;
	} generate;
	struct {
		const char *file, *symbols; /* symbols NULL: not given */
	} core;
	struct {
		uint8_t *bytes;
		size_t size;
		uint64_t base;
	} bytes;
	struct {
		const char *file, *syntax; /* syntax: of what is to be assembled; NULL: not given */
		bool has_base;
		uint64_t base;
		const cJSON *define; /* an object of texts; NULL: not given */
	} elf;
	struct {
		const char *file;
	} jitdump;
};

/* Reads all keys of the file, the source's by its row. */
bool rsb_layout_read(struct rsb_layout *layout, struct rsb_error *error);

/* The path of a file that the layout names; NULL: no memory. The caller frees it. */
char *rsb_layout_file(const struct rsb_layout *layout, const char *file);

/* Does to an image of the code what the layout's other keys say: bases, memory, stubs, mitigations.
 */
bool rsb_layout_apply(const struct rsb_layout *layout, struct rsb_image *image,
		      struct rsb_error *error);

/* Reads "environment"; and adds its incidents to an image that has its callers. */
bool rsb_layout_read_incidents(struct rsb_layout *layout, const cJSON *root,
			       struct rsb_error *error);
bool rsb_layout_apply_incidents(const struct rsb_layout *layout, struct rsb_image *image,
				struct rsb_error *error);

/*
 * Adds callers of the function that "call" names, or of the system call that "syscall" does, and
 * the memory that its registers point to.
 */
bool rsb_layout_call(const struct rsb_layout *layout, const struct rsb_scenario *scenario,
		     struct rsb_image *image, struct rsb_error *error);
bool rsb_layout_syscall(const struct rsb_layout *layout, const struct rsb_scenario *scenario,
			struct rsb_image *image, struct rsb_error *error);

/*
 * Parts of that: adds what "registers" gives to the callers', with memory near an address; emits
 * the callers near an address; says how the code returns, if by a thunk of its own.
 */
bool rsb_layout_load_registers(const struct rsb_layout *layout, uint64_t near,
			       struct rsb_image *image, struct rsb_callers *callers,
			       struct rsb_error *error);
bool rsb_layout_emit_callers(struct rsb_callers *callers, const struct rsb_forms *forms,
			     uint64_t near, struct rsb_image *image, struct rsb_error *error);
void rsb_layout_note_thunk(struct rsb_image *image, const struct rsb_forms *forms);

/* The address that a key means (an item of the root: "call", "entry", "trace_call"): a symbol's, or
 * as it is written. */
bool rsb_layout_address(const struct rsb_layout *layout, const cJSON *item,
			const struct rsb_image *image, uint64_t *address, struct rsb_error *error);

/* Is something in the image there? */
bool rsb_layout_check_present(const struct rsb_layout *layout, const cJSON *item,
			      const struct rsb_image *image, uint64_t address,
			      struct rsb_error *error);

/* Makes a whole program of an image, by "entry" and "trace_call". */
bool rsb_layout_program(const struct rsb_layout *layout, struct rsb_image *image,
			struct rsb_error *error);

#endif
