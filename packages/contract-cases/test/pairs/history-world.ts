/** A tenant in which random histories of capabilities are played, and what it has to hold then. */
import type { EncryptionOptions } from '@agentkeep/core/operator';
import type { Entry, ReadTx } from '@agentkeep/core/store';
import { expect } from 'vitest';
import { merge, texted } from '../branches/harness.js';
import { result } from '../harness/answer.js';
import { type Caller, freshKey, type Members } from '../harness/caller.js';
import { scope, sharedScope } from '../harness/documents.js';
import type { Fixture } from '../harness/fixture.js';
import type { World } from './capability-steps.js';

export const version = { contract_version: 1 };

/** A scope that histories erase. */
export const doomedScope = { ...sharedScope, mission_id: 'doomed' } as const;

/** A record that is there. */
interface Shown {
  readonly text: string;
  readonly revision: number;
}

/** The records of a scope, by id. */
export type Records = Map<string, Shown>;

/** A command that waits for its review. */
export interface Waiting {
  readonly recordId: string;
  readonly text: string;
  readonly author: Caller;
}

/** A command that was sent with a key, and what it made. */
export interface Sent {
  readonly key: string;
  readonly text: string;
  readonly recordId: string;
  readonly proposal: string | undefined;
}

/** A branch over the shared scope. */
export interface OpenBranch {
  readonly id: string;
  readonly where: Members;
  /** What is seen in it. */
  readonly view: Records;
  /** What was written in it and isn't merged. */
  readonly made: Records;
  /** The records that were written in it. */
  readonly written: Set<string>;
}

/** Somebody who can be erased. */
export interface Person {
  readonly id: string;
  readonly caller: Caller;
  /** What is only there for the person. */
  readonly texts: string[];
}

/** The tenant, its callers, and what has to be there. */
export class HistoryWorld implements World {
  readonly t: Fixture;
  readonly master: World['master'];
  readonly alice: Caller;
  /** Writes in the shared scope, and reviews nothing. */
  readonly bob: Caller;
  readonly encryption: EncryptionOptions | undefined;
  isReviewed = false;
  /** In the shared scope. */
  readonly shared: Records = new Map();
  /** In the private scope of Alice. */
  readonly own: Records = new Map();
  readonly doomed: Records = new Map();
  /** By the id of the proposal. */
  readonly waiting = new Map<string, Waiting>();
  readonly sent: Sent[] = [];
  readonly branches: OpenBranch[] = [];
  readonly persons: Person[] = [];
  /** Codes of invitations that wait, by username. */
  readonly invited = new Map<string, string>();
  /** Ids of subjects that were erased. */
  readonly erased: string[] = [];
  readonly exportsOfErased: string[] = [];
  /** All entries of a moment. */
  copy: readonly Entry[] | undefined;
  /** Texts that must not be found anywhere. */
  readonly gone: string[] = [];
  /** Records that came to be in scopes of Alice outside of branches, and weren't erased. */
  readonly ever = new Set<string>();
  /** Records of which a consumer has read changes; absent before it was claimed. */
  seen: Set<string> | undefined;
  hasQuota = false;
  /** How often Bob read records of the shared scope; absent before reads are counted. */
  readsOfBob: Map<string, number> | undefined;
  /** Whether deleted records can be restored. */
  keepsDeleted = false;
  /** What capabilities check in the end. */
  readonly checks: (() => Promise<void>)[] = [];
  #made = 0;

  constructor(world: World & { bob: Caller; encryption: EncryptionOptions | undefined }) {
    this.t = world.t;
    this.master = world.master;
    this.alice = world.alice;
    this.bob = world.bob;
    this.encryption = world.encryption;
  }

  /** Returns a text that is no part of another one. */
  newText(of: string): string {
    this.#made += 1;
    return `${of}-${String(this.#made).padStart(4, '0')}`;
  }

  /** Creates a record in the shared scope, which waits where it has to. */
  async write(author: Caller, text: string, isReviewer = false): Promise<void> {
    const key = freshKey();
    const answer = await author.create(sharedScope, texted(text), key);
    const { record_id: recordId, proposal } = result(answer).receipt;
    expect(answer.status).toBe(this.isReviewed && !isReviewer ? 202 : 200);
    if (proposal === undefined) this.show(this.shared, recordId, text);
    else this.waiting.set(proposal.id, { recordId, text, author });
    if (author === this.bob) this.sent.push({ key, text, recordId, proposal: proposal?.id });
  }

  /** Notes a record that is there from now on. */
  show(records: Records, id: string, text: string, revision = 1): void {
    records.set(id, { text, revision });
    if (records === this.shared || records === this.own) this.ever.add(id);
  }

  /** Merges what waits. */
  async accept(id: string): Promise<void> {
    const { recordId, text } = this.waiting.get(id)!;
    const merged = result(await merge(this.alice, id)).merge;
    expect(merged).toMatchObject({ state: 'merged', merged: 1 });
    this.waiting.delete(id);
    this.show(this.shared, recordId, text);
  }
}

/** Does something; `pick` chooses what with. What isn't possible at the moment does nothing. */
export type Action = (world: HistoryWorld, pick: number) => Promise<void>;

/** The actions of a capability, or of all histories, by name. */
export type Actions = Readonly<Record<string, Action>>;

/** Returns copies of all entries of a store. */
export function entriesIn(tx: ReadTx): Entry[] {
  const range = tx.range({ from: new Uint8Array(), to: Buffer.alloc(64, 0xff) });
  return Array.from(range, ({ key, value }) => {
    return { key: Uint8Array.from(key), value: Uint8Array.from(value) };
  });
}

/** Returns one of several, or `undefined` of none. */
export function chosen<T>(from: Iterable<T>, pick: number): T | undefined {
  const all = [...from];
  return all[pick % Math.max(1, all.length)];
}

/** Returns the sorted texts of records. */
export const textsOf = (records: Records): string[] =>
  Array.from(records.values(), ({ text }) => text).toSorted();

/** Where the records of a world are. */
export const places = { shared: sharedScope, own: scope, doomed: doomedScope } as const;
