/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The processor at hand: its name, its profile, its counter.
 *
 * Families and models of Intel are those of Linux 6.12 arch/x86/include/asm/intel-family.h; of AMD,
 * of arch/x86/kernel/cpu/amd.c (bsp_init_amd(), init_amd()). A profile stands for a core, so that
 * parts whose two kinds of core are of different families are in no row.
 *
 * Counters: AMD PMCx0C9, retired near returns mispredicted, from family 17h on (Linux
 * Documentation/admin-guide/hw-vuln/srso.rst; tools/perf/pmu-events/arch/x86/amdzen*); Intel
 * BR_MISP_RETIRED.RET, event c5 with mask 08 (tools/perf/pmu-events/arch/x86/ of skylakex,
 * tigerlake, sapphirerapids and others, pipeline.json).
 */
#include "sim/native/host.h"

#include "sim/native/child.h"

#include <string.h>

#define AMD_RETURNS_MISPREDICTED   0xc9
#define INTEL_RETURNS_MISPREDICTED 0x08c5

#if RSB_NATIVE_HERE
#include <cpuid.h>

static void read_vendor(struct rsb_host *host)
{
	static const char *const names[][2] = { { "GenuineIntel", "Intel" },
						{ "AuthenticAMD", "AMD" },
						{ "HygonGenuine", "Hygon" } };
	unsigned leaf = 0, words[3] = { 0 };

	__get_cpuid(0, &leaf, &words[0], &words[2], &words[1]);
	memcpy(host->vendor, words, sizeof(words));
	for (size_t i = 0; i < sizeof(names) / sizeof(*names); i++)
		if (!strcmp(host->vendor, names[i][0]))
			strcpy(host->vendor, names[i][1]);
}

/* Intel SDM and AMD's manual, CPUID: extended family and model count above family 15 and 6. */
static void read_model(struct rsb_host *host)
{
	unsigned a = 0, b, c = 0, d;

	__get_cpuid(1, &a, &b, &c, &d);
	host->stepping = a & 0xf;
	host->family = a >> 8 & 0xf;
	host->model = a >> 4 & 0xf;
	if (host->family == 6 || host->family == 15)
		host->model |= a >> 12 & 0xf0;
	if (host->family == 15)
		host->family += a >> 20 & 0xff;
	host->hypervisor = c >> 31 & 1;
}

static void read_name(struct rsb_host *host)
{
	unsigned words[12] = { 0 };
	const char *start;

	for (unsigned i = 0; i < 3; i++)
		if (!__get_cpuid(0x80000002 + i, &words[4 * i], &words[4 * i + 1],
				 &words[4 * i + 2], &words[4 * i + 3]))
			return;
	memcpy(host->name, words, sizeof(words));
	start = host->name + strspn(host->name, " ");
	memmove(host->name, start, strlen(start) + 1);
	for (size_t end = strlen(host->name); end && host->name[end - 1] == ' '; end--)
		host->name[end - 1] = '\0';
}

bool rsb_host_read(struct rsb_host *host)
{
	memset(host, 0, sizeof(*host));
	read_vendor(host);
	read_model(host);
	read_name(host);
	return true;
}

#else

bool rsb_host_read(struct rsb_host *host)
{
	memset(host, 0, sizeof(*host));
	return false;
}

#endif

struct row {
	const char *vendor;
	unsigned family, first, last; /* models */
	const char *profile;
};

static const struct row rows[] = {
	{ "Intel", 6, 0x1a, 0x1a, "intel-nehalem" },
	{ "Intel", 6, 0x2a, 0x2a, "intel-sandy-bridge" },
	{ "Intel", 6, 0x2d, 0x2d, "intel-sandy-bridge" },
	{ "Intel", 6, 0x3c, 0x3c, "intel-haswell" },
	{ "Intel", 6, 0x3f, 0x3f, "intel-haswell" },
	{ "Intel", 6, 0x45, 0x46, "intel-haswell" },
	{ "Intel", 6, 0x4e, 0x4e, "intel-skylake" },
	{ "Intel", 6, 0x55, 0x55, "intel-skylake" }, /* and Cascade and Cooper Lake */
	{ "Intel", 6, 0x5e, 0x5e, "intel-skylake" },
	{ "Intel", 6, 0x6a, 0x6a, "intel-icelake-server" },
	{ "Intel", 6, 0x6c, 0x6c, "intel-icelake-server" },
	{ "Intel", 6, 0x7d, 0x7e, "intel-icelake-client" },
	{ "Intel", 6, 0x8c, 0x8d, "intel-tiger-lake" },
	{ "Intel", 6, 0x8e, 0x8e, "intel-skylake" },     /* Kaby Lake and what followed it */
	{ "Intel", 6, 0x8f, 0x8f, "intel-golden-cove" }, /* Sapphire Rapids */
	{ "Intel", 6, 0x9e, 0x9e, "intel-skylake" },
	{ "Intel", 6, 0xa5, 0xa6, "intel-skylake" },
	{ "Intel", 6, 0xad, 0xae, "intel-redwood-cove" }, /* Granite Rapids */
	{ "Intel", 6, 0xcf, 0xcf, "intel-golden-cove" },  /* Emerald Rapids, Raptor Cove */
	{ "AMD", 0x15, 0x00, 0x7f, "amd-bulldozer" },
	{ "AMD", 0x16, 0x00, 0x3f, "amd-jaguar" },
	{ "AMD", 0x17, 0x00, 0x2f, "amd-zen1" },
	{ "AMD", 0x17, 0x30, 0xaf, "amd-zen2" },
	{ "AMD", 0x19, 0x00, 0x0f, "amd-zen3" },
	{ "AMD", 0x19, 0x10, 0x1f, "amd-zen4" },
	{ "AMD", 0x19, 0x20, 0x5f, "amd-zen3" },
	{ "AMD", 0x19, 0x60, 0xaf, "amd-zen4" },
	{ "AMD", 0x1a, 0x00, 0x7f, "amd-zen5" },
};

const char *rsb_host_profile(const struct rsb_host *host)
{
	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++)
		if (!strcmp(host->vendor, rows[i].vendor) && host->family == rows[i].family &&
		    host->model >= rows[i].first && host->model <= rows[i].last)
			return rows[i].profile;
	return NULL;
}

bool rsb_host_counter(const struct rsb_host *host, uint64_t *config)
{
	if (!strcmp(host->vendor, "AMD") && host->family >= 0x17) {
		*config = AMD_RETURNS_MISPREDICTED;
		return true;
	}
	*config = INTEL_RETURNS_MISPREDICTED;
	return !strcmp(host->vendor, "Intel") && host->family == 6 && rsb_host_profile(host) &&
	       host->model >= 0x4e;
}
