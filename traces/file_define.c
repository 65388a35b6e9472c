/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Writing the sites and addresses of a trace file. */
#include "traces/file_define.h"

#include <stdlib.h>
#include <string.h>

void rsb_definer_clear(struct rsb_definer *definer)
{
	rsb_sites_free(definer->table);
	rsb_bytes_clear(&definer->bytes);
	free(definer->site_numbers.of);
	free(definer->address_numbers.of);
	*definer = (struct rsb_definer){ .sites = NULL };
}

static uint32_t refuse(struct rsb_definer *definer, const char *trouble)
{
	definer->trouble = trouble;
	return RSB_GUESS_NONE;
}

/* Has this id, of a table that has count of them, a number already? False: not, or no memory. */
static bool find_number(struct rsb_numbers *numbers, uint32_t id, size_t count)
{
	if (id >= numbers->count) {
		uint32_t *more = realloc(numbers->of, count * sizeof(*more));

		if (!more)
			return false;
		numbers->of = more;
		while (numbers->count < count)
			more[numbers->count++] = RSB_GUESS_NONE;
	}
	return numbers->of[id] != RSB_GUESS_NONE;
}

/* A label that is too long is cut. */
static const char *fit_label(const char *label, char cut[RSB_FILE_LABEL_MAX + 1])
{
	if (strlen(label) <= RSB_FILE_LABEL_MAX)
		return label;
	memcpy(cut, label, RSB_FILE_LABEL_MAX);
	cut[RSB_FILE_LABEL_MAX] = '\0';
	return cut;
}

static void put_site(struct rsb_definer *definer, const struct rsb_site *site, const char *label)
{
	const uint8_t row[] = { site->kind, site->length, site->detail, site->mitigation,
				site->flags };

	rsb_put(&definer->bytes, row, sizeof(row));
	rsb_put_number(&definer->bytes, site->count);
	rsb_put_number(&definer->bytes, rsb_fold(site->pc - definer->last_pc));
	rsb_put_text(&definer->bytes, label);
	definer->last_pc = site->pc;
	definer->label_bytes += strlen(label);
	definer->count++;
}

uint32_t rsb_define_site(struct rsb_definer *definer, uint32_t id)
{
	struct rsb_numbers *numbers = &definer->site_numbers;
	char cut[RSB_FILE_LABEL_MAX + 1];
	const char *label;
	size_t count;
	const struct rsb_site *sites = rsb_sites_array(definer->sites, &count);

	if (find_number(numbers, id, count))
		return numbers->of[id];
	if (id >= numbers->count)
		return refuse(definer, "out of memory");
	label = fit_label(rsb_site_label(definer->sites, id), cut);
	numbers->of[id] = rsb_sites_intern(definer->table, &sites[id], label);
	if (numbers->of[id] == RSB_SITE_NONE)
		return refuse(definer, "out of memory");
	put_site(definer, &sites[id], label);
	if (numbers->of[id] >= RSB_FILE_SITES_MAX || definer->label_bytes > RSB_FILE_LABELS_MAX)
		return refuse(definer, "it has more sites, or longer labels, than a file can have");
	return numbers->of[id];
}

uint32_t rsb_define_address(struct rsb_definer *definer, uint32_t id)
{
	struct rsb_numbers *numbers = &definer->address_numbers;
	size_t count, before, after;
	const uint64_t *addresses = rsb_sites_addresses(definer->sites, &count);

	if (find_number(numbers, id, count))
		return numbers->of[id];
	if (id >= numbers->count)
		return refuse(definer, "out of memory");
	rsb_sites_addresses(definer->table, &before);
	numbers->of[id] = rsb_sites_address(definer->table, addresses[id]);
	rsb_sites_addresses(definer->table, &after);
	if (numbers->of[id] == UINT32_MAX)
		return refuse(definer, "out of memory");
	if (numbers->of[id] >= RSB_FILE_ADDRESSES_MAX)
		return refuse(definer, "it has more addresses than a file can have");
	/* It may have been there before, as where a site falls through. */
	if (before != after) {
		rsb_put_byte(&definer->bytes, RSB_DEFINE_ADDRESS);
		rsb_put_number(&definer->bytes, rsb_fold(addresses[id] - definer->last_address));
		definer->last_address = addresses[id];
		definer->count++;
	}
	return numbers->of[id];
}

void rsb_define_guesses(struct rsb_definer *definer, const struct rsb_guess *guess)
{
	/* None is all ones, so that adding one makes it 0. */
	for (size_t i = definer->first_site; i < guess->site_count; i++)
		rsb_put_number(&definer->bytes, (uint32_t)(guess->sites[i].usual + 1));
	for (size_t i = definer->first_address; i < guess->address_count; i++)
		rsb_put_number(&definer->bytes, (uint32_t)(guess->followers[i] + 1));
	definer->first_site = guess->site_count;
	definer->first_address = guess->address_count;
}

void rsb_define_restart(struct rsb_definer *definer)
{
	definer->bytes.size = 0;
	definer->count = 0;
	definer->last_pc = definer->last_address = 0;
}
