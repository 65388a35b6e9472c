/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Reading the sites and addresses of a trace file. */
#include "traces/file_define.h"

#include <string.h>

/* A chunk that is being read. */
struct state {
	struct rsb_sites *table;
	struct rsb_unread from;
	uint64_t last_pc, last_address;
	size_t *label_bytes;
};

static size_t count_sites(const struct rsb_sites *table)
{
	size_t count;

	rsb_sites_array(table, &count);
	return count;
}

static size_t count_addresses(const struct rsb_sites *table)
{
	size_t count;

	rsb_sites_addresses(table, &count);
	return count;
}

/* Is a site what its kind allows? Models and reports index tables by these. */
static bool is_valid(const struct rsb_site *site)
{
	if (site->kind >= RSB_KINDS || site->mitigation > RSB_MITIGATION_FILL ||
	    site->flags > (RSB_SITE_INDIRECT | RSB_SITE_ZERO_CALL))
		return false;
	if (site->kind == RSB_MARK)
		return site->detail <= RSB_MARK_GAP;
	if (site->kind == RSB_ENVIRONMENT)
		return site->detail <= RSB_ENVIRONMENT_CR3_FLUSH;
	return !site->detail;
}

static bool read_address(struct state *state, struct rsb_error *error)
{
	size_t before = count_addresses(state->table);

	state->last_address += rsb_unfold(rsb_take_number(&state->from));
	if (state->from.bad)
		return rsb_error_set(error, "it ends early");
	if (before >= RSB_FILE_ADDRESSES_MAX)
		return rsb_error_set(error, "there are more than %u addresses",
				     RSB_FILE_ADDRESSES_MAX);
	if (rsb_sites_address(state->table, state->last_address) == UINT32_MAX)
		return rsb_error_set(error, "out of memory");
	return count_addresses(state->table) != before ||
	       rsb_error_set(error, "the address is there already");
}

static bool read_site(struct state *state, uint8_t kind, struct rsb_error *error)
{
	size_t before = count_sites(state->table);
	struct rsb_site site = { .kind = kind };
	const char *label;
	uint64_t count;

	site.length = rsb_take_byte(&state->from);
	site.detail = rsb_take_byte(&state->from);
	site.mitigation = rsb_take_byte(&state->from);
	site.flags = rsb_take_byte(&state->from);
	count = rsb_take_number(&state->from);
	state->last_pc += rsb_unfold(rsb_take_number(&state->from));
	label = rsb_take_text(&state->from);
	if (state->from.bad)
		return rsb_error_set(error, "it ends early");
	if (!is_valid(&site) || count > UINT32_MAX)
		return rsb_error_set(error,
				     "kind %u, detail %u, mitigation %u, count %llu: there is no "
				     "such site",
				     kind, site.detail, site.mitigation, (unsigned long long)count);
	*state->label_bytes += strlen(label);
	if (before >= RSB_FILE_SITES_MAX || strlen(label) > RSB_FILE_LABEL_MAX ||
	    *state->label_bytes > RSB_FILE_LABELS_MAX)
		return rsb_error_set(error,
				     "more than %u sites, or a label of more than %u bytes, or "
				     "more than %u in all",
				     RSB_FILE_SITES_MAX, RSB_FILE_LABEL_MAX, RSB_FILE_LABELS_MAX);
	site.pc = state->last_pc;
	site.count = (uint32_t)count;
	if (rsb_sites_intern(state->table, &site, *label ? label : NULL) == RSB_SITE_NONE)
		return rsb_error_set(error, "out of memory");
	return count_sites(state->table) != before ||
	       rsb_error_set(error, "the site is there already");
}

static bool read_definition(struct state *state, struct rsb_error *error)
{
	uint8_t kind = rsb_take_byte(&state->from);

	if (kind == RSB_DEFINE_ADDRESS)
		return read_address(state, error);
	return read_site(state, kind, error);
}

/* One guess, a number below limit; true: it is as it may be. */
static bool read_guess(struct state *state, size_t limit, uint32_t *guess)
{
	uint64_t number = rsb_take_number(&state->from);

	*guess = (uint32_t)number - 1;
	return number <= limit;
}

static bool read_guesses(struct state *state, struct rsb_guess *guess, struct rsb_error *error)
{
	size_t site = guess->site_count, address = guess->address_count;
	bool good;

	if (!rsb_guess_grow(guess, state->table))
		return rsb_error_set(error, "out of memory");
	good = true;
	for (; good && site < guess->site_count; site++)
		good = read_guess(state, guess->address_count, &guess->sites[site].usual);
	for (; good && address < guess->address_count; address++)
		good = read_guess(state, guess->site_count, &guess->followers[address]);
	if (good && !state->from.bad && state->from.at == state->from.end)
		return true;
	return rsb_error_set(error, "the guesses after the definitions do not fit them");
}

bool rsb_define_read(struct rsb_sites *table, struct rsb_guess *guess, size_t *label_bytes,
		     const struct rsb_chunk *chunk, struct rsb_error *error)
{
	struct state state = {
		.table = table,
		.from = rsb_unread_of(chunk->bytes, chunk->size),
		.label_bytes = label_bytes,
	};

	for (uint32_t i = 0; i < chunk->count; i++)
		if (!read_definition(&state, error))
			return rsb_error_prefix(error, "definition %u", i);
	return read_guesses(&state, guess, error);
}
