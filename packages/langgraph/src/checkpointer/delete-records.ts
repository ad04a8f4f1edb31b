/** Deletes all records of a thread. */
import { AgentkeepError, type ScopedMemory } from '@agentkeep/client';

/** Commands of one batch. */
const COMMANDS_MAX = 256;

/** Deletes every named record with a tag, page by page. What others delete meanwhile is skipped. */
export async function deleteRecords(memory: ScopedMemory, tag: string): Promise<void> {
  let after: string | undefined;
  for (;;) {
    const from = after === undefined ? {} : { after };
    const page = await memory.queryPage({ tag, limit: COMMANDS_MAX, ...from });
    const names = page.records.flatMap(({ name }) => (name === undefined ? [] : [name]));
    if (names.length > 0 && !(await removeAll(memory, names))) continue;
    if (page.next_after === null) return;
    after = page.next_after;
  }
}

/** Returns whether all were there. */
async function removeAll(memory: ScopedMemory, names: readonly string[]): Promise<boolean> {
  try {
    await memory.batch(names.map((name) => ({ type: 'remove', name })));
    return true;
  } catch (error) {
    if (error instanceof AgentkeepError && error.code === 'record_not_found') return false;
    throw error;
  }
}
