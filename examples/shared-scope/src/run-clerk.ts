/** The clerk: keeps a greeting for each customer, from what is known in the shared scope. */
import { AgentkeepError, type CommittedChange, type ScopedMemory } from '@agentkeep/core';

/** What the clerk keeps between two runs. */
export interface ClerkState {
  /** Greetings by the id of the record that they follow from. */
  readonly greetings: Map<string, string>;
  /** Where it stopped; absent before the first run. */
  cursor?: string | undefined;
}

/** Works until the signal ends it. Calls `reacted` after each change. */
export async function runClerk(
  memory: ScopedMemory,
  state: ClerkState,
  reacted: (change: CommittedChange) => void,
  signal: AbortSignal,
): Promise<void> {
  state.cursor ??= await startOver(memory, state);
  try {
    for await (const change of memory.changes({ after: state.cursor, signal })) {
      await react(memory, state, change.record_id);
      state.cursor = change.cursor;
      reacted(change);
    }
  } catch (error) {
    if (signal.aborted) return;
    if (!(error instanceof AgentkeepError) || error.code !== 'position_expired') throw error;
    state.cursor = undefined;
    await runClerk(memory, state, reacted, signal);
  }
}

/** Reads everything that is current. Returns a cursor from before, so that no change is missed. */
export async function startOver(memory: ScopedMemory, { greetings }: ClerkState): Promise<string> {
  const { next_after } = await memory.changesPage({ after: 'latest' });
  greetings.clear();
  for await (const { record_id, payload } of memory.query({ tag: 'customer' })) {
    greetings.set(record_id, greetingFor(payload.content.primary));
  }
  return next_after;
}

/** Acts on the record as it is now, which may be later than the change. */
async function react(
  memory: ScopedMemory,
  { greetings }: ClerkState,
  recordId: string,
): Promise<void> {
  try {
    const { payload } = await memory.read(recordId);
    greetings.set(recordId, greetingFor(payload.content.primary));
  } catch (error) {
    if (!(error instanceof AgentkeepError) || error.code !== 'record_not_found') throw error;
    greetings.delete(recordId);
  }
}

function greetingFor(known: string): string {
  return known.includes('French') ? 'Bonjour' : 'Hello';
}
