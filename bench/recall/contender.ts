/** What answers questions about a conversation. */
import type { Turn } from './locomo.js';

/** A part of an answer, of one turn or several. */
export interface Passage {
  /** Ids of its turns; the first is the one that was found. */
  readonly turns: readonly string[];
  readonly text: string;
}

/** Finds passages for a question, the best ones first. */
type Ask = (question: string) => Promise<readonly Passage[]>;

/** Stores the turns of a conversation. */
export interface Contender {
  readonly title: string;
  readonly open: (turns: readonly Turn[]) => Promise<Ask & Partial<AsyncDisposable>>;
}

/** Returns the passages of turns, by their numbers. */
export function passagesOf(turns: readonly Turn[], numbers: readonly number[]): Passage[] {
  return numbers.flatMap((number) => {
    const turn = turns[number];
    return turn === undefined ? [] : { turns: [turn.id], text: turn.text };
  });
}
