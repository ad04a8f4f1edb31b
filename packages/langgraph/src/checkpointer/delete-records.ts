/** Deletes records by their names. */
import type { ScopedMemory } from '@agentkeep/client';
import { isOvertaken } from '../is-overtaken.js';

/** Commands of one batch. */
const COMMANDS_MAX = 256;

/**
 * Deletes every named record with a tag, page by page. Records that others delete meanwhile are
 * skipped.
 */
export async function deleteRecords(memory: ScopedMemory, tag: string): Promise<void> {
  let after: string | undefined;
  for (;;) {
    const from = after === undefined ? {} : { after };
    const page = await memory.queryPage({ tag }, { limit: COMMANDS_MAX, ...from });
    await removeAll(
      memory,
      page.records.flatMap(({ name }) => (name === undefined ? [] : [name])),
    );
    if (page.next_after === null) return;
    after = page.next_after;
  }
}

/** Deletes the records with these names. Records that others delete meanwhile are skipped. */
export async function removeAll(memory: ScopedMemory, names: readonly string[]): Promise<void> {
  for (let from = 0; from < names.length; from += COMMANDS_MAX) {
    await removeSome(memory, names.slice(from, from + COMMANDS_MAX));
  }
}

/** Deletes the existing records together; if one is missing, each half separately. */
async function removeSome(memory: ScopedMemory, names: readonly string[]): Promise<void> {
  if (names.length === 0) return;
  try {
    await memory.batch(names.map((name) => ({ type: 'remove', name })));
  } catch (error) {
    if (!isOvertaken(error)) throw error;
    if (names.length === 1) return;
    const half = Math.ceil(names.length / 2);
    await removeSome(memory, names.slice(0, half));
    await removeSome(memory, names.slice(half));
  }
}
