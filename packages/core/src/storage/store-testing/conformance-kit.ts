/**
 * What the cases of the conformance suite are made of: a runner given from outside, stores that are
 * closed after each case, and short ways to write, read and expect failures.
 * @module
 */
import type { Entry, KeyRange, Store } from '../store/store.js';

/** The part of a test runner that the suite uses; vitest's, jest's and node's fit. */
export interface ConformanceRunner {
  readonly describe: (name: string, cases: () => void) => void;
  readonly test: ((name: string, run: () => Promise<void>) => void) & {
    readonly skip: (name: string, run: () => Promise<void>) => void;
  };
  readonly expect: (actual: unknown) => {
    toBe(expected: unknown): void;
    toEqual(expected: unknown): void;
  };
}

/** Why a store cannot do something that it does not have to do. */
export interface Inapplicable {
  readonly reason: string;
}

/** A store under test. */
export interface ConformanceSubject {
  readonly name: string;
  /** Opens a new, empty store. */
  readonly open: () => Promise<Store>;
  /** Opens again what a store, closed by now, has kept; or why it keeps nothing. */
  readonly reopen: ((store: Store) => Promise<Store>) | Inapplicable;
  /** Names a directory that is absent and opens copies; or why there are none. */
  readonly backups: BackupSubject | Inapplicable;
}

/** What a store with backups brings to their cases. */
export interface BackupSubject {
  readonly newDirectory: () => Promise<string>;
  readonly openCopy: (directory: string) => Promise<Store>;
}

/** What each group of cases is given. */
export interface ConformanceKit extends ConformanceRunner {
  readonly subject: ConformanceSubject;
  /** A case with a new store, which is closed afterwards. */
  readonly storeTest: (name: string, run: (store: Store) => Promise<void>) => void;
  /** A case that only some stores have; reported as skipped, with the reason, on the others. */
  readonly testWhere: <T extends object>(
    feature: T | Inapplicable,
    name: string,
    run: (feature: T) => Promise<void>,
  ) => void;
}

/** Builds the kit of one suite. */
export function conformanceKit(
  runner: ConformanceRunner,
  subject: ConformanceSubject,
): ConformanceKit {
  const { test } = runner;
  // Only for what a subject calls inapplicable, and never without its reason.
  const { skip } = test;
  return {
    ...runner,
    subject,
    storeTest: (name, run) => {
      test(name, async () => {
        const store = await subject.open();
        try {
          await run(store);
        } finally {
          await store.close();
        }
      });
    },
    testWhere: (feature, name, run) => {
      if ('reason' in feature) skip(`${name} (${feature.reason})`, () => Promise.resolve());
      else test(name, () => run(feature));
    },
  };
}

/** The bytes of a text. */
export function bytes(text: string): Uint8Array {
  return new TextEncoder().encode(text);
}

/** The text of some bytes; `undefined` stays. */
export function text(value: Uint8Array | undefined): string | undefined {
  return value === undefined ? undefined : new TextDecoder().decode(value);
}

/** Stores texts in one transaction. */
export async function putTexts(store: Store, entries: Record<string, string>): Promise<void> {
  await store.transact((tx) => {
    for (const [key, value] of Object.entries(entries)) tx.put(bytes(key), bytes(value));
  });
}

/** The text under a key. */
export function getText(store: Store, key: string): Promise<string | undefined> {
  return store.read((tx) => text(tx.get(bytes(key))));
}

/** A range between texts. */
export function textRange(
  from: string,
  to: string,
  options: { limit?: number; reverse?: boolean } = {},
): KeyRange {
  return { from: bytes(from), to: bytes(to), ...options };
}

/** Entries as `key=value` texts, read while they are on loan. */
export function texts(entries: Iterable<Entry>): string[] {
  return Array.from(entries, ({ key, value }) => `${text(key) ?? ''}=${text(value) ?? ''}`);
}

/** Everything between two texts. */
export function readTexts(store: Store, from = '', to = '~'): Promise<string[]> {
  return store.read((tx) => texts(tx.range(textRange(from, to))));
}

/** What a call throws or rejects with; `undefined` if it succeeds. */
export async function failureOf(call: () => unknown): Promise<unknown> {
  try {
    await call();
    return undefined;
  } catch (error) {
    return error;
  }
}

/** The code of an error of the catalogue, or the name of any other error. */
export function kindOf(error: unknown): unknown {
  if (!(error instanceof Error)) return error;
  return 'code' in error ? error.code : error.name;
}
