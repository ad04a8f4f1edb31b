/**
 * Helpers for the cases of the conformance suite: the caller's test runner, stores that are closed
 * after each case, and shorthands to write, read and expect failures.
 */
import type { Entry, KeyRange, Store } from '../store/store.js';

/** The part of a test runner that the suite uses. Those of Vitest, Jest and Node fit. */
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

/** Why a store lacks an optional feature. */
interface Inapplicable {
  readonly reason: string;
}

/** A store under test. */
export interface ConformanceSubject {
  readonly name: string;
  /** Opens a new, empty store. */
  readonly open: () => Promise<Store>;
  /** Reopens the data of a closed store, or the reason why the store keeps none. */
  readonly reopen: ((store: Store) => Promise<Store>) | Inapplicable;
  /** Handles backups of the store, or the reason why it makes none. */
  readonly backups: BackupSubject | Inapplicable;
}

/** What the backup cases need from a store. */
interface BackupSubject {
  readonly newDirectory: () => Promise<string>;
  readonly openCopy: (directory: string) => Promise<Store>;
}

/** The runner and subject, as each group of cases gets them. */
export interface ConformanceKit extends ConformanceRunner {
  readonly subject: ConformanceSubject;
  /** Declares a case with a new store, which is closed afterwards. */
  readonly storeTest: (name: string, run: (store: Store) => Promise<void>) => void;
  /** Declares a case for an optional feature. Without it, the case is skipped with the reason. */
  readonly testWhere: <T extends object>(
    feature: T | Inapplicable,
    name: string,
    run: (feature: T) => Promise<void>,
  ) => void;
}

/** Creates the kit of one suite. */
export function conformanceKit(
  runner: ConformanceRunner,
  subject: ConformanceSubject,
): ConformanceKit {
  const { test } = runner;
  // Only for features that the subject lacks, and always with the reason.
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

/** Encodes a text as UTF-8. */
export function bytes(text: string): Uint8Array {
  return new TextEncoder().encode(text);
}

/** Decodes UTF-8, and passes `undefined` through. */
export function text(value: Uint8Array | undefined): string | undefined {
  return value === undefined ? undefined : new TextDecoder().decode(value);
}

/** Stores texts in one transaction. */
export async function putTexts(store: Store, entries: Record<string, string>): Promise<void> {
  await store.transact((tx) => {
    for (const [key, value] of Object.entries(entries)) tx.put(bytes(key), bytes(value));
  });
}

/** Returns the text under a key, or `undefined`. */
export function getText(store: Store, key: string): Promise<string | undefined> {
  return store.read((tx) => text(tx.get(bytes(key))));
}

/** Returns the range between two texts. */
export function textRange(
  from: string,
  to: string,
  options: { limit?: number; reverse?: boolean } = {},
): KeyRange {
  return { from: bytes(from), to: bytes(to), ...options };
}

/** Returns entries as `key=value` texts, read while they are on loan. */
export function texts(entries: Iterable<Entry>): string[] {
  return Array.from(entries, ({ key, value }) => `${text(key) ?? ''}=${text(value) ?? ''}`);
}

/** Returns all entries between two texts, as `key=value` texts. */
export function readTexts(store: Store, from = '', to = '~'): Promise<string[]> {
  return store.read((tx) => texts(tx.range(textRange(from, to))));
}

/** Returns what a call throws or rejects with, or `undefined` if it succeeds. */
export async function failureOf(call: () => unknown): Promise<unknown> {
  try {
    await call();
    return undefined;
  } catch (error) {
    return error;
  }
}

/** Returns the code of an `AgentkeepError`, or the name of any other error. */
export function kindOf(error: unknown): unknown {
  if (!(error instanceof Error)) return error;
  return 'code' in error ? error.code : error.name;
}
