/* SPDX-License-Identifier: GPL-2.0-or-later */
/* See tests/unit/guest.h. */
#include "tests/unit/guest.h"

#include <stdio.h>
#include <string.h>

static void name(struct guest *guest, const char *symbol, uint64_t address)
{
	ck_assert_msg(rsb_image_symbol(guest->image, symbol, address, 0, &guest->error), "%s",
		      guest->error.text);
}

void guest_map(struct guest *guest, const char *segment, uint64_t address, size_t size,
	       unsigned access, const void *bytes, size_t given)
{
	ck_assert_msg(rsb_image_map(guest->image, segment, address, size, access, bytes, given,
				    &guest->error),
		      "%s", guest->error.text);
}

struct guest guest_whole(unsigned access, const uint8_t *code, size_t size, unsigned traced_call)
{
	struct guest guest = { .image = rsb_image_new(), .sites = rsb_sites_new() };

	ck_assert_ptr_nonnull(guest.image);
	ck_assert_ptr_nonnull(guest.sites);
	guest_map(&guest, "code", GUEST_ROUND, size, access, code, size);
	guest_map(&guest, "data", GUEST_DATA, RSB_PAGE, RSB_READ | RSB_WRITE, NULL, 0);
	name(&guest, "rsb_round", GUEST_ROUND);
	name(&guest, "rsb_traced_call", GUEST_ROUND + traced_call);
	name(&guest, "rsb_landing", GUEST_ROUND + traced_call + GUEST_LANDING - GUEST_ROUND);
	name(&guest, "data", GUEST_DATA);
	return guest;
}

struct guest guest_new(unsigned access, const uint8_t *code, size_t size)
{
	/* call target; ret */
	static const uint8_t round[] = { 0xe8, 0xfb, 0x00, 0x00, 0x00, 0xc3 };
	uint8_t pages[4 * RSB_PAGE] = { 0 };
	struct guest guest;

	ck_assert_uint_le(size, sizeof(pages) - (GUEST_TARGET - GUEST_ROUND));
	memcpy(pages, round, sizeof(round));
	memcpy(pages + (GUEST_TARGET - GUEST_ROUND), code, size);
	guest = guest_whole(access, pages, sizeof(pages), 0);
	name(&guest, "target", GUEST_TARGET);
	return guest;
}

void guest_free(struct guest *guest)
{
	rsb_machine_free(guest->machine);
	rsb_trace_clear(&guest->trace);
	rsb_sites_free(guest->sites);
	rsb_image_free(guest->image);
}

void guest_open(struct guest *guest, uint32_t kinds, uint64_t budget)
{
	struct rsb_machine_options options = { .kinds = kinds, .budget = budget };

	guest->machine = rsb_machine_new(guest->image, guest->sites, &options, &guest->error);
	ck_assert_msg(guest->machine, "%s", guest->error.text);
}

static bool run(struct guest *guest)
{
	if (!guest->machine)
		guest_open(guest, RSB_KIND_ALL, 0);
	guest->trace.count = 0;
	return rsb_machine_round(guest->machine, &guest->trace, &guest->round, &guest->error);
}

void guest_run(struct guest *guest)
{
	ck_assert_msg(run(guest), "%s", guest->error.text);
}

const char *guest_fail(struct guest *guest)
{
	ck_assert(!run(guest));
	return guest->error.text;
}

static const char *list(const struct guest *guest, size_t skip_front, size_t skip_back)
{
	static const char *const marks[] = { "round", "traced call", "landing" };
	static char text[GUEST_LISTING];
	const uint64_t *addresses;
	const struct rsb_site *sites;
	size_t count, at = 0;

	sites = rsb_sites_array(guest->sites, &count);
	addresses = rsb_sites_addresses(guest->sites, &count);
	text[0] = '\0';
	for (size_t i = skip_front; i + skip_back < guest->trace.count && at < sizeof(text); i++) {
		const struct rsb_event *event = &guest->trace.events[i];
		const struct rsb_site *site = &sites[event->site];

		at += (size_t)snprintf(text + at, sizeof(text) - at, "%s %llx",
				       site->kind == RSB_MARK ? marks[site->detail]
							      : rsb_kind_name(site->kind),
				       (unsigned long long)site->pc);
		if (site->kind != RSB_MARK && at < sizeof(text))
			at += (size_t)snprintf(text + at, sizeof(text) - at, ">%llx",
					       (unsigned long long)addresses[event->target]);
		if (at < sizeof(text))
			at += (size_t)snprintf(text + at, sizeof(text) - at, "\n");
	}
	return text;
}

const char *guest_events(const struct guest *guest)
{
	/* The marks of the round and of the traced call, and that call; the landing's mark. */
	return list(guest, 3, 1);
}

const char *guest_all_events(const struct guest *guest)
{
	return list(guest, 0, 0);
}

unsigned guest_count(const struct guest *guest, enum rsb_kind kind, uint64_t pc)
{
	size_t size;
	const struct rsb_site *sites = rsb_sites_array(guest->sites, &size);
	unsigned count = 0;

	for (size_t i = 0; i < guest->trace.count; i++) {
		const struct rsb_site *site = &sites[guest->trace.events[i].site];

		count += site->kind == kind && site->pc == pc;
	}
	return count;
}

const char *guest_message(struct guest guest)
{
	static char text[sizeof(guest.error.text)];

	snprintf(text, sizeof(text), "%s", guest_fail(&guest));
	guest_free(&guest);
	return text;
}
