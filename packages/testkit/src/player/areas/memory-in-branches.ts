/** Commands, reads, queries and searches in branches, with every kind of proof. */
import type { Scope } from '@agentkeep/core';
import { fullScope } from '../../models/credential-model.js';
import type { Command } from '../../models/memory-command.js';
import type { Filter } from '../../models/memory-filter.js';
import type { MemoryModel } from '../../models/memory-model.js';
import type { Principal } from '../../models/principal.js';
import type { Search } from '../../models/search/searched-page.js';
import { Whole } from '../compare.js';
import type { Play } from '../play.js';
import type { Rule } from '../rule.js';
import { GRANTED, UNKNOWN_ID, VERSION } from '../vocabulary.js';
import { holderOf, may } from './memory.js';
import {
  type Change,
  changeOf,
  commandOf,
  filterOf,
  isMalformed,
  isPlain,
  NAMES,
  type ScopedCaller,
  searchFilterOf,
} from './memory-plans.js';
import { parametersOf } from './memory-spellings.js';

/** A branch with a scope of it, and a caller for both. */
interface DrawnBranch extends ScopedCaller {
  readonly id: string;
  readonly scope: Scope;
}

/** Draws a branch: mostly one of the last ones, of the tenant of the caller. */
export function branchFor(play: Play, right: 'memory_read' | 'memory_write'): DrawnBranch {
  const { dice, memory } = play;
  const lately = memory.branches.slice(-3);
  const drawn = dice.isLucky(97)
    ? dice.any(dice.isLucky(80) ? lately : memory.branches)
    : undefined;
  const isOfTenant = ({ authority }: Principal) => authority === drawn?.authority;
  const isNear = drawn !== undefined && dice.isLucky(97);
  const caller = play.caller((who) => may(right)(who) && (!isNear || isOfTenant(who)));
  const scopes = drawn !== undefined && dice.isLucky(97) ? drawn.scopes : GRANTED.map(fullScope);
  return { id: drawn?.id ?? UNKNOWN_ID, caller, scope: dice.one(scopes) };
}

/** The ids of the records of a branch that a caller may see. */
function idsOf(play: Play, branch: string, { caller, scope }: ScopedCaller): string[] {
  const who = play.principal(caller);
  const copy = play.world.branches.memoryOf(branch, play.clock.now());
  if (who?.credential === undefined || copy === undefined) return [];
  return copy.idsIn(holderOf(play, who), scope);
}

const TYPES = ['create', 'update', 'update', 'put', 'delete', 'remove'] as const;

/** Draws a command on what a branch holds. What derives in branches has tests of its own. */
function commandIn(play: Play, branch: string, place: ScopedCaller): Command | undefined {
  const { dice, memory, world } = play;
  const plain = { derived: undefined, dependents: undefined, type: dice.one(TYPES) };
  const change: Change = { ...changeOf(play), ...plain };
  const key = dice.isLucky(80) ? memory.freshKey() : `key ${dice.below(3)}`;
  const command = commandOf(play, place, change, key);
  const copy = world.branches.memoryOf(branch, play.clock.now());
  const { operation } = command;
  if (copy === undefined) return command;
  if (operation.type === 'put' || operation.type === 'remove') {
    return isDerived(copy, ({ name }) => name === operation.name) ? undefined : command;
  }
  if (operation.type !== 'update' && operation.type !== 'delete') return command;
  const record_id = dice.any(idsOf(play, branch, place)) ?? operation.record_id;
  const expected_revision = Math.max(0, (copy.revisionOf(record_id) ?? 1) + change.off);
  const aimed = { ...operation, record_id, expected_revision };
  if (isDerived(copy, (record) => record.record_id === record_id)) return undefined;
  return { ...command, operation: aimed };
}

type RecordTest = (record: {
  readonly record_id: string;
  readonly name?: string | undefined;
}) => boolean;

/** Whether a record was ever derived from another one. */
function isDerived({ entries }: MemoryModel, isMeant: RecordTest): boolean {
  return [...entries.values()].some(
    ({ record, past }) =>
      isMeant(record) &&
      [record, ...past.map((each) => each.record)].some(
        ({ payload }) => payload?.derived_from !== undefined,
      ),
  );
}

const command: Rule = {
  name: 'command memory in a branch',
  weight: 6,
  run: async (play) => {
    const { id: branch, caller, scope } = branchFor(play, 'memory_write');
    const made = commandIn(play, branch, { caller, scope });
    if (made === undefined || (!isPlain(caller) && isMalformed(made))) return;
    const { world } = play;
    const document = { ...VERSION, ...made, scope: { ...scope, branch } };
    let madeId: string | undefined;
    await play.ask('executeMemoryCommand', caller, { document }, (answer, who) => {
      const id = answer.receipt.record_id;
      const known = [world.memory, world.branches.memoryOf(branch, world.now)];
      if (known.every((each) => each?.revisionOf(id) === undefined)) madeId = id;
      const asked = { id: branch, command: made };
      const receipt = world.branches.execute(holderOf(play, who), asked, world.now, id);
      return new Whole({ ...VERSION, receipt });
    });
    if (typeof madeId === 'string') play.memory.made(madeId);
  },
};

const read: Rule = {
  name: 'read memory in a branch',
  weight: 2,
  run: async (play) => {
    const { world, dice } = play;
    const { id: branch, caller, scope } = branchFor(play, 'memory_read');
    const near = dice.any(idsOf(play, branch, { caller, scope }));
    const id = near ?? dice.any(world.memory.ids) ?? UNKNOWN_ID;
    const told = { ...VERSION, scope: { ...scope, branch } };
    const parameters = { ...parametersOf(scope), branch };
    await play.ask('readMemoryRecord', caller, { id, parameters }, (_made, who) => {
      const holder = holderOf(play, who);
      const copy = world.branches.in(holder, scope, branch, world.now);
      return new Whole({ ...told, record: copy.read(holder, scope, id, world.now) });
    });
  },
};

const readNamed: Rule = {
  name: 'read memory by name in a branch',
  weight: 1,
  run: async (play) => {
    const { world, dice } = play;
    const { id: branch, caller, scope } = branchFor(play, 'memory_read');
    const name = dice.one(NAMES);
    const told = { ...VERSION, scope: { ...scope, branch } };
    const parameters = { ...parametersOf(scope), branch, name };
    await play.ask('readNamedRecord', caller, { parameters }, (_made, who) => {
      const holder = holderOf(play, who);
      const copy = world.branches.in(holder, scope, branch, world.now);
      return new Whole({ ...told, record: copy.readNamed(holder, scope, name, world.now) });
    });
  },
};

const query: Rule = {
  name: 'query a branch',
  weight: 3,
  run: async (play) => {
    const { world, dice } = play;
    const { id: branch, caller, scope: base } = branchFor(play, 'memory_read');
    // A page that ends among changed records may count fewer entries, so that pages are whole.
    const { text_contains, episode_type, tag } = filterOf(dice);
    const filter: Filter = {
      ...(text_contains === undefined ? {} : { text_contains }),
      ...(episode_type === undefined ? {} : { episode_type }),
      ...(tag === undefined ? {} : { tag }),
    };
    const scope = { ...base, branch };
    const document = { ...VERSION, scope, filter };
    await play.ask('queryMemory', caller, { document }, (_made, who) => {
      const holder = holderOf(play, who);
      const copy = world.branches.in(holder, base, branch, world.now);
      return new Whole({ ...VERSION, scope, page: copy.query(holder, base, filter, world.now) });
    });
  },
};

const ORDERS = ['newest', 'oldest', 'newest_event', 'oldest_change'] as const;

const search: Rule = {
  name: 'search a branch',
  weight: 3,
  run: async (play) => {
    const { world, dice, clock } = play;
    const { id: branch, caller, scope: base } = branchFor(play, 'memory_read');
    // Embeddings that are attached later show in a branch too.
    const filter = { ...searchFilterOf(dice, clock.now()), embedded: null };
    const wanted: Search = { scopes: [base], filter, order: dice.one(ORDERS), limit: 100 };
    const scopes = [{ ...base, branch }];
    await play.ask(
      'searchMemory',
      caller,
      { document: { ...VERSION, ...wanted, scopes } },
      (_made, who) => {
        const holder = holderOf(play, who);
        const copy = world.branches.in(holder, base, branch, world.now);
        const page = copy.search(holder, wanted, {}, world.now);
        const matches = page.matches.map((each) => ({ ...each, scope: scopes[0] }));
        const found = { matches, next_cursor: null, scanned_records: page.scanned };
        return new Whole({ ...VERSION, page: found });
      },
    );
  },
};

/** Steps with memory in branches. */
export const memoryInBranchRules = [command, read, readNamed, query, search];
