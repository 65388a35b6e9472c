/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What the runner's child is to map, read from an image, and the images that it cannot be given. */
#include "sim/native/child.h"

#include <inttypes.h>
#include <stdlib.h>

#define USER_END      UINT64_C(0x7fffffff0000) /* 47 bits, less the guard at the end of them */
#define USER_START    UINT64_C(0x10000)        /* vm.mmap_min_addr, as it mostly is */
#define VISIT_SECONDS 10

static bool refuse_segment(const struct rsb_native_segment *segment, const char *why,
			   struct rsb_error *error)
{
	return rsb_error_set(error, "'%s' at 0x%" PRIx64 ": %s", segment->name, segment->address,
			     why);
}

static bool check_segment(const struct rsb_native_segment *segment, uint64_t *sum,
			  struct rsb_error *error)
{
	if (segment->address >= USER_END || segment->size > USER_END - segment->address)
		return refuse_segment(segment, "a kernel's addresses, which no process can have",
				      error);
	if (segment->address < USER_START)
		return refuse_segment(segment, "addresses that no process can have", error);
	if ((segment->access & RSB_WRITE) && (segment->access & RSB_EXECUTE))
		return refuse_segment(segment, "memory that is both written and executed", error);
	if (!segment->size || segment->size > RSB_NATIVE_MEMORY ||
	    *sum + segment->size > RSB_NATIVE_MEMORY)
		return refuse_segment(segment, "more memory than the 256 MiB that it may have",
				      error);
	*sum += segment->size;
	return true;
}

/*
 * System calls that are served are no incident to one who may make them; and what is done to a
 * shadow stack is nothing to one who has none.
 */
static bool has_incidents(const struct rsb_image *image, bool system_calls)
{
	size_t count;
	const struct rsb_incident *all = rsb_image_incidents(image, &count);

	for (size_t i = 0; i < count; i++)
		if (all[i].kind != RSB_INCIDENT_SHADOW &&
		    (!system_calls || all[i].kind != RSB_INCIDENT_SYSCALL))
			return true;
	return false;
}

static bool check_image(const struct rsb_image *image, bool system_calls, struct rsb_error *error)
{
	size_t index = 0;
	struct rsb_native_segment segment;
	uint64_t sum = 0;

	while (rsb_image_segment_next(image, &index, &segment.name, &segment.address, &segment.size,
				      &segment.access))
		if (!check_segment(&segment, &sum, error))
			return false;
	if (rsb_image_program(image))
		return rsb_error_set(error, "it is a whole program, whose system calls nothing "
					    "here serves");
	if (rsb_image_system(image))
		return rsb_error_set(error, "it enters a kernel of its own, which is run nowhere "
					    "but in the machine");
	if (has_incidents(image, system_calls))
		return rsb_error_set(error, "it has incidents (\"environment\"), which nothing "
					    "here makes happen");
	if (rsb_image_cet(image))
		return rsb_error_set(error, "it has control-flow enforcement on, which is not "
					    "set up here");
	return true;
}

bool rsb_native_fits(const struct rsb_image *image, struct rsb_error *error)
{
	return rsb_native_available(error) && check_image(image, false, error);
}

static bool read_segment(struct rsb_native_segment *segment, const struct rsb_image *image,
			 struct rsb_error *error)
{
	segment->bytes = malloc(segment->size);
	if (!segment->bytes)
		return rsb_error_set(error, "out of memory");
	error->text[0] = '\0';
	if (rsb_image_read(image, segment->address, segment->bytes, segment->size, error))
		return true;
	return *error->text ? false : rsb_error_set(error, "'%s' has holes", segment->name);
}

static bool read_segments(struct rsb_native_plan *plan, const struct rsb_image *image,
			  struct rsb_error *error)
{
	struct rsb_native_segment segment = { 0 };
	size_t index = 0, room = 0;

	while (rsb_image_segment_next(image, &index, &segment.name, &segment.address, &segment.size,
				      &segment.access))
		room++;
	plan->segments = calloc(room ? room : 1, sizeof(*plan->segments));
	if (!plan->segments)
		return rsb_error_set(error, "out of memory");
	for (index = 0; rsb_image_segment_next(image, &index, &segment.name, &segment.address,
					       &segment.size, &segment.access);) {
		plan->segments[plan->count++] = segment;
		if (!read_segment(&plan->segments[plan->count - 1], image, error))
			return false;
	}
	return true;
}

bool rsb_native_plan(struct rsb_native_plan *plan, const struct rsb_image *image,
		     const struct rsb_native_visit *visit, struct rsb_error *error)
{
	*plan = (struct rsb_native_plan){
		.visit = *visit,
		.fs_base = rsb_image_fs_base(image),
		.gs_base = rsb_image_gs_base(image),
		.stack_executable = rsb_image_stack_executable(image),
	};
	if (!(plan->visit.seconds > 0))
		plan->visit.seconds = VISIT_SECONDS;
	if (!visit->samples || visit->samples > RSB_NATIVE_SAMPLES_MAX || !visit->rounds)
		return rsb_error_set(error, "expected 1 to %d samples of 1 round or more",
				     RSB_NATIVE_SAMPLES_MAX);
	return check_image(image, visit->getppid, error) &&
	       rsb_image_find(image, "rsb_round", &plan->entry, error) &&
	       read_segments(plan, image, error);
}

void rsb_native_plan_clear(struct rsb_native_plan *plan)
{
	for (size_t i = 0; i < plan->count; i++)
		free(plan->segments[i].bytes);
	free(plan->segments);
	*plan = (struct rsb_native_plan){ 0 };
}
