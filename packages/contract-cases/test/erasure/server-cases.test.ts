/** Cases of reads on one server while another one erases (docs/contract/erasure.md). */
import { openKeep, type Store } from '@agentkeep/core';
import { quickPasswords, storeOver } from '@agentkeep/core/testing';
import { sharedTestStore } from '@agentkeep/testkit/test-store';
import { expect, test } from 'vitest';
import { result } from '../harness/answer.js';
import { Caller } from '../harness/caller.js';
import { recordOf, sharedScope } from '../harness/documents.js';
import { drivers } from '../harness/drivers.js';
import { type Fixture, tenant } from '../harness/fixture.js';
import { erased, version } from './erasure-kit.js';

const CANARY = 'canary-of-a-scope';
/** So that one read shows one or a few of them. */
const LONG = 'x '.repeat(30_000);
/** More reads than any of the calls makes. */
const READS_MAX = 40;

/** Holds one of the reads of a store before it begins. */
class Gate {
  #before = Infinity;
  #reached: () => void = () => undefined;
  #open: Promise<void> = Promise.resolve();

  over(store: Store): Store {
    return storeOver(store, {
      read: async (body) => {
        await this.#pass();
        return store.read(body);
      },
    });
  }

  /** Holds a read, by its number from 1, once. */
  hold(number: number): { readonly reached: Promise<string>; release: () => void } {
    let release: () => void = () => undefined;
    this.#open = new Promise((resolve) => {
      release = resolve;
    });
    const reached = new Promise<string>((resolve) => {
      this.#reached = () => {
        resolve('held');
      };
    });
    this.#before = number;
    return { reached, release };
  }

  async #pass(): Promise<void> {
    this.#before -= 1;
    if (this.#before !== 0) return;
    this.#before = Infinity;
    this.#reached();
    await this.#open;
  }
}

type Scope = Omit<typeof sharedScope, 'project_id'> & { readonly project_id: string };

/** A read of a scope, by one who may. */
interface Held {
  /** How many records it needs to take several transactions. */
  readonly records?: number;
  readonly read: (
    reader: { bob: Caller; admin: Caller; millis: number },
    scope: Scope,
  ) => Promise<unknown>;
}

const words = { text: 'canary' };
const reads: Readonly<Record<string, Held>> = {
  search: {
    read: ({ bob }, scope) =>
      bob.call('searchMemory', { document: { ...version, scopes: [scope], filter: { words } } }),
  },
  'ranked search': {
    read: ({ bob }, scope) => {
      const document = { ...version, scopes: [scope], filter: { words }, order: 'rarest_words' };
      return bob.call('searchMemory', { document });
    },
  },
  list: { records: 10, read: ({ bob }, scope) => bob.query(scope) },
  'earlier state': {
    read: ({ bob, millis }, scope) => bob.query(scope, undefined, { as_of: { millis } }),
  },
  changes: { read: ({ bob }) => bob.changes() },
  'page of a consumer': {
    read: async ({ bob }, scope) => {
      const id = scope.project_id;
      const holder = 'worker';
      result(await bob.call('claimConsumer', { id, document: { ...version, holder, scope } }));
      return bob.call('readConsumer', { id, document: { ...version, holder } });
    },
  },
  export: {
    read: ({ admin }, scope) => {
      const of = { type: 'scope', scope, subject_id: null };
      return admin.call('exportMemory', { document: { ...version, of } });
    },
  },
};

/** Writes long records in a scope of its own, and changes one of them a second later. */
async function written(t: Fixture, number: number, records: number) {
  const scope = { ...sharedScope, project_id: `p-${String(number)}` };
  const bob = await t.agent({ subject_id: 'bob', grants: [scope] });
  const ids: string[] = [];
  for (let at = 0; at < records; at += 1) {
    const text = recordOf({ primary: `${CANARY} canary ${String(at)}`, secondary: LONG });
    ids.push(await bob.created(scope, text));
  }
  const millis = t.clock.now();
  t.clock.advance(1_000);
  result(await bob.update(scope, [ids[0], 1]));
  return { bob, scope, ids, millis };
}

const driver = drivers.find(({ name }) => name === 'HTTP')!;

for (const [name, { read, records = 4 }] of Object.entries(reads)) {
  // ERA-27
  test(`ERA-C32 no ${name} that another server holds shows it`, async () => {
    const shared = sharedTestStore();
    await using t = await tenant(driver, shared.open());
    const gate = new Gate();
    const store = gate.over(shared.open());
    await using held = await openKeep({ store, clock: t.clock, passwords: quickPasswords });
    const transport = driver.open(held);
    const admin = new Caller(transport, t.admin.token, t.admin.credential);
    // Each round holds a later read of the call, until the call ends before.
    let number = 0;
    for (; number < READS_MAX; number += 1) {
      const { bob, scope, ids, millis } = await written(t, number, records);
      const reader = { bob: new Caller(transport, bob.token, bob.credential), admin, millis };
      expect(JSON.stringify(await read(reader, scope))).toContain(ids[1]);
      // Stores what was counted of this read, so that no read of the counter comes between.
      const parameters = { ...version, ...scope };
      result(await admin.call('listMemoryReads', { id: ids[1], parameters }));
      const { reached, release } = gate.hold(number + 1);
      const call = read(reader, scope);
      const first = await Promise.race([reached, call.then(() => 'answered')]);
      if (first === 'answered') {
        release();
        break;
      }
      await erased(t, { kind: 'scope', scope });
      release();
      const answer = JSON.stringify(await call);
      for (const each of [CANARY, ...ids]) expect(answer).not.toContain(each);
    }
    expect(number).toBeGreaterThan(0);
    expect(number).toBeLessThan(READS_MAX);
  });
}
