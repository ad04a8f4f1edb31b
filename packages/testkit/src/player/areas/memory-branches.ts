/** Branches of memory: made, shown, listed and dropped, with every kind of proof. */
import { fullScope } from '../../models/credential-model.js';
import type { Rule } from '../rule.js';
import { GRANTED, VERSION } from '../vocabulary.js';
import { holderOf, may } from './memory.js';
import { mergeRules } from './memory-branch-merges.js';
import { branchFor, memoryInBranchRules } from './memory-in-branches.js';

const NAMES = ['one'];
const SECONDS = [30, 3_600, 86_400];

const create: Rule = {
  name: 'make a branch',
  weight: 2.5,
  run: async (play) => {
    const { dice, world } = play;
    const name = dice.one(NAMES);
    const scopes = dice.isLucky(70) ? [GRANTED[0]!] : GRANTED.slice(0, 3);
    const seconds = dice.one(SECONDS);
    const document = { ...VERSION, name, scopes, expires_in_seconds: seconds };
    // Now and then the caller that made the last one, which may still have the name.
    const last = dice.isLucky(30) ? play.memory.branches.at(-1)?.caller : undefined;
    const caller = last ?? play.caller(may('memory_write'));
    const answer = await play.ask('createMemoryBranch', caller, { document }, (made, who) => {
      const { id } = made.branch;
      const full = scopes.map(fullScope);
      const endsAt = world.now + seconds * 1_000;
      const holder = holderOf(play, who);
      world.branches.create(holder, { id, name, scopes: full, endsAt }, world.now);
      return { ...VERSION, branch: { name, scopes: full, ends_at_millis: endsAt } };
    });
    if (answer === undefined) return;
    const { id } = answer.branch;
    const { authority } = caller;
    play.memory.branches.push({ id, authority, scopes: scopes.map(fullScope), caller });
  },
};

const show: Rule = {
  name: 'show a branch',
  weight: 1,
  run: async (play) => {
    const { id, caller } = branchFor(play, 'memory_read');
    await play.ask('getMemoryBranch', caller, { id, parameters: VERSION }, (_made, who) => {
      const { world } = play;
      const found = world.branches.get(holderOf(play, who), id, world.now);
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

const drop: Rule = {
  name: 'drop a branch',
  weight: 1,
  run: async (play) => {
    const { id, caller } = branchFor(play, 'memory_write');
    await play.ask('dropMemoryBranch', caller, { id, parameters: VERSION }, (_made, who) => {
      play.world.branches.drop(holderOf(play, who), id, play.world.now);
      return { ...VERSION, dropped: true };
    });
  },
};

/** Steps with branches. */
export const memoryBranchRules = [create, show, list, drop, ...memoryInBranchRules, ...mergeRules];
