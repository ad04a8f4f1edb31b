/**
 * Random histories of a store, compared with a plain map: concurrent bodies that read, write and
 * throw, and reopening between them.
 */
import type { ReadTx, Store, WriteTx } from '@agentkeep/core/store';
import fc from 'fast-check';
import { expect } from 'vitest';

type Step =
  | { readonly type: 'get' | 'remove'; readonly key: Uint8Array }
  | { readonly type: 'put'; readonly key: Uint8Array; readonly value: Uint8Array }
  | {
      readonly type: 'range';
      readonly from: Uint8Array;
      readonly to: Uint8Array;
      readonly limit?: number;
      readonly reverse: boolean;
    };

interface BodyPlan {
  readonly type: 'read' | 'transact';
  readonly steps: readonly Step[];
  readonly throws: boolean;
}

type Round = { readonly type: 'reopen' } | { readonly type: 'bodies'; readonly bodies: BodyPlan[] };

/**
 * Few distinct keys, so that writes meet. Some are prefixes of others or have edge bytes, and some
 * are in subspaces 6 to 8, which stores may keep apart from the others.
 */
const key = fc
  .array(fc.constantFrom(0, 0, 6, 7, 8, 1, 127, 128, 255), { minLength: 1, maxLength: 3 })
  .map((bytes) => Uint8Array.from(bytes));
const bound = fc.oneof(key, fc.constant(new Uint8Array()));
const value = fc.uint8Array({ maxLength: 6 });

const readStep: fc.Arbitrary<Step> = fc.oneof(
  fc.record({ type: fc.constant('get' as const), key }),
  fc.record(
    {
      type: fc.constant('range' as const),
      from: bound,
      to: bound,
      limit: fc.nat({ max: 5 }),
      reverse: fc.boolean(),
    },
    { requiredKeys: ['type', 'from', 'to', 'reverse'] },
  ),
);
const writeStep: fc.Arbitrary<Step> = fc.oneof(
  fc.record({ type: fc.constant('put' as const), key, value }),
  fc.record({ type: fc.constant('remove' as const), key }),
);
const throws = fc.integer({ min: 0, max: 4 }).map((number) => number === 0);
const bodyPlan: fc.Arbitrary<BodyPlan> = fc.oneof(
  fc.record({
    type: fc.constant('transact' as const),
    steps: fc.array(fc.oneof({ weight: 3, arbitrary: writeStep }, readStep), { maxLength: 10 }),
    throws,
  }),
  fc.record({ type: fc.constant('read' as const), steps: fc.array(readStep), throws }),
);
const round: fc.Arbitrary<Round> = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.record({
      type: fc.constant('bodies' as const),
      // In the order of a round: transactions before reads.
      bodies: fc
        .array(bodyPlan, { maxLength: 8 })
        .map((plans) => plans.sort((a, b) => b.type.localeCompare(a.type))),
    }),
  },
  { weight: 1, arbitrary: fc.record({ type: fc.constant('reopen' as const) }) },
);

function hex(bytes: Uint8Array | undefined): string {
  return bytes === undefined ? '-' : Buffer.from(bytes).toString('hex');
}

/** Runs the steps of a body. Returns what they read, or throws it in a message. */
function runBody(tx: ReadTx | WriteTx, { steps, throws: isThrowing }: BodyPlan): string {
  const seen: string[] = [];
  for (const step of steps) {
    if (step.type === 'get') seen.push(hex(tx.get(step.key)));
    if (step.type === 'put') (tx as WriteTx).put(step.key, step.value);
    if (step.type === 'remove') (tx as WriteTx).remove(step.key);
    if (step.type === 'range') {
      const found = Array.from(tx.range(step), (entry) => `${hex(entry.key)}=${hex(entry.value)}`);
      seen.push(`[${found.join()}]`);
    }
  }
  if (isThrowing) throw new Error(`threw after ${seen.join(' ')}`);
  return seen.join(' ');
}

/** A map with a sorted copy for each range and a whole copy for each body. */
class MapModel {
  #entries = new Map<string, Uint8Array>();

  run(plan: BodyPlan): string {
    const entries = new Map(this.#entries);
    const tx: WriteTx = {
      notes: [],
      get: (wanted) => entries.get(hex(wanted)),
      put: (at, stored) => void entries.set(hex(at), stored),
      remove: (at) => void entries.delete(hex(at)),
      // Conformance cases show appended entries, whose positions no model foresees.
      append: () => undefined,
      range: ({ from, to, limit, reverse }) => {
        const keys = [...entries.keys()].filter((at) => at >= hex(from) && at < hex(to)).sort();
        if (reverse === true) keys.reverse();
        return keys
          .slice(0, limit)
          .map((at) => ({ key: Buffer.from(at, 'hex'), value: entries.get(at)! }));
      },
    };
    try {
      const result = runBody(tx, plan);
      this.#entries = entries;
      return result;
    } catch (error) {
      return String(error);
    }
  }
}

/** Runs the transactions at once, then the reads one after the other. */
async function runRound(
  store: Store,
  plans: readonly BodyPlan[],
  keepsOrder: boolean,
): Promise<string[]> {
  const outcomes: Promise<string>[] = [];
  for (const plan of plans.filter(({ type }) => type === 'transact')) {
    const outcome = store.transact((tx) => runBody(tx, plan)).catch(String);
    outcomes.push(outcome);
    if (!keepsOrder) await outcome;
  }
  const transacted = await Promise.all(outcomes);
  for (const plan of plans.filter(({ type }) => type === 'read')) {
    transacted.push(await store.read((tx) => runBody(tx, plan)).catch(String));
  }
  return transacted;
}

/** The store under test. */
export interface HistorySubject {
  /** Names new data; returns a function that opens it each time it is called. */
  readonly newData: () => Promise<() => Promise<Store>>;
  /** Whether transactions run in the order in which they were sent; else each is awaited. */
  readonly keepsOrder: boolean;
  /** Whether closing keeps the data. */
  readonly reopens: boolean;
  readonly runs: number;
}

/** Expects every history to match the one of a map. */
export async function expectHistories(subject: HistorySubject): Promise<void> {
  const { newData, keepsOrder, reopens, runs } = subject;
  await fc.assert(
    fc.asyncProperty(fc.array(round, { maxLength: 12 }), async (rounds) => {
      const open = await newData();
      const model = new MapModel();
      let store = await open();
      for (const each of rounds) {
        if (each.type === 'bodies') {
          const outcomes = await runRound(store, each.bodies, keepsOrder);
          expect(outcomes).toEqual(each.bodies.map((plan) => model.run(plan)));
        } else if (reopens) {
          await store.close();
          store = await open();
        }
      }
      await store.close();
    }),
    { numRuns: runs },
  );
}
