/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A recording, unpacked: arrays with a place for each event. What the model said of the events and
 * how its slots changed is a track; the recorded one is as good as one that is replayed here.
 */

const EMPTY = [];

/* Why a shadow stack refuses a return, where it is not for another address. */
const REFUSED = {
	"other address": "it has another address",
	empty: "it is empty",
	"other segment": "it has no far call\u2019s entries there",
	"not aligned": "its pointer is not aligned",
};

/* What a slot can hold, each once; 0 is nothing. */
class Entries {
	constructor(all) {
		this.all = all;
		this.ids = new Map();
	}

	at(id) {
		return this.all[id];
	}

	id(address, by, pushes) {
		const key = address + " " + by + " " + pushes;
		let id = this.ids.get(key);

		if (id === undefined) {
			id = this.all.length;
			this.all.push({ address, by, pushes });
			this.ids.set(key, id);
		}
		return id;
	}
}

/* The words for how a prediction ended; "" is one that was not asked for. */
const VERDICTS = ["", "hit", "empty", "stale", "other"];
const HIT = 1;
const MISS = 2; /* and above */

class Track {
	constructor(run, stack, entries) {
		const count = run.count;

		this.run = run;
		this.entries = entries;
		this.slotCount = stack.slots;
		this.exact = stack.exact;
		this.firstTop = stack.top;
		this.predicted = new Int32Array(count).fill(NOT_ASKED);
		this.pushedBy = new Int32Array(count).fill(NO_SITE);
		this.verdict = new Uint8Array(count);
		this.topBefore = new Int32Array(count);
		this.topAfter = new Int32Array(count);
		this.heldAfter = new Int32Array(count); /* of one that is replayed */
		this.changes = new Array(count);
		this.misses = [];
	}

	predict(event, to, by, stale, target) {
		this.predicted[event] = to;
		this.pushedBy[event] = by;
		if (to === target)
			this.verdict[event] = HIT;
		else if (to === NO_ADDRESS)
			this.verdict[event] = VERDICTS.indexOf("empty");
		else
			this.verdict[event] = VERDICTS.indexOf(stale ? "stale" : "other");
	}

	finish() {
		for (let event = 0; event < this.verdict.length; event++)
			if (this.isMiss(event))
				this.misses.push(event);
	}

	/* Was it predicted to go elsewhere, or not at all? */
	isWrong(event) {
		return this.verdict[event] >= MISS;
	}

	/* The same of returns alone: an indirect jump is none of the return stack's. */
	isMiss(event) {
		return this.isWrong(event) && this.run.isReturn(this.run.siteOf[event]);
	}

	/* Misses up to an event. */
	countMisses(end) {
		return lowerBound(this.misses, end);
	}
}

/* How many of a sorted array are below a value. */
function lowerBound(sorted, value) {
	let low = 0;
	let high = sorted.length;

	while (low < high) {
		const middle = (low + high) >> 1;

		if (sorted[middle] < value)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

class Run {
	constructor(data) {
		const events = data.events;

		this.data = data;
		this.count = events.length;
		this.extra = []; /* addresses that a parameter named */
		this.siteOf = new Int32Array(this.count);
		this.targetOf = new Int32Array(this.count);
		this.stepsOf = new Int32Array(this.count);
		this.roundOf = new Int32Array(this.count);
		this.depthAfter = new Int32Array(this.count); /* of the program's stack */
		events.forEach((event, i) => {
			this.siteOf[i] = event.site;
			this.targetOf[i] = event.to;
			this.stepsOf[i] = event.steps === undefined ? 1 : event.steps;
		});
		data.rounds.forEach((round, i) => {
			this.roundOf.fill(i, round.first, round.first + round.count);
		});
		this.address = remember((id) => BigInt(id < data.addresses.length
			? data.addresses[id].address : this.extra[id - data.addresses.length]));
		this.names = new Map(data.code.map((line) => [line.pc, line.symbol]));
		this.recorded = this.makeRecorded();
		this.refused = events.flatMap((event, i) => (event.refused ? [i] : EMPTY));
		this.measureStack();
		this.shadow = new ShadowStack(this);
	}

	/* What a model asks of a site. */
	kind(site) {
		return this.data.sites[site].kind;
	}

	pc(site) {
		const line = this.data.sites[site].line;

		return line === undefined ? 0n : BigInt(this.data.code[line].pc);
	}

	pushes(site) {
		return this.data.sites[site].pushes;
	}

	isReturn(site) {
		return this.kind(site) === "return" || this.kind(site) === "swap";
	}

	isIndirect(site) {
		return this.data.sites[site].indirect === true;
	}

	isZeroCall(site) {
		return this.data.sites[site].zero_call === true;
	}

	detail(site) {
		return this.data.sites[site].detail || "";
	}

	newEntries() {
		return new Entries([null]);
	}

	/* The id of any address, which no event may have gone to. */
	addressId(value) {
		const known = this.data.addresses.length;

		for (let id = 0; id < known + this.extra.length; id++)
			if (this.address(id) === value)
				return id;
		this.extra.push(value.toString());
		return known + this.extra.length - 1;
	}

	/* For people. */
	name(address) {
		if (address < 0)
			return "nothing";
		if (address >= this.data.addresses.length)
			return "0x" + this.address(address).toString(16);
		return this.data.addresses[address].symbol || this.data.addresses[address].address;
	}

	line(site) {
		const line = this.data.sites[site].line;

		return line === undefined ? -1 : line;
	}

	place(site) {
		const line = this.line(site);

		return line < 0 ? this.detail(site) || "outside the code"
			: this.data.code[line].symbol;
	}

	/*
	 * What control-flow enforcement would make of an event, in a sentence or briefly; "" where
	 * it lets it happen.
	 */
	sayRefusal(i, briefly) {
		const { refused, reason, expected } = this.data.events[i];

		if (!refused)
			return "";
		if (briefly)
			return "\u2298 " + (refused === "ibt" ? "IBT" : refused) + ": " +
				(expected === undefined ? reason : this.name(expected));
		if (refused === "ibt")
			return "\u2298 indirect branch tracking refuses it: it lands on " + reason;
		return "\u2298 a shadow stack would refuse it: " +
			(expected === undefined ? REFUSED[reason] : "it has " +
			this.name(expected));
	}

	/* An instruction, with the name of where it goes in place of the address. */
	instruction(line) {
		const { text } = this.data.code[line];
		const words = text.split(" ");
		const name = this.names.get(words[words.length - 1]);

		return name && words.length === 2 ? words[0] + " " + name : text;
	}

	/* Can it be replayed here? */
	isReplayable() {
		const type = this.data.type;

		return (type === "ring" || type === "checked") && this.data.stack.exact &&
			!this.data.sites.some((site) => /specul|squash/.test(site.kind));
	}

	makeRecorded() {
		const data = this.data;
		const entries = new Entries(data.entries.map((entry) => entry && {
			address: entry.address,
			by: entry.pushed_by === undefined ? NO_SITE : entry.pushed_by,
			pushes: entry.pushes || 1,
			stale: entry.stale === true,
		}));
		const track = new Track(this, data.stack, entries);
		let top = data.stack.top;

		data.events.forEach((event, i) => {
			if (event.predicted !== undefined)
				track.predicted[i] = event.predicted === null ? NO_ADDRESS
					: event.predicted;
			if (event.pushed_by !== undefined)
				track.pushedBy[i] = event.pushed_by;
			track.verdict[i] = event.miss ? VERDICTS.indexOf(event.miss)
				: event.predicted !== undefined ? HIT : 0;
			track.topBefore[i] = event.top ? event.top[0] : top;
			top = track.topAfter[i] = event.top ? event.top[1] : top;
			if (event.slots)
				track.changes[i] = event.slots.flat();
		});
		track.finish();
		return track;
	}

	/* How high the program's stack is after each event. */
	measureStack() {
		const held = [];
		let height = 0;

		this.data.events.forEach((event, i) => {
			for (const [, index, , after] of event.stack || EMPTY) {
				held[index] = after;
				height = Math.max(height, index + 1);
			}
			while (height && !held[height - 1])
				height--;
			this.depthAfter[i] = height;
		});
	}

	/* Averages over the steady rounds, as a score has them. */
	figures(track) {
		const events = this.data.events;
		const steady = this.data.rounds.filter((round) => round.phase === "steady");
		const figures = { calls: 0, inside: 0, callers: 0, indirect: 0,
			rounds: steady.length };

		for (const round of steady) {
			figures.calls += round.traced_calls;
			for (let i = round.first; i < round.first + round.count; i++) {
				if (!track.isWrong(i))
					continue;
				if (!track.isMiss(i))
					figures.indirect++;
				else if (events[i].inside)
					figures.inside++;
				else
					figures.callers++;
			}
		}
		return figures;
	}
}

/*
 * Where a reader is: after so many events. The slots and the program's stack are kept as they are
 * there, and go forwards and backwards by what each event changed. Long ways start from a state
 * that was kept on the way.
 */
const KEEP_EVERY = 1024;

class Cursor {
	constructor(run, track) {
		this.run = run;
		this.kept = [{ slots: new Int32Array(track.slotCount), frames: [] }];
		this.track = track;
		this.at = 0;
		this.load(0);
	}

	load(index) {
		this.slots = this.kept[index].slots.slice();
		this.frames = this.kept[index].frames.slice();
		this.at = index * KEEP_EVERY;
	}

	get top() {
		return this.at ? this.track.topAfter[this.at - 1] : this.track.firstTop;
	}

	/* The nearest state that is known is worth a jump where stepping there is longer. */
	seek(at) {
		const index = Math.min(Math.floor(at / KEEP_EVERY), this.kept.length - 1);

		if (Math.abs(at - index * KEEP_EVERY) < Math.abs(at - this.at))
			this.load(index);
		while (this.at < at)
			this.forward();
		while (this.at > at)
			this.back();
	}

	forward() {
		const changes = this.track.changes[this.at] || EMPTY;

		for (let i = 0; i < changes.length; i += 3)
			this.slots[changes[i]] = changes[i + 2];
		for (const [, index, , after] of this.run.data.events[this.at].stack || EMPTY)
			this.frames[index] = after;
		this.at++;
		if (this.at % KEEP_EVERY === 0 && this.kept.length === this.at / KEEP_EVERY)
			this.kept.push({ slots: this.slots.slice(), frames: this.frames.slice() });
	}

	back() {
		this.at--;
		const changes = this.track.changes[this.at] || EMPTY;
		const moves = this.run.data.events[this.at].stack || EMPTY;

		for (let i = changes.length - 3; i >= 0; i -= 3)
			this.slots[changes[i]] = changes[i + 1];
		for (let i = moves.length - 1; i >= 0; i--)
			this.frames[moves[i][1]] = moves[i][2];
	}
}
