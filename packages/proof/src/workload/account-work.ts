/**
 * Creates, locks and unlocks accounts, and checks that names, locks and audit events agree.
 */
import assert from 'node:assert/strict';
import type { Parties } from './parties.js';
import type { Check, Work } from './work.js';

interface Step {
  readonly type: 'create' | 'lock' | 'unlock';
  readonly username: string;
}

const ORDER = ['create', 'lock', 'unlock', 'lock'] as const;
const EVENTS = {
  create: 'user_created',
  lock: 'account_locked',
  unlock: 'account_unlocked',
} as const;

/** Creates an account, then locks it, unlocks it and locks it again. */
export class AccountWork implements Work<Step, null> {
  readonly #name: string;
  #steps = 0;

  constructor(name: string) {
    this.#name = name;
  }

  /** Chooses the next step. */
  next(): Step {
    const username = `${this.#name}-${Math.floor(this.#steps / ORDER.length)}`;
    return { type: ORDER[this.#steps % ORDER.length]!, username };
  }

  /** Sends a step. */
  async send({ root }: Parties, { type, username }: Step): Promise<null> {
    if (type === 'create') await root.users.create({ username, password: 'Correct-Horse-7' });
    else await root.lockouts[type](username);
    return null;
  }

  /** Moves on to the next step. */
  note(): void {
    this.#steps += 1;
  }
}

/** Checks that accounts, locks and their audit trails are as acknowledged, or one step further. */
export const checkAccounts: Check<Step, null> = async (parties, accounts) => {
  const events = await eventsOfNames(parties);
  const names = new Set<string>();
  for await (const { username } of parties.root.users.list()) names.add(username);
  for (const { done, next } of accounts) {
    const taken = stepsByName(done.map(({ step }) => step));
    if (next !== undefined && !taken.has(next.username)) taken.set(next.username, []);
    for (const [username, steps] of taken) {
      const later = next?.username === username ? next : undefined;
      const recorded = events.get(username) ?? [];
      const expected = steps.map(({ type }) => EVENTS[type]);
      const further = later === undefined ? expected : [...expected, EVENTS[later.type]];
      const isAhead = later !== undefined && recorded.length === further.length;
      assert.deepEqual(recorded, isAhead ? further : expected, `The events of ${username} differ.`);
      const last = isAhead ? later.type : steps.at(-1)?.type;
      assert.equal(names.has(username), last !== undefined, `${username} is stored partially.`);
      const status = await parties.root.lockouts.get(username);
      assert.equal(status.locked, last === 'lock', `The lock of ${username} differs.`);
    }
  }
};

function stepsByName(steps: readonly Step[]): Map<string, Step[]> {
  const byName = new Map<string, Step[]>();
  for (const step of steps) byName.set(step.username, [...(byName.get(step.username) ?? []), step]);
  return byName;
}

/** Returns the types of the events about each name, oldest first. */
async function eventsOfNames({ root }: Parties): Promise<Map<string, string[]>> {
  const types = new Map<string, string[]>();
  for await (const { event_type, result, metadata } of root.audit.query({ limit: 1_000 })) {
    if (result !== 'success') continue;
    const name = metadata['target_username'] ?? metadata['new_username'];
    if (typeof name === 'string') types.set(name, [event_type, ...(types.get(name) ?? [])]);
  }
  return types;
}
