/** Finds records about a text: by its words, and by its meaning if the agent embeds. */
import type { Agent, MemoryRecord, ScopeInput } from '@agentkeep/client';

/** What is found. */
export interface Wanted {
  readonly scope: ScopeInput;
  readonly text: string;
  /** Most records. */
  readonly limit: number;
  readonly signal?: AbortSignal | undefined;
}

/**
 * Returns the records that answer a text, the best first. If the agent embeds, words and meaning
 * count, and the nearest records are found even if none is near.
 */
export async function findRecords(
  { memory }: Agent,
  { scope, text, limit, signal }: Wanted,
): Promise<MemoryRecord[]> {
  const found = await memory.in(scope).recall(text, { limit, signal });
  return found.map(({ record }) => record);
}
