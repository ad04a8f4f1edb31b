/** Divides changes into batches: the same changes into the same batches, each time. */
import type { MemoryScopeInput } from '../kernel/access/scope.js';
import { BATCH_BYTES_MAX, BATCH_COMMANDS_MAX, TEXT_BYTES_MAX } from '../contract/limits.js';
import { BATCH_SOURCES_MAX } from '../domains/memory/documents/lineage-limits.js';
import type {
  BatchCommand,
  MemoryChangeInput,
  RecordInput,
} from '../domains/memory/documents/schema.js';

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
  let sources = 0;
  for await (const operation of changes) {
    const command: BatchCommand = { scope, operation };
    const size = encoder.encode(JSON.stringify(command)).length + 1;
    const stated = 'record' in operation ? (operation.record.derived_from?.length ?? 0) : 0;
    const isFull =
      commands.length === BATCH_COMMANDS_MAX ||
      bytes + size > BATCH_BYTES_MAX ||
      sources + stated > BATCH_SOURCES_MAX;
    if (isFull && commands.length > 0) {
      yield commands;
      commands = [];
      bytes = AROUND_BYTES;
      sources = 0;
    }
    commands.push(command);
    bytes += size;
    sources += stated;
  }
  if (commands.length > 0) yield commands;
}

/** Returns changes as commands, those without a scope of their own in this one. */
export function commandsIn(
  scope: MemoryScopeInput,
  changes: readonly (MemoryChangeInput | BatchCommand)[],
): BatchCommand[] {
  return changes.map((change) => ('operation' in change ? change : { scope, operation: change }));
}

/** Yields the creations of records. */
export async function* creationsOf(
  records: Iterable<RecordInput> | AsyncIterable<RecordInput>,
): AsyncGenerator<MemoryChangeInput, void> {
  for await (const record of records) yield { type: 'create', record };
}
