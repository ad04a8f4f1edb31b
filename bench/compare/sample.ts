/** The records of the comparison: about 170 characters, as a short turn of a dialogue. */
import { sentenceAt } from '../sentences.js';
import type { SampleRecord } from './contender.js';

/** A word in every fifth record. */
export const ORDINARY_WORD = 'overnight';
/** A word in one record of a thousand. */
export const RARE_WORD = 'zeppelin';
/** A word in no record. */
export const ABSENT_WORD = 'quixotry';
/** A tag of every fortieth record. */
export const SAMPLE_TAG = 'session-7';

const SESSIONS = 40;
const RARE_EVERY = 1_000;

/** Returns the record with a number. */
export function sampleAt(index: number): SampleRecord {
  const rare = index % RARE_EVERY === RARE_EVERY - 1 ? ` A ${RARE_WORD} passed.` : '';
  return {
    text: `${sentenceAt(index)} ${sentenceAt(index + 1)} Turn ${String(index)}.${rare}`,
    tag: `session-${String(index % SESSIONS)}`,
    turn: index,
  };
}

/** Returns consecutive records. */
export function samples(from: number, count: number): SampleRecord[] {
  return Array.from({ length: count }, (_, offset) => sampleAt(from + offset));
}

/** Returns a record as a memory command of Agentkeep takes it. */
export function recordOf({ text, tag, turn }: SampleRecord) {
  return {
    episode_type: 'Conversation' as const,
    content: { primary: text },
    event_time_millis: 1_700_000_000_000 + turn,
    tags: [tag],
    metadata: { turn },
  };
}
