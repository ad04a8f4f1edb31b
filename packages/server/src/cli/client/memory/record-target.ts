/** The record that a command names: by its id, or by its name in the scope. */
import type { MemoryRecord, ScopedMemory } from '@agentkeep/client';
import { CommandError } from '../../command/command-error.js';

const UUID = /^[\da-f]{8}-[\da-f]{4}-[\da-f]{4}-[\da-f]{4}-[\da-f]{12}$/i;

/**
 * Returns the current record with an id or a name. A name that looks like an id is treated as one.
 * @throws {CommandError} when there is none of that name.
 * @throws {AgentkeepError} `record_not_found` for an id.
 */
export async function recordOf(memory: ScopedMemory, idOrName: string): Promise<MemoryRecord> {
  if (UUID.test(idOrName)) return memory.read(idOrName);
  const record = await memory.read({ name: idOrName });
  if (record !== undefined) return record;
  throw new CommandError(
    `There is no record of the name ${JSON.stringify(idOrName)} in this scope. ` +
      '`agentkeep memory list` shows the records.',
  );
}

/** Returns the id of a record that may be deleted: an id is not looked up. */
export async function recordIdOf(memory: ScopedMemory, idOrName: string): Promise<string> {
  return UUID.test(idOrName) ? idOrName : (await recordOf(memory, idOrName)).record_id;
}
