/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The bounded return stacks, ring and checked, once more: what models/stack*.c and
 * models/indirect.c do, event for event, so that a reader can change depth, overflow and underflow.
 * Calls in flight are in flight.js. Addresses are ids: two are equal exactly if their ids are. What
 * a wrong path leaves behind (repair) is not here, for no recording has one.
 */

const NO_ENTRY = 0; /* id of an entry that never held anything */
const NO_SITE = -1;
const NO_ADDRESS = -1; /* no prediction */
const NOT_ASKED = -2; /* the model does not predict events of this kind */

const MASK = (1n << 64n) - 1n;

/* rsb_hash_mix() of traces/util/hash.h, by which the indirect predictor's table goes. */
function mix(value) {
	value ^= value >> 33n;
	value = (value * 0xff51afd7ed558ccdn) & MASK;
	value ^= value >> 33n;
	value = (value * 0xc4ceb9fe1a85ec53n) & MASK;
	return value ^ (value >> 33n);
}

/* A function of numbers that remembers what it answered. */
function remember(answer) {
	const known = new Map();

	return (key) => {
		if (!known.has(key))
			known.set(key, answer(key));
		return known.get(key);
	};
}

/* The table of last targets, by the branch, or by the branch and the path that led to it. */
class IndirectPredictor {
	constructor(run, by, entries) {
		this.byPath = by === "path";
		this.entries = BigInt(entries);
		this.path = 0n;
		this.slots = new Map();
		this.mixed = remember((id) => mix(run.address(id)));
		this.mixedPc = remember((site) => mix(run.pc(site)));
		this.pc = remember((site) => run.pc(site));
	}

	key(site) {
		return this.byPath ? this.mixedPc(site) ^ this.path : this.pc(site);
	}

	predict(site) {
		const key = this.key(site);
		const slot = this.slots.get(mix(key) % this.entries);

		return slot && slot.key === key ? slot.target : NO_ADDRESS;
	}

	train(site, target) {
		const key = this.key(site);

		this.slots.set(mix(key) % this.entries, { key, target });
	}

	follow(target) {
		this.path = ((this.path << 8n) & MASK) ^ this.mixed(target);
	}

	clear() {
		this.slots.clear();
	}
}

/*
 * The stack itself. run tells of sites and addresses; parameters are those of the model, all of
 * them. After each event, changes has what it did to the slots: slot, entry before, entry after.
 */
class ReturnStack {
	constructor(run, parameters) {
		const depth = parameters.smt && parameters.depth_smt ? parameters.depth_smt
			: parameters.depth;

		this.run = run;
		this.depth = depth;
		this.parameters = parameters;
		this.counterMax = parameters.merge ? parameters.counter_max : 1;
		this.fixed = parameters.underflow === "fixed"
			? run.addressId(BigInt(parameters.fixed_target)) : NO_ADDRESS;
		this.indirect = parameters.indirect && parameters.indirect !== "none"
			? new IndirectPredictor(run, parameters.indirect,
				parameters.indirect_entries)
			: null;
		this.table = run.newEntries();
		this.entries = new Int32Array(depth + 1);
		this.flights = parameters.in_flight ? new Flights(this, parameters.in_flight)
			: null;
		this.slots = this.flights ? this.flights.slots() : this.entries;
		this.top = 0;
		this.held = 0;
		this.shifted = false;
		this.changes = [];
	}

	put(slot, entry) {
		if (this.entries[slot] === entry)
			return;
		if (!this.flights)
			this.changes.push(slot, this.entries[slot], entry);
		this.entries[slot] = entry;
	}

	/* Slots are the entries, but where calls in flight stand among them. */
	get slotCount() {
		return this.flights ? this.flights.slotCount : this.depth;
	}

	get shown() {
		return this.flights ? this.flights.shown : this.top;
	}

	get shownHeld() {
		return this.flights ? this.flights.held().length : this.held;
	}

	show() {
		const slots = this.flights.slots();

		slots.forEach((entry, slot) => {
			if (this.slots[slot] !== entry)
				this.changes.push(slot, this.slots[slot], entry);
		});
		this.slots = slots;
	}

	newest() {
		return this.table.at(this.entries[this.top]);
	}

	/* Entries below the newest that returns in flight have taken. */
	get below() {
		return this.flights ? this.flights.below : 0;
	}

	/* What is predicted: address, site of the call, and whether the entry is a stale one. */
	predictNewest() {
		const below = this.depth ? this.below % this.depth : 0;
		const entry = this.table.at(this.entries[(this.top +
			this.depth - below) % (this.depth || 1)]);

		return entry ? { to: entry.address, by: entry.by, stale: this.held <= this.below }
			: { to: NO_ADDRESS, by: NO_SITE, stale: false };
	}

	predictIndirect(site) {
		return { to: this.indirect ? this.indirect.predict(site) : NO_ADDRESS, by: NO_SITE,
			stale: false };
	}

	predict(site) {
		const kind = this.run.kind(site);
		const flight = this.flights ? this.flights.newest() : undefined;

		if (kind !== "return" && kind !== "swap")
			return this.predictIndirect(site);
		if (flight)
			return { to: flight.address, by: flight.by, stale: false };
		if (this.held > this.below)
			return this.predictNewest();
		switch (this.parameters.underflow) {
		case "stale":
			return this.predictNewest();
		case "indirect":
			return this.predictIndirect(site);
		case "fixed":
			return { to: this.fixed, by: NO_SITE, stale: false };
		default:
			return { to: NO_ADDRESS, by: NO_SITE, stale: false };
		}
	}

	/* Is the model asked about this event? */
	asks(site) {
		const kind = this.run.kind(site);

		if (kind === "return" || kind === "swap")
			return true;
		return this.indirect !== null &&
			(kind === "indirect jump" ||
				(kind === "call" && this.run.isIndirect(site)));
	}

	empty() {
		for (let slot = 0; slot < this.depth; slot++)
			this.put(slot, NO_ENTRY);
		this.held = 0;
		this.shifted = false;
	}

	enter(address, by) {
		if (this.held === this.depth) {
			if (!this.depth || this.parameters.overflow === "refuse")
				return;
			if (this.parameters.overflow === "clear-all")
				this.empty();
		}
		this.top = this.top + 1 === this.depth ? 0 : this.top + 1;
		this.put(this.top, this.table.id(address, by, 1));
		if (this.held < this.depth)
			this.held++;
	}

	tooClose(address) {
		const newest = this.newest();
		const distance = this.run.address(address) - (newest
			? this.run.address(newest.address) : 0n);

		return distance !== 0n && (distance < 0n ? -distance : distance) <
			BigInt(this.parameters.spacing);
	}

	merges(address) {
		const entry = this.newest();

		if (this.counterMax === 1 || !entry || entry.address !== address ||
		    entry.pushes === this.counterMax)
			return false;
		this.put(this.top, this.table.id(entry.address, entry.by, entry.pushes + 1));
		return true;
	}

	push(site) {
		const address = this.run.pushes(site);

		if (this.flights) {
			this.flights.call(address, site);
			return;
		}
		if (this.held && this.parameters.spacing && this.tooClose(address))
			return;
		if (!this.held || !this.merges(address))
			this.enter(address, site);
	}

	moveDown() {
		this.top = this.top ? this.top - 1 : this.depth - 1;
	}

	pop() {
		const entry = this.newest();

		if (!this.held) {
			if (this.parameters.underflow === "stale" && this.depth)
				this.moveDown();
		} else if (entry && entry.pushes > 1) {
			this.put(this.top, this.table.id(entry.address, entry.by,
				entry.pushes - 1));
		} else {
			this.held--;
			this.moveDown();
		}
	}

	/* The pop of a mispredicted return is late by one correct return. */
	popWithQuirk(site, target) {
		const hit = this.predict(site).to === target;

		if (!hit && !this.shifted && this.held) {
			this.shifted = true;
			return;
		}
		this.pop();
		if (hit && this.shifted) {
			this.shifted = false;
			this.pop();
		}
	}

	resolve(site, target) {
		if (this.parameters.quirk)
			this.popWithQuirk(site, target);
		else if (this.flights)
			this.flights.return(this.predict(site).to === target);
		else
			this.pop();
	}

	train(site, target) {
		const kind = this.run.kind(site);
		const returns = kind === "return" || kind === "swap";
		const indirect = kind === "indirect jump" ||
			(kind === "call" && this.run.isIndirect(site));

		if (indirect || (returns && this.parameters.underflow === "indirect"))
			this.indirect.train(site, target);
		if (indirect || returns || kind === "call")
			this.indirect.follow(target);
	}

	fill(site, count) {
		if (count > this.depth)
			count = this.depth ? this.depth + count % this.depth : 1;
		for (let i = 0; i < count; i++)
			this.enter(this.run.pushes(site), site);
	}

	change(site) {
		const [what, count] = this.run.detail(site).split(" ");

		if (this.flights)
			this.flights.land();
		if (what === "clear")
			this.empty();
		if (what === "fill")
			this.fill(site, Number(count));
		if (what === "ibpb" && this.parameters.ibpb_clears)
			this.empty();
		if (what === "ibpb" && this.indirect)
			this.indirect.clear();
	}

	update(site, target) {
		this.changes = [];
		switch (this.run.kind(site)) {
		case "call":
			if (!this.run.isZeroCall(site) || this.parameters.zero_call_pushes)
				this.push(site);
			break;
		case "return":
			this.resolve(site, target);
			break;
		case "swap":
			this.resolve(site, target);
			this.push(site);
			break;
		case "environment":
			this.change(site);
			break;
		}
		if (this.indirect)
			this.train(site, target);
		if (this.flights)
			this.show();
	}
}

/* What a replay found: as a recording has it, so that both are drawn by the same code. */
function replay(run, parameters) {
	const stack = new ReturnStack(run, parameters);
	const count = run.count;
	const track = new Track(run, { slots: stack.slotCount, top: stack.shown, exact: true },
		stack.table);

	for (let event = 0; event < count; event++) {
		const site = run.siteOf[event];
		const target = run.targetOf[event];

		if (stack.asks(site)) {
			const guess = stack.predict(site);

			track.predict(event, guess.to, guess.by, guess.stale, target);
		}
		track.topBefore[event] = stack.shown;
		stack.update(site, target);
		track.topAfter[event] = stack.shown;
		track.heldAfter[event] = stack.shownHeld;
		if (stack.changes.length)
			track.changes[event] = stack.changes;
	}
	track.finish();
	return track;
}
