/** Branches of memory: made, shown, listed and dropped, with every kind of proof. */
import type { ScopeInput } from '@agentkeep/core';
import { WRITING } from '../../models/branch-model.js';
import { fullScope } from '../../models/credential-model.js';
import type { Caller } from '../../models/principal.js';
import type { Play } from '../play.js';
import type { Rule } from '../rule.js';
import { GRANTED, VERSION } from '../vocabulary.js';
import { holderOf, may } from './memory.js';
import { mergeRules } from './memory-branch-merges.js';
import { branchFor, memoryInBranchRules } from './memory-in-branches.js';

const NAMES = ['one'];
const SECONDS = [30, 3_600, 86_400];

/** What a new branch is made with. */
interface NewBranch {
  readonly name: string;
  readonly scopes: readonly ScopeInput[];
  readonly seconds: number;
}

/** Makes a branch; returns its id. */
async function makeBranch(
  play: Play,
  caller: Caller,
  { name, scopes, seconds }: NewBranch,
): Promise<string | undefined> {
  const { world } = play;
  const document = { ...VERSION, name, scopes: [...scopes], expires_in_seconds: seconds };
  const answer = await play.ask('createMemoryBranch', caller, { document }, ({ branch }, who) => {
    const full = scopes.map(fullScope);
    const endsAt = world.now + seconds * 1_000;
    const branchModel = { id: branch.id, name, scopes: full, endsAt };
    world.branches.create(holderOf(play, who), branchModel, world.now);
    return { ...VERSION, branch: { name, scopes: full, ends_at_millis: endsAt } };
  });
  return answer?.branch.id;
}

const create: Rule = {
  name: 'make a branch',
  weight: 2.5,
  run: async (play) => {
    const { dice } = play;
    const name = dice.one(NAMES);
    const scopes = dice.isLucky(70) ? [GRANTED[0]!] : GRANTED.slice(0, 3);
    const seconds = dice.one(SECONDS);
    // Now and then the caller that made the last one, which may still have the name.
    const last = dice.isLucky(30) ? play.memory.branches.at(-1)?.caller : undefined;
    const caller = last ?? play.caller(may('memory_write'));
    const id = await makeBranch(play, caller, { name, scopes, seconds });
    if (id === undefined) return;
    const { authority } = caller;
    play.memory.branches.push({ id, authority, scopes: scopes.map(fullScope), caller });
  },
};

/** It is withdrawn at once, so that other steps find branches that take commands. */
const submit: Rule = {
  name: 'submit a branch and withdraw it',
  weight: 0.3,
  run: async (play) => {
    const { world } = play;
    const caller = play.caller(may('memory_propose'));
    const name = 'submitted';
    const id = await makeBranch(play, caller, {
      name,
      scopes: [GRANTED[0]!],
      seconds: SECONDS[0]!,
    });
    if (id === undefined) return;
    const document = { ...VERSION, purpose: null };
    await play.ask('proposeMemoryBranch', caller, { id, document }, (_made, who) => {
      const holder = holderOf(play, who);
      const { endsAt, scopes } = world.branches.get(holder, id, world.now, WRITING);
      world.memory.passOver(holder, world.now);
      const times = { proposed_at_millis: world.now, age_millis: 0, ends_at_millis: endsAt };
      return { ...VERSION, proposal: { id, name, state: 'proposed', scopes, ...times } };
    });
    await dropBranch(play, caller, id);
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
    await dropBranch(play, caller, id);
  },
};

async function dropBranch(play: Play, caller: Caller, id: string): Promise<void> {
  await play.ask('dropMemoryBranch', caller, { id, parameters: VERSION }, (_made, who) => {
    play.world.branches.drop(holderOf(play, who), id, play.world.now);
    return { ...VERSION, dropped: true };
  });
}

/** Steps with branches. */
export const memoryBranchRules = [
  create,
  submit,
  show,
  list,
  drop,
  ...memoryInBranchRules,
  ...mergeRules,
];
