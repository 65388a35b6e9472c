/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Calls in flight beside a return stack: what models/stack_flight.c does. A flight is the entry of
 * a call, how many returns came behind it and before the next call, and whether one took it.
 */
class Flights {
	constructor(stack, most) {
		this.stack = stack;
		this.most = most;
		this.all = []; /* the oldest first */
		this.below = 0; /* newest entries of the stack that returns in flight have taken */
		this.shown = 0; /* slot of the newest */
	}

	get slotCount() {
		return this.stack.depth + this.most;
	}

	untaken() {
		return this.all.filter((flight) => !flight.taken);
	}

	/* The newest that no return has taken; undefined: none. */
	newest() {
		return this.untaken().pop();
	}

	landOldest() {
		const oldest = this.all.shift();

		this.stack.enter(oldest.address, oldest.by);
		for (let i = 0; i < oldest.returns; i++)
			this.stack.pop();
		this.below += Number(oldest.taken) - oldest.returns;
	}

	land() {
		while (this.all.length)
			this.landOldest();
	}

	call(address, by) {
		if (this.all.length === this.most)
			this.landOldest();
		this.all.push({ address, by, returns: 0, taken: false });
		this.shown = (this.shown + 1) % this.slotCount;
	}

	return(hit) {
		const newest = this.newest();

		this.shown = (this.shown + this.slotCount - 1) % this.slotCount;
		if (!this.all.length) {
			this.stack.pop();
			return;
		}
		this.all[this.all.length - 1].returns++;
		if (newest)
			newest.taken = true;
		else
			this.below++;
		if (!hit)
			this.land();
	}

	/* What can still be taken, as ids of entries, the newest first. */
	held() {
		const { stack } = this;
		const ids = this.untaken().reverse().map(({ address, by }) =>
			stack.table.id(address, by, 1));

		for (let down = this.below; down < stack.held; down++)
			ids.push(stack.entries[(stack.top + stack.depth - down) % stack.depth]);
		return ids;
	}

	/* Slots as they are now, each entry in the place of its call. */
	slots() {
		const slots = new Int32Array(this.slotCount);

		this.held().forEach((id, below) => {
			slots[(this.shown + this.slotCount - below) % this.slotCount] = id;
		});
		return slots;
	}
}
