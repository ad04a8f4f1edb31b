/** A small model for tests of embeddings that the server makes. */
import type { TextEmbedder } from '@agentkeep/core';
import type { ManualClock } from '@agentkeep/core/testing';
import { eventually } from '@agentkeep/testkit/eventually';
import { expect } from 'vitest';
import { result } from '../harness/answer.js';
import type { Caller, Members } from '../harness/caller.js';
import { scope } from '../harness/documents.js';

/** Words that mean the same have the same component. */
const MEANINGS = [
  ['car', 'vehicle', 'garage'],
  ['tea', 'drink', 'beverage'],
  ['invoice', 'bill', 'payment'],
];

/** The space of the small model. */
export const SPACE = 'small-model';

/** Returns how often a text has words of each meaning; nothing for one that has none. */
function meaningOf(text: string): number[] {
  const words = text.toLowerCase().match(/\p{L}+/gu) ?? [];
  const counts = MEANINGS.map((same) => words.filter((word) => same.includes(word)).length);
  return counts.some((count) => count > 0) ? counts : [];
}

/** A model that remembers what it was asked; a test may change what it does. */
export class SmallModel implements TextEmbedder {
  readonly space = SPACE;
  readonly queryMillis: number;
  readonly records: string[] = [];
  readonly queries: string[] = [];
  restarts = 0;
  /** What it does before it answers; a test may let it throw or hang. */
  work: (texts: readonly string[], kind: 'record' | 'query') => Promise<void> = () =>
    Promise.resolve();

  constructor(queryMillis = 60_000) {
    this.queryMillis = queryMillis;
  }

  async embed(
    texts: readonly string[],
    { kind }: { readonly kind: 'record' | 'query' },
  ): Promise<number[][]> {
    (kind === 'record' ? this.records : this.queries).push(...texts);
    await this.work(texts, kind);
    return texts.map(meaningOf);
  }

  restart(): Promise<void> {
    this.restarts += 1;
    return Promise.resolve();
  }
}

/** Returns the first page of a search by the meaning of a text. */
export async function pageByMeaning(caller: Caller, text: string, members: Members = {}) {
  const search = { order: 'nearest', vector: { text }, ...members };
  return result(await caller.search([scope], search)).page;
}

/** Returns the texts that a search by meaning finds, the nearest first. */
export async function foundByMeaning(caller: Caller, text: string, members: Members = {}) {
  const { matches } = await pageByMeaning(caller, text, members);
  return matches.map(({ record: { payload } }) => payload.content.primary);
}

/**
 * Waits until a search by meaning finds these texts. On a store that others write to, a commit
 * under way may hold texts back; the clock moves, so that the embedder looks at them again.
 */
export async function findsByMeaning(
  caller: Caller,
  text: string,
  texts: readonly string[],
  clock: Pick<ManualClock, 'advance'>,
): Promise<void> {
  await eventually(async () => {
    clock.advance(1_000);
    expect(await foundByMeaning(caller, text)).toEqual(texts);
  });
}

/** A promise that a test resolves. */
export interface Gate {
  readonly open: () => void;
  readonly passed: Promise<void>;
  readonly isOpen: boolean;
}

/** Returns a gate that is closed. */
export function gate(): Gate {
  let open: () => void = () => undefined;
  let isOpen = false;
  const passed = new Promise<void>((resolve) => {
    open = () => {
      isOpen = true;
      resolve();
    };
  });
  return {
    open,
    passed,
    get isOpen() {
      return isOpen;
    },
  };
}

/** Waits until a gate is open, with a clock that moves as in {@link findsByMeaning}. */
export async function reached(there: Gate, clock: Pick<ManualClock, 'advance'>): Promise<void> {
  await eventually(() => {
    clock.advance(1_000);
    expect(there.isOpen).toBe(true);
  });
}
