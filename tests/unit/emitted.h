/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Traced functions made of small pieces, which may hide behind counters in memory. */
#ifndef RSB_TESTS_EMITTED_H
#define RSB_TESTS_EMITTED_H

#include "sim/generate/code.h"
#include "sim/scenario.h"
#include "sim/score/score.h"

#define EMIT(code, ...)                                        \
	rsb_code_bytes(code, (const uint8_t[]){ __VA_ARGS__ }, \
		       sizeof((const uint8_t[]){ __VA_ARGS__ }))

/* inc qword [counter] */
void emit_count(struct rsb_code *code, unsigned counter);

/* dec dword [counter]; jnz past; mov dword [counter], n; the caller places past */
rsb_label emit_every(struct rsb_code *code, unsigned counter, unsigned n);

/* cmp dword [counter], n; jbe past */
rsb_label emit_above(struct rsb_code *code, unsigned counter, unsigned n);

/* test dword [counter], mask; jnz past */
rsb_label emit_masked(struct rsb_code *code, unsigned counter, unsigned mask);

/* call 1f; int3; 1: add rsp, 8: a call without a return */
void emit_skip(struct rsb_code *code);

/* lea rax, [rip + 2]; push rax; ret: a return without a call */
void emit_push_return(struct rsb_code *code);

/* call 1f; jmp 2f; 1: lea rax, [rip + 5]; mov [rsp], rax; ret; 2: a return to where no call said */
void emit_rewrite(struct rsb_code *code);

/* call 1f; jmp 2f; 1: ret; 2: a call and its return */
void emit_balanced(struct rsb_code *code);

typedef void emit_body(struct rsb_code *code, const uint32_t *choice);

/* An image whose traced function is this body and a ret; counters start at the values given. */
struct rsb_image *emitted_image(emit_body *emit, const uint32_t *choice, const uint64_t *counters,
				size_t count, const struct rsb_scenario *scenario);

/* Scores the image on a ring of 16; rounds 0: no totals. */
struct rsb_score *emitted_score(const struct rsb_image *image, const struct rsb_scenario *scenario,
				uint64_t rounds);

#endif
