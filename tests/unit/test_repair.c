/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Wrong paths: what each repair puts back when they are squashed. */
#include "tests/unit/stream.h"
#include "tests/unit/unit.h"

#include <stdio.h>

/*
 * SimEng test/unit/GenericPredictorTest.cc, flush: calls at 8, 24, 40; the return at 52 gives 44,
 * the one at 36 gives 28 and is flushed; then 20 gives 28, and 16 gives 12.
 */
START_TEST(simeng_flush)
{
	struct stream stream = stream_new();

	for (uint64_t pc = 8; pc <= 40; pc += 16)
		stream_add(&stream, (struct rsb_site){ .pc = pc, .length = 4, .kind = RSB_CALL },
			   pc + 8);
	stream_return_at(&stream, 52, 44);
	stream_kind(&stream, RSB_SPECULATE);
	stream_return_at(&stream, 36, 28);
	stream_kind(&stream, RSB_SQUASH);
	stream_return_at(&stream, 20, 28);
	stream_return_at(&stream, 16, 12);
	for (int i = 0; rsb_model_types()[i]; i++)
		ck_assert_uint_eq(stream_misses_of(&stream, rsb_model_types()[i]->name, ""), 0);
	ck_assert_uint_eq(stream_misses_of(&stream, "checked", "repair=none"), 2);
	stream_free(&stream);
}
END_TEST

/*
 * C906 issue 26: a victim is called; six calls on a wrong path go round its stack of 4; only the
 * pointer is put back, and the victim's return misses. With the entry put back too, it hits.
 */
START_TEST(c906_wrapped_on_a_wrong_path)
{
	struct stream stream = stream_new();

	stream_call(&stream, stream_site(0));
	stream_kind(&stream, RSB_SPECULATE);
	for (unsigned i = 1; i <= 6; i++)
		stream_call(&stream, stream_site(i));
	stream_kind(&stream, RSB_SQUASH);
	stream_return(&stream, stream_behind(0));
	ck_assert_uint_eq(stream_misses_of(&stream, "ring", "depth=4 repair=pointer"), 1);
	ck_assert_uint_eq(stream.missed[0].predicted, stream_behind(4));
	ck_assert_uint_eq(stream_misses_of(&stream, "ring", "depth=4 repair=none"), 1);
	ck_assert_uint_eq(stream.missed[0].predicted, stream_behind(6));
	ck_assert_uint_eq(stream_misses_of(&stream, "ring", "depth=4 repair=pointer+top"), 0);
	ck_assert_uint_eq(stream_misses_of(&stream, "ring", "depth=4 repair=full"), 0);
	ck_assert_uint_eq(stream_misses_of(&stream, "ideal", ""), 0);
	stream_free(&stream);
}
END_TEST

/* Two entries are popped and written over: the top alone is not enough for the one below it. */
START_TEST(each_repair_puts_back_more)
{
	struct stream stream = stream_new();

	for (unsigned i = 0; i < 3; i++)
		stream_call(&stream, stream_site(i));
	stream_kind(&stream, RSB_SPECULATE);
	stream_return(&stream, stream_behind(2));
	stream_return(&stream, stream_behind(1));
	stream_call(&stream, stream_site(8));
	stream_call(&stream, stream_site(9));
	stream_kind(&stream, RSB_SQUASH);
	for (unsigned i = 3; i--;)
		stream_return(&stream, stream_behind(i));
	ck_assert_uint_eq(stream_misses_of(&stream, "checked", "repair=pointer"), 2);
	ck_assert_uint_eq(stream_misses_of(&stream, "checked", "repair=pointer+top"), 1);
	ck_assert_uint_eq(stream.missed[0].predicted, stream_behind(8));
	ck_assert_uint_eq(stream_misses_of(&stream, "checked", "repair=full"), 0);
	ck_assert_uint_eq(stream_misses_of(&stream, "ideal", ""), 0);
	stream_free(&stream);
}
END_TEST

/* BOOM and gem5 (read from RTL and source): a return that mispredicts still pops. */
START_TEST(a_mispredicted_return_pops)
{
	struct stream stream = stream_new();

	stream_call(&stream, stream_site(0));
	stream_call(&stream, stream_site(1));
	stream_return(&stream, 0x666);
	stream_kind(&stream, RSB_SPECULATE); /* behind the wrong target */
	stream_return(&stream, stream_behind(0));
	stream_kind(&stream, RSB_SQUASH);
	stream_return(&stream, stream_behind(0));
	for (int i = 0; rsb_model_types()[i]; i++) {
		ck_assert_uint_eq(stream_misses_of(&stream, rsb_model_types()[i]->name, ""), 1);
		ck_assert_uint_eq(stream.missed[0].predicted, stream_behind(1));
	}
	stream_free(&stream);
}
END_TEST

/* One wrong path inside another: the outer one's end counts; a squash without a start does not. */
START_TEST(nested_wrong_paths)
{
	struct stream stream = stream_new();

	stream_kind(&stream, RSB_SQUASH);
	stream_call(&stream, stream_site(0));
	stream_kind(&stream, RSB_SPECULATE);
	stream_call(&stream, stream_site(1));
	stream_kind(&stream, RSB_SPECULATE);
	stream_call(&stream, stream_site(2));
	stream_kind(&stream, RSB_SQUASH);
	stream_call(&stream, stream_site(3));
	stream_return(&stream, stream_behind(3));
	stream_kind(&stream, RSB_SQUASH);
	stream_return(&stream, stream_behind(0));
	for (int i = 0; rsb_model_types()[i]; i++)
		ck_assert_uint_eq(stream_misses_of(&stream, rsb_model_types()[i]->name, ""), 0);
	stream_free(&stream);
}
END_TEST

/* A full repair leaves nothing of a wrong path, whatever happened on it. */
START_TEST(full_repair_forgets_all)
{
	uint64_t seed = 77;

	for (unsigned i = 0; i < 40; i++) {
		struct stream before = stream_new();
		struct rsb_model *model, *copy;
		char settings[64];

		snprintf(settings, sizeof(settings), "depth=%u repair=full", i);
		model = model_new(i % 2 ? "ring" : "checked", settings);
		stream_random(&before, 100, &seed);
		for (unsigned k = 0; k < 100; k++)
			stream_kind(&before, RSB_SQUASH);
		stream_misses(&before, model);
		copy = rsb_model_copy(model);
		stream_reset(&before);
		stream_kind(&before, RSB_SPECULATE);
		stream_call(&before, stream_site(i));
		stream_return(&before, 5);
		stream_return(&before, 6);
		stream_environment(&before, RSB_ENVIRONMENT_CLEAR, 0);
		stream_environment(&before, RSB_ENVIRONMENT_FILL, i);
		stream_kind(&before, RSB_SQUASH);
		stream_misses(&before, model);
		ck_assert(rsb_model_same(model, copy, SIZE_MAX));
		rsb_model_free(model);
		rsb_model_free(copy);
		stream_free(&before);
	}
}
END_TEST

UNIT_MAIN("repair", simeng_flush, c906_wrapped_on_a_wrong_path, each_repair_puts_back_more,
	  a_mispredicted_return_pops, nested_wrong_paths, full_repair_forgets_all)
