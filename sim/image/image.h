/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * An image: bytes at addresses, with symbols; what the machine runs. It holds the callers too and
 * exports
 *
 *	rsb_round        the function that runs one round (System V ABI)
 *	rsb_traced_call  the innermost caller's call instruction
 *	rsb_landing      the address after that
 *
 * or it is a whole program, which makes its own calls (sim/image/program.h).
 *
 * A segment is copied in, or backed by a reader that is asked for a page when it is first touched
 * (so that a core of many GB costs nothing). Segments do not overlap.
 */
#ifndef RSB_SIM_IMAGE_IMAGE_H
#define RSB_SIM_IMAGE_IMAGE_H

#include "sim/image/incident.h"
#include "sim/image/program.h"
#include "traces/event.h"
#include "traces/util/error.h"

#include <stdint.h>

#define RSB_PAGE 4096u

/* What a segment may be used for; as in ELF's p_flags. */
#define RSB_EXECUTE 1u
#define RSB_WRITE   2u
#define RSB_READ    4u

struct rsb_image;

struct rsb_image *rsb_image_new(void); /* NULL: no memory */
void rsb_image_free(struct rsb_image *image);

/*
 * Maps a segment of size bytes (rounded out to pages; address too) with a copy of the first given
 * bytes and zeros after them. Error: it overlaps another (both are named), wraps, or there is no
 * memory. name is for messages.
 */
bool rsb_image_map(struct rsb_image *image, const char *name, uint64_t address, uint64_t size,
		   unsigned access, const void *bytes, size_t given, struct rsb_error *error);

/*
 * Fills one page of a backed segment; address is that of the page. False, with an error that names
 * the file, if it cannot.
 */
typedef bool rsb_image_reader(void *context, uint64_t address, uint8_t page[RSB_PAGE],
			      struct rsb_error *error);

/* Maps a segment (page-aligned) that is read a page at a time. release frees context with the
 * image. */
bool rsb_image_back(struct rsb_image *image, const char *name, uint64_t address, uint64_t size,
		    unsigned access, rsb_image_reader *reader, void *context,
		    struct rsb_error *error);

/* Calls release(context) when the image is freed (a reader's context, shared by its segments). */
bool rsb_image_own(struct rsb_image *image, void *context, void (*release)(void *context));

/*
 * The bytes of one page as they are before anything runs, and what it may be used for. False with
 * an empty error text: nothing is mapped there. False with a message: the reader failed.
 */
bool rsb_image_page(const struct rsb_image *image, uint64_t address, uint8_t page[RSB_PAGE],
		    unsigned *access, struct rsb_error *error);

/* Copies bytes out, over page borders; false as rsb_image_page(). */
bool rsb_image_read(const struct rsb_image *image, uint64_t address, void *out, size_t size,
		    struct rsb_error *error);

/*
 * Writes bytes over what is mapped, backed pages too (the file stays as it is). False as
 * rsb_image_page().
 */
bool rsb_image_patch(struct rsb_image *image, uint64_t address, const void *bytes, size_t size,
		     struct rsb_error *error);

/*
 * Walks the segments in order of their addresses; false: no more. Start with *index 0. The size is
 * in whole pages, 0 for one that ends with the address space and starts at 0.
 */
bool rsb_image_segment_next(const struct rsb_image *image, size_t *index, const char **name,
			    uint64_t *address, uint64_t *size, unsigned *access);

/*
 * Keeps each page of the backed segments in kept, as it is when it is first read, and takes it from
 * there from then on. The machine then brings in the pages that code touches and no others. Kept
 * must outlive the image; more than one image may share it.
 */
struct rsb_patches;
void rsb_image_keep(struct rsb_image *image, struct rsb_patches *kept);
bool rsb_image_keeps(const struct rsb_image *image);

/* A start from which size bytes are free, within 1 GiB of near (for rel32), page-aligned. 0: none.
 */
uint64_t rsb_image_gap(const struct rsb_image *image, uint64_t near, uint64_t size);

/* Enters a symbol; size 0: up to the next one. The name is copied. */
bool rsb_image_symbol(struct rsb_image *image, const char *name, uint64_t address, uint64_t size,
		      struct rsb_error *error);

/* The address of a symbol. Error: absent (the nearest are listed), or ambiguous (both addresses
 * named). */
bool rsb_image_find(const struct rsb_image *image, const char *name, uint64_t *address,
		    struct rsb_error *error);

/* The symbol at or before address, and where it ends. NULL: none within 1 MiB. Owned by the image.
 */
const char *rsb_image_symbol_at(const struct rsb_image *image, uint64_t address, uint64_t *start,
				uint64_t *end);

/* Writes "name+0x5e" (or "name", or "0x401000" if there is no symbol) into out. */
void rsb_image_describe(const struct rsb_image *image, uint64_t address, char *out, size_t size);

/* Walks the symbols in order of their addresses; false: no more. Start with *index 0. */
bool rsb_image_symbol_next(const struct rsb_image *image, size_t *index, const char **name,
			   uint64_t *address);

/* Says that the code from start up to end is part of a mitigation. */
bool rsb_image_mitigate(struct rsb_image *image, uint64_t start, uint64_t end,
			enum rsb_mitigation kind);
enum rsb_mitigation rsb_image_mitigation(const struct rsb_image *image, uint64_t pc);

/*
 * Enters a return of generated code: where it stands, or what stands in its place. They are
 * numbered in the order of entering, which is the same for all images of the same code.
 */
bool rsb_image_add_return(struct rsb_image *image, uint64_t address);
const uint64_t *rsb_image_returns(const struct rsb_image *image, size_t *count);

/* How the code returns, in a word: "none" unless set. The word is copied, and cut to 31 letters. */
void rsb_image_set_return_thunk(struct rsb_image *image, const char *word);
const char *rsb_image_return_thunk(const struct rsb_image *image);

/*
 * Keeps a sentence for those who read figures of this image: what in it is not as its source has
 * it.
 */
bool rsb_image_note(struct rsb_image *image, const char *format, ...)
	__attribute__((format(printf, 2, 3)));

/* The sentences, ended by NULL. Owned by the image. */
const char *const *rsb_image_notes(const struct rsb_image *image);

/* Adds one of at most RSB_INCIDENTS_MAX incidents; more are not taken. */
void rsb_image_add_incident(struct rsb_image *image, const struct rsb_incident *incident);

/* Those that were added. Owned by the image. */
const struct rsb_incident *rsb_image_incidents(const struct rsb_image *image, size_t *count);

/* Base of the GS segment when a round starts; 0 unless set. */
void rsb_image_set_gs_base(struct rsb_image *image, uint64_t base);
uint64_t rsb_image_gs_base(const struct rsb_image *image);

/*
 * A kernel that system calls or exceptions enter: what a processor is told of it. The machine then
 * makes the entry at each syscall, int3 and int1 instruction, and the way out at sysretq and iretq;
 * without it each ends the run, or a syscall is what the incidents say. An image with callers that
 * enter a kernel (sim/generate/callers.h) has it.
 */
struct rsb_system {
	uint64_t entry;       /* MSR LSTAR: where a syscall goes; 0: it ends the run */
	uint64_t exception;   /* in the IDT: where int3 and int1 go; 0: they end it */
	uint64_t stack;       /* for an exception, TSS: RSP0 or that of an IST; 0: it stays */
	bool kernel;          /* exceptions are of code in the kernel itself */
	uint64_t gs_base;     /* MSR KERNEL_GS_BASE: what swapgs gives in exchange */
	uint64_t page_tables; /* CR3 when the first round starts */
};
void rsb_image_set_system(struct rsb_image *image, const struct rsb_system *system);
const struct rsb_system *rsb_image_system(const struct rsb_image *image); /* NULL: none */

/* Control-flow enforcement that is on while the image runs; none unless set. */
#define RSB_CET_SHADOW_STACK 1u
#define RSB_CET_IBT          2u /* indirect branch tracking ... */
#define RSB_CET_NOTRACK      4u /* ... which branches with the notrack prefix are left out of */
void rsb_image_set_cet(struct rsb_image *image, unsigned cet);
unsigned rsb_image_cet(const struct rsb_image *image);

/*
 * Code may run on the stack, as gcc's nested functions want it; it may not unless this is called.
 */
void rsb_image_set_stack_executable(struct rsb_image *image);
bool rsb_image_stack_executable(const struct rsb_image *image);

/* How the file that the image is of is started; all 0 unless set. */
void rsb_image_set_start(struct rsb_image *image, const struct rsb_start *start);
const struct rsb_start *rsb_image_start(const struct rsb_image *image);

/* That it is run as a whole program, and how. NULL: it is not. */
void rsb_image_set_program(struct rsb_image *image, const struct rsb_program *program);
const struct rsb_program *rsb_image_program(const struct rsb_image *image);

/* Base of the FS segment; for user space. */
void rsb_image_set_fs_base(struct rsb_image *image, uint64_t base);
uint64_t rsb_image_fs_base(const struct rsb_image *image);

#endif
