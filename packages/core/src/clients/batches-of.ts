/** Divides changes into batches: the same changes into the same batches, each time. */
import type { MemoryScopeInput } from '../access/scope.js';
import { BATCH_BYTES_MAX, BATCH_COMMANDS_MAX, TEXT_BYTES_MAX } from '../contract/limits.js';
import type { BatchCommand, MemoryChangeInput } from '../memory/documents/schema.js';

const encoder = new TextEncoder();

/** Bytes of the document around the commands: member names, and a key whose bytes are escaped. */
const AROUND_BYTES = 128 + 6 * TEXT_BYTES_MAX;

/**
 * Yields the changes as commands of a scope, in batches as large as they can be. A change that is
 * too large for any batch has one to itself, which is refused as any other too large document.
 */
export async function* batchesOf(
  scope: MemoryScopeInput,
  changes: Iterable<MemoryChangeInput> | AsyncIterable<MemoryChangeInput>,
): AsyncGenerator<BatchCommand[], void> {
  let commands: BatchCommand[] = [];
  let bytes = AROUND_BYTES;
  for await (const operation of changes) {
    const command: BatchCommand = { scope, operation };
    const size = encoder.encode(JSON.stringify(command)).length + 1;
    const isFull = commands.length === BATCH_COMMANDS_MAX || bytes + size > BATCH_BYTES_MAX;
    if (isFull && commands.length > 0) {
      yield commands;
      commands = [];
      bytes = AROUND_BYTES;
    }
    commands.push(command);
    bytes += size;
  }
  if (commands.length > 0) yield commands;
}
