/**
 * Runs a body on guesses alone, for callers that check in a later transaction that they were right.
 */
import { keyBytes, type ReadTx, runReadBody, type Supposed } from '@agentkeep/core/store';
import type { Found, GuessCache } from './guess-cache.js';
import { Knowledge } from './knowledge.js';
import { Trace } from './trace.js';

/** Returns what a body returns on guesses; `undefined` if it reads what was never looked up. */
export function supposeOn<T>(
  guesses: GuessCache,
  body: (tx: ReadTx) => T,
): Supposed<T> | undefined {
  const trace = new Trace(new Knowledge(guesses));
  const result = runReadBody(trace, body);
  const { points, walks } = trace;
  if (walks.size > 0) return undefined;
  for (const text of points.keys()) if (guesses.get(text) === undefined) return undefined;
  return { result, holds: (tx) => [...points].every((point) => isSame(tx, point)) };
}

function isSame(tx: ReadTx, [text, { value: before }]: readonly [string, Found]): boolean {
  const value = tx.get(keyBytes(text));
  if (value === undefined || before === undefined) return value === before;
  return value === before || Buffer.compare(value, before) === 0;
}
