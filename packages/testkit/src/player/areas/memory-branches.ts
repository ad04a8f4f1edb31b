/** Branches of memory: made, shown, listed, queried and dropped, with every kind of proof. */
import { fullScope } from '../../models/credential-model.js';
import { queryPage } from '../../models/memory-filter.js';
import { Whole } from '../compare.js';
import type { Play } from '../play.js';
import type { Rule } from '../rule.js';
import { GRANTED, UNKNOWN_ID, VERSION } from '../vocabulary.js';
import { holderOf, may } from './memory.js';

const NAMES = ['one'];
const SECONDS = [30, 3_600];

const create: Rule = {
  name: 'make a branch',
  weight: 1.5,
  run: async (play) => {
    const { dice, world } = play;
    const name = dice.one(NAMES);
    const scopes = dice.isLucky(70) ? [GRANTED[0]!] : GRANTED.slice(0, 3);
    const seconds = dice.one(SECONDS);
    const document = { ...VERSION, name, scopes, expires_in_seconds: seconds };
    const caller = play.caller(may('memory_write'));
    const answer = await play.ask('createMemoryBranch', caller, { document }, (made, who) => {
      const { id } = made.branch;
      const full = scopes.map(fullScope);
      const endsAt = world.now + seconds * 1_000;
      const holder = holderOf(play, who);
      world.branches.create(holder, { id, name, scopes: full, endsAt }, world.now);
      return { ...VERSION, branch: { name, scopes: full, ends_at_millis: endsAt } };
    });
    if (answer !== undefined) play.memory.branches.push(answer.branch.id);
  },
};

const idOf = ({ dice, memory }: Play): string =>
  (dice.isLucky(95) ? dice.any(memory.branches) : undefined) ?? UNKNOWN_ID;

const show: Rule = {
  name: 'show a branch',
  weight: 1,
  run: async (play) => {
    const id = idOf(play);
    const caller = play.caller(may('memory_read'));
    await play.ask('getMemoryBranch', caller, { id, parameters: VERSION }, (_made, who) => {
      const { world } = play;
      const found = world.branches.get(holderOf(play, who), id, world.now, 'memory_read');
      return { ...VERSION, branch: { id, name: found.name, ends_at_millis: found.endsAt } };
    });
  },
};

const list: Rule = {
  name: 'list branches',
  weight: 1,
  run: async (play) => {
    const parameters = { ...VERSION, limit: 100 };
    const caller = play.caller(may('memory_read'));
    await play.ask('listMemoryBranches', caller, { parameters }, (_made, who) => {
      const items = play.world.branches.list(holderOf(play, who), play.world.now);
      return { ...VERSION, page: { items, next_cursor: null } };
    });
  },
};

const query: Rule = {
  name: 'query a branch',
  weight: 3,
  run: async (play) => {
    const { world } = play;
    const branch = idOf(play);
    const caller = play.caller(may('memory_read'));
    const base = fullScope(GRANTED[0]!);
    const scope = { ...base, branch };
    await play.ask('queryMemory', caller, { document: { ...VERSION, scope } }, (_made, who) => {
      const state = world.branches.stateIn(holderOf(play, who), base, branch, world.now);
      const whole = { limit: 100, scan_limit: 10_000, after: '' };
      const page = queryPage(state.entries, whole, world.now);
      const records = page.records.map((each) => world.memory.lineage.shown(each));
      return new Whole({ ...VERSION, scope, page: { ...page, records } });
    });
  },
};

const drop: Rule = {
  name: 'drop a branch',
  weight: 1,
  run: async (play) => {
    const id = idOf(play);
    const caller = play.caller(may('memory_write'));
    await play.ask('dropMemoryBranch', caller, { id, parameters: VERSION }, (_made, who) => {
      play.world.branches.drop(holderOf(play, who), id, play.world.now);
      return { ...VERSION, dropped: true };
    });
  },
};

/** Steps with branches. */
export const memoryBranchRules = [create, show, list, query, drop];
