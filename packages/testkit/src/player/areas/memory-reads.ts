/**
 * Reads and queries of memory with every kind of proof.
 */
import { AgentkeepError, type MemoryRecord, type ScopeInput } from '@agentkeep/core';
import { fullScope } from '../../models/credential-model.js';
import type { Filter } from '../../models/memory-filter.js';
import type { Caller } from '../../models/principal.js';
import { difference, Mismatch, Whole } from '../compare.js';
import type { Play } from '../play.js';
import type { Rule } from '../rule.js';
import { GRANTED, VERSION } from '../vocabulary.js';
import { holderOf, may } from './memory.js';
import {
  filterOf,
  idOf,
  idsIn,
  isPlain,
  NAMES,
  ownerIn,
  type ScopedCaller,
  scopeFor,
  targetOf,
} from './memory-plans.js';
import { parametersOf, queryOf } from './memory-spellings.js';

/** Clocks are set back this far at most. */
const BACK_MS_MAX = 300_000;

async function readRecord(play: Play, scoped: ScopedCaller, id: string): Promise<void> {
  const { world } = play;
  const { caller, scope } = scoped;
  const told = { ...VERSION, scope: fullScope(scope) };
  const parts = { id, parameters: parametersOf(scope) };
  const found = await play.ask(
    'readMemoryRecord',
    caller,
    parts,
    (_made, who) =>
      new Whole({ ...told, record: world.memory.read(holderOf(play, who), scope, id, world.now) }),
    async ({ memory }) => ({ ...told, record: await memory.in(scope).read(id) }),
  );
  if (found !== undefined) requireOwn(play, scoped, [found.record]);
}

async function readNamed(play: Play, scoped: ScopedCaller, name: string): Promise<void> {
  const { world } = play;
  const { caller, scope } = scoped;
  const told = { ...VERSION, scope: fullScope(scope) };
  const found = await play.ask(
    'readNamedRecord',
    caller,
    { parameters: { ...parametersOf(scope), name } },
    (_made, who) =>
      new Whole({
        ...told,
        record: world.memory.readNamed(holderOf(play, who), scope, name, world.now),
      }),
    async ({ memory }) => {
      const record = await memory.in(scope).read({ name });
      if (record === undefined) throw new AgentkeepError('record_not_found');
      return { ...told, record };
    },
  );
  if (found !== undefined) requireOwn(play, scoped, [found.record]);
}

/** Requires records to be those of the caller, as their own data says. */
function requireOwn(play: Play, scoped: ScopedCaller, records: readonly MemoryRecord[]): void {
  const owner = ownerIn(play, scoped);
  for (const { record_id, payload } of records) {
    const data = payload.content.data as { readonly owner: string | null };
    if (data.owner !== owner) throw new Mismatch(`the record ${record_id} is not of ${owner}`);
  }
}

const read: Rule = {
  name: 'read memory',
  weight: 4,
  run: async (play) => {
    const caller = play.caller(may('memory_read'));
    const place = { caller, scope: scopeFor(play, caller) };
    const id = idOf(play, targetOf(play.dice), place);
    await readRecord(play, place, play.dice.isLucky(50) ? id : id.toUpperCase());
  },
};

const readByName: Rule = {
  name: 'read memory by name',
  weight: 2,
  run: async (play) => {
    const caller = play.caller(may('memory_read'));
    const place = { caller, scope: scopeFor(play, caller) };
    await readNamed(play, place, play.dice.one(NAMES));
  },
};

function askPage(play: Play, { caller, scope }: ScopedCaller, filter: Filter) {
  const { world } = play;
  const told = { ...VERSION, scope: fullScope(scope) };
  return play.ask(
    'queryMemory',
    caller,
    { document: { ...VERSION, scope, filter } },
    (_made, who) =>
      new Whole({
        ...told,
        page: world.memory.query(holderOf(play, who), scope, filter, world.now),
      }),
    async ({ memory }) => ({ ...told, page: await memory.in(scope).queryPage(...queryOf(filter)) }),
  );
}

/** Requires the pages of a query to be, together, everything that it finds, in order and once. */
async function traverse(play: Play, scoped: ScopedCaller, filter: Filter): Promise<void> {
  const { world } = play;
  const records: MemoryRecord[] = [];
  let scanned_records = 0;
  let next = filter.after ?? null;
  do {
    const answer = await askPage(play, scoped, next === null ? filter : { ...filter, after: next });
    if (answer === undefined) return;
    records.push(...answer.page.records);
    scanned_records += answer.page.scanned_records;
    next = answer.page.next_after;
  } while (next !== null);
  requireOwn(play, scoped, records);
  const holder = holderOf(play, play.principal(scoped.caller)!);
  const all = { ...filter, limit: 1_000, scan_limit: 10_000 };
  const whole = world.memory.query(holder, scoped.scope, all, world.now);
  requireWhole('all pages', { records, scanned_records, next_after: null }, whole);
  if (!isPlain(scoped.caller)) return;
  requireWhole('the iterator', await iterated(play, scoped.caller, scoped.scope, filter), records);
}

async function iterated(
  play: Play,
  caller: Caller,
  scope: ScopeInput,
  filter: Filter,
): Promise<MemoryRecord[]> {
  const records: MemoryRecord[] = [];
  const { memory } = await play.agent(caller);
  for await (const record of memory.in(scope).query(...queryOf(filter))) records.push(record);
  return records;
}

function requireWhole(what: string, actual: unknown, told: unknown): void {
  const wrong = difference(actual, new Whole(told));
  if (wrong !== undefined) throw new Mismatch(`${what} of a query: ${wrong}`);
}

const query: Rule = {
  name: 'query memory',
  weight: 4,
  run: async (play) => {
    const { dice } = play;
    const caller = play.caller(may('memory_read'));
    const place = { caller, scope: scopeFor(play, caller) };
    const target = targetOf(dice);
    const from = target.from === 'no id' ? 'nowhere' : target.from;
    const after = dice.isLucky(50) ? { after: idOf(play, { ...target, from }, place) } : {};
    await traverse(play, place, { ...filterOf(dice), ...after });
  },
};

const expire: Rule = {
  name: 'a record expires, or is about to',
  weight: 1,
  run: async (play) => {
    const { dice, world, clock } = play;
    const caller = play.caller(may('memory_read'));
    const place = { caller, scope: scopeFor(play, caller) };
    const ends = idsIn(world, place).flatMap((id) => {
      const end = world.memory.endOf(id);
      return end === null || end < clock.now() - BACK_MS_MAX ? [] : [{ id, end }];
    });
    const found = dice.any(ends);
    if (found === undefined) return;
    play.setBack(found.end - dice.below(2));
    await readRecord(play, place, found.id);
    await traverse(play, place, {});
  },
};

/** Belongs at the end of a history: every scope of every caller, and every record. */
const lookAtAll: Rule = {
  name: 'look at all memory',
  weight: 0,
  run: async (play) => {
    const { callers, world } = play;
    for (const caller of callers) {
      for (const scope of GRANTED) await traverse(play, { caller, scope }, {});
    }
    for (const [index, id] of world.memory.ids.entries()) {
      const caller = callers[index % callers.length]!;
      await readRecord(play, { caller, scope: GRANTED[index % GRANTED.length]! }, id);
    }
  },
};

/** Steps that look at memory. */
export const memoryReadRules = [read, readByName, query, expire, lookAtAll];
