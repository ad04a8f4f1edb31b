/**
 * Runs a body that reads, and records what it reads.
 */
import { type SnapshotTx, runReadBody } from '@agentkeep/core/store';
import type { Knowledge } from '../guesses/knowledge.js';
import { Trace } from '../guesses/trace.js';

/** A body that has run. */
export interface RanRead {
  readonly trace: Trace;
  /** Returns the result, or throws what the body threw. */
  readonly result: () => unknown;
}

/** Runs a body on fetched values and guesses. */
export function runRead(knowledge: Knowledge, body: (tx: SnapshotTx) => unknown): RanRead {
  const trace = new Trace(knowledge);
  try {
    const value = runReadBody(trace, body);
    return { trace, result: () => value };
  } catch (error) {
    return {
      trace,
      result: () => {
        throw error;
      },
    };
  }
}
