/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The site table and traces in memory. */
#include "tests/unit/unit.h"
#include "traces/site.h"
#include "traces/trace.h"

#include <stdio.h>

static struct rsb_sites *sites;

static void make_table(void)
{
	sites = rsb_sites_new();
	ck_assert_ptr_nonnull(sites);
}

static struct rsb_site call_at(uint64_t pc)
{
	return (struct rsb_site){ .pc = pc, .length = 5, .kind = RSB_CALL };
}

/* Ids count from 0 in the order of entry, and index the array. */
START_TEST(gives_dense_ids)
{
	const struct rsb_site *array;
	size_t count;

	make_table();
	for (uint32_t id = 0; id < 1000; id++) {
		struct rsb_site site = call_at(0x1000 + id);

		ck_assert_uint_eq(rsb_sites_intern(sites, &site, NULL), id);
	}
	array = rsb_sites_array(sites, &count);
	ck_assert_uint_eq(count, 1000);
	for (uint32_t id = 0; id < 1000; id++)
		ck_assert_uint_eq(array[id].pc, 0x1000 + id);
	rsb_sites_free(sites);
}
END_TEST

/* A site that is there keeps its id and its label. */
START_TEST(interns_a_site_once)
{
	struct rsb_site site = call_at(0x1000), other = call_at(0x2000);
	size_t count;

	make_table();
	ck_assert_uint_eq(rsb_sites_intern(sites, &site, "f+0x10"), 0);
	ck_assert_uint_eq(rsb_sites_intern(sites, &other, NULL), 1);
	ck_assert_uint_eq(rsb_sites_intern(sites, &site, "g"), 0);
	rsb_sites_array(sites, &count);
	ck_assert_uint_eq(count, 2);
	ck_assert_str_eq(rsb_site_label(sites, 0), "f+0x10");
	rsb_sites_free(sites);
}
END_TEST

/* Each field that the header names makes another site; the fall-through is no field of its own. */
START_TEST(tells_sites_apart)
{
	struct rsb_site site = call_at(0x1000);
	const struct rsb_site variants[] = {
		{ .pc = 0x1001, .length = 5, .kind = RSB_CALL },
		{ .pc = 0x1000, .length = 6, .kind = RSB_CALL },
		{ .pc = 0x1000, .length = 5, .kind = RSB_JUMP },
		{ .pc = 0x1000, .length = 5, .kind = RSB_CALL, .detail = 1 },
		{ .pc = 0x1000, .length = 5, .kind = RSB_CALL, .mitigation = 1 },
		{ .pc = 0x1000, .length = 5, .kind = RSB_CALL, .flags = 1 },
		{ .pc = 0x1000, .length = 5, .kind = RSB_CALL, .count = 1 },
	};

	make_table();
	ck_assert_uint_eq(rsb_sites_intern(sites, &site, NULL), 0);
	for (uint32_t i = 0; i < sizeof(variants) / sizeof(variants[0]); i++)
		ck_assert_uint_eq(rsb_sites_intern(sites, &variants[i], NULL), i + 1);
	site.fall_through = 0x7777;
	site.fall_through_id = 99;
	ck_assert_uint_eq(rsb_sites_intern(sites, &site, NULL), 0);
	rsb_sites_free(sites);
}
END_TEST

/* The table fills in what a call pushes, and wraps it at the end of the address space. */
START_TEST(fills_in_the_fall_through)
{
	struct rsb_site first = call_at(0x1000), last = call_at(UINT64_MAX - 1);
	const struct rsb_site *array;
	size_t count;

	make_table();
	rsb_sites_intern(sites, &first, NULL);
	rsb_sites_intern(sites, &last, NULL);
	array = rsb_sites_array(sites, &count);
	ck_assert_uint_eq(array[0].fall_through, 0x1005);
	ck_assert_uint_eq(array[0].fall_through_id, rsb_sites_address(sites, 0x1005));
	ck_assert_uint_eq(array[1].fall_through, 3);
	ck_assert_uint_eq(array[1].fall_through_id, rsb_sites_address(sites, 3));
	rsb_sites_free(sites);
}
END_TEST

/* Labels are copied; a site without one, or no site, has an empty label. */
START_TEST(keeps_labels)
{
	struct rsb_site site = call_at(0x1000), other = call_at(0x2000);
	char label[] = "trampoline+0x5e";

	make_table();
	rsb_sites_intern(sites, &site, label);
	rsb_sites_intern(sites, &other, NULL);
	label[0] = 'x';
	ck_assert_str_eq(rsb_site_label(sites, 0), "trampoline+0x5e");
	ck_assert_str_eq(rsb_site_label(sites, 1), "");
	ck_assert_str_eq(rsb_site_label(sites, 2), "");
	ck_assert_str_eq(rsb_site_label(sites, RSB_SITE_NONE), "");
	rsb_sites_free(sites);
}
END_TEST

/* The ends of the address space are addresses like others. */
START_TEST(takes_every_address)
{
	const uint64_t addresses[] = { 0, 1, UINT32_MAX, UINT64_C(1) << 32, UINT64_MAX };
	const uint64_t *array;
	size_t count, i;

	make_table();
	for (i = 0; i < 5; i++)
		ck_assert_uint_eq(rsb_sites_address(sites, addresses[i]), i);
	for (i = 0; i < 5; i++)
		ck_assert_uint_eq(rsb_sites_address(sites, addresses[i]), i);
	array = rsb_sites_addresses(sites, &count);
	ck_assert_uint_eq(count, 5);
	for (i = 0; i < 5; i++)
		ck_assert_uint_eq(array[i], addresses[i]);
	rsb_sites_free(sites);
}
END_TEST

/* Multiplying by an odd number visits every address once, so that no two of these are equal. */
static uint64_t nth_address(uint64_t n)
{
	return n * UINT64_C(0x9e3779b97f4a7c15);
}

/* A million addresses: each has the id of its place, whether it is met first or again. */
START_TEST(interns_a_million_addresses)
{
	const uint32_t million = 1000000;
	const uint64_t *array;
	uint32_t wrong = 0;
	size_t count;

	make_table();
	for (uint32_t n = 0; n < million; n++)
		wrong += rsb_sites_address(sites, nth_address(n)) != n;
	for (uint32_t n = million; n-- > 0;)
		wrong += rsb_sites_address(sites, nth_address(n)) != n;
	array = rsb_sites_addresses(sites, &count);
	ck_assert_uint_eq(count, million);
	for (uint32_t n = 0; n < million; n++)
		wrong += array[n] != nth_address(n);
	ck_assert_uint_eq(wrong, 0);
	rsb_sites_free(sites);
}
END_TEST

/* Addresses in a row, as code has them, are no trouble either. */
START_TEST(interns_neighbours)
{
	const uint64_t text = UINT64_C(0xffffffff81000000);
	uint32_t wrong = 0;

	make_table();
	for (int pass = 0; pass < 2; pass++) {
		for (uint32_t n = 0; n < 300000; n++)
			wrong += rsb_sites_address(sites, text + 16 * n) != n;
	}
	ck_assert_uint_eq(wrong, 0);
	rsb_sites_free(sites);
}
END_TEST

/* A hundred thousand sites keep their ids and labels while the table grows. */
START_TEST(interns_many_sites)
{
	char label[32];
	uint32_t wrong = 0;

	make_table();
	for (int pass = 0; pass < 2; pass++) {
		for (uint32_t id = 0; id < 100000; id++) {
			struct rsb_site site = call_at(0x400000 + 16 * id);

			snprintf(label, sizeof(label), "f%u", id);
			wrong += rsb_sites_intern(sites, &site, label) != id;
		}
	}
	ck_assert_uint_eq(wrong, 0);
	ck_assert_str_eq(rsb_site_label(sites, 0), "f0");
	ck_assert_str_eq(rsb_site_label(sites, 99999), "f99999");
	rsb_sites_free(sites);
}
END_TEST

/* So many sites that some share a 32-bit hash, for sure: what differs in one field stays apart. */
START_TEST(tells_equal_hashes_apart)
{
	const uint32_t many = 400000;
	uint32_t wrong = 0;

	make_table();
	for (uint32_t id = 0; id < many; id++) {
		struct rsb_site site = { .kind = RSB_ENVIRONMENT, .count = id };

		wrong += rsb_sites_intern(sites, &site, NULL) != id;
	}
	for (uint32_t id = many; id < 2 * many; id++) {
		struct rsb_site site = call_at(id);

		wrong += rsb_sites_intern(sites, &site, NULL) != id;
	}
	ck_assert_uint_eq(wrong, 0);
	rsb_sites_free(sites);
}
END_TEST

/* An empty table has nothing in it, and none is freed like one. */
START_TEST(starts_empty)
{
	size_t count = 1;

	make_table();
	rsb_sites_array(sites, &count);
	ck_assert_uint_eq(count, 0);
	count = 1;
	rsb_sites_addresses(sites, &count);
	ck_assert_uint_eq(count, 0);
	rsb_sites_free(sites);
	rsb_sites_free(NULL);
}
END_TEST

/* A trace grows as events come, keeps their order, and can be used again after it was cleared. */
START_TEST(appends_events)
{
	struct rsb_trace trace = { 0 };

	for (int pass = 0; pass < 2; pass++) {
		for (uint32_t i = 0; i < 10000; i++)
			ck_assert(rsb_trace_add(&trace, i, i + 1));
		ck_assert_uint_eq(trace.count, 10000);
		for (uint32_t i = 0; i < 10000; i++) {
			ck_assert_uint_eq(trace.events[i].site, i);
			ck_assert_uint_eq(trace.events[i].target, i + 1);
		}
		rsb_trace_clear(&trace);
		ck_assert_ptr_null(trace.events);
		ck_assert_uint_eq(trace.count, 0);
	}
}
END_TEST

/* Room that is reserved is there; more than can exist is refused, and nothing is lost. */
START_TEST(reserves_room)
{
	struct rsb_trace trace = { 0 };
	const struct rsb_event *before;

	ck_assert(rsb_trace_reserve(&trace, 5000));
	ck_assert_uint_ge(trace.capacity, 5000);
	before = trace.events;
	for (uint32_t i = 0; i < 5000; i++)
		ck_assert(rsb_trace_add(&trace, i, i));
	ck_assert_ptr_eq(trace.events, before);
	ck_assert(!rsb_trace_reserve(&trace, SIZE_MAX));
	ck_assert(!rsb_trace_reserve(&trace, SIZE_MAX / sizeof(struct rsb_event)));
	ck_assert_uint_eq(trace.count, 5000);
	ck_assert_uint_eq(trace.events[4999].site, 4999);
	rsb_trace_clear(&trace);
}
END_TEST

/* Every kind has a name of its own; a number that is no kind has one too. */
START_TEST(names_kinds)
{
	for (int a = 0; a < RSB_KINDS; a++) {
		ck_assert_ptr_nonnull(rsb_kind_name(a));
		ck_assert_str_ne(rsb_kind_name(a), "unknown");
		for (int b = 0; b < a; b++)
			ck_assert_str_ne(rsb_kind_name(a), rsb_kind_name(b));
	}
	ck_assert_str_eq(rsb_kind_name(RSB_JUMP_INDIRECT), "indirect jump");
	ck_assert_str_eq(rsb_kind_name(RSB_KINDS), "unknown");
	ck_assert_str_eq(rsb_kind_name((enum rsb_kind) - 1), "unknown");
}
END_TEST

UNIT_MAIN("sites and traces", gives_dense_ids, interns_a_site_once, tells_sites_apart,
	  fills_in_the_fall_through, keeps_labels, takes_every_address, interns_a_million_addresses,
	  interns_neighbours, interns_many_sites, tells_equal_hashes_apart, starts_empty,
	  appends_events, reserves_room, names_kinds)
