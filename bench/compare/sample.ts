/** The records of the comparison: about 170 characters, as a short turn of a dialogue. */
import type { SampleRecord } from './contender.js';

/** A word in every fifth record. */
export const ORDINARY_WORD = 'overnight';
/** A word in one record of a thousand. */
export const RARE_WORD = 'zeppelin';
/** A word in no record. */
export const ABSENT_WORD = 'quixotry';
/** A tag of every fortieth record. */
export const SAMPLE_TAG = 'session-7';

const SENTENCES = [
  'The deployment finished after two retries and the queue drained within a minute.',
  'Maria asked for a summary of the open incidents before the meeting on Thursday.',
  'The search index was rebuilt overnight because of a changed mapping.',
  'A reminder was set for the review of the quarterly budget with the finance team.',
  'The agent proposed three routes and the user picked the one along the river.',
];

const SESSIONS = 40;
const RARE_EVERY = 1_000;

/** Returns the record with a number. */
export function sampleAt(index: number): SampleRecord {
  const sentence = (offset: number): string => SENTENCES[(index + offset) % SENTENCES.length] ?? '';
  const rare = index % RARE_EVERY === RARE_EVERY - 1 ? ` A ${RARE_WORD} passed.` : '';
  return {
    text: `${sentence(0)} ${sentence(1)} Turn ${String(index)}.${rare}`,
    tag: `session-${String(index % SESSIONS)}`,
    turn: index,
  };
}

/** Returns consecutive records. */
export function samples(from: number, count: number): SampleRecord[] {
  return Array.from({ length: count }, (_, offset) => sampleAt(from + offset));
}
