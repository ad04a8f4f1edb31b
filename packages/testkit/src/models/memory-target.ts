/** The record that a change names, from the contract alone (docs/contract/memory.md#mem-33). */
import { type Command, isNamed } from './memory-command.js';
import { type Entry, visible } from './memory-history.js';
import { Refusal } from './outcome.js';

/** The entry with a name in a space. */
export function namedIn(entries: Iterable<Entry>, space: string, name: string): Entry | undefined {
  return [...entries].find((entry) => entry.space === space && entry.record.name === name);
}

/** The entry with an id in a space. */
export function entryIn(entries: ReadonlyMap<string, Entry>, space: string, id: string): Entry {
  const entry = entries.get(id.toLowerCase());
  if (entry?.space !== space) throw new Refusal('record_not_found');
  return entry;
}

/** The record to change; `undefined` if the change makes one. */
export function currentOf(
  entries: ReadonlyMap<string, Entry>,
  operation: Exclude<Command['operation'], { readonly type: 'redact' }>,
  { space, now }: { readonly space: string; readonly now: number },
): Entry | undefined {
  if (operation.type === 'create') return undefined;
  if (isNamed(operation)) {
    const { name, expected_revision: expected } = operation;
    const entry = namedIn(entries.values(), space, name);
    const isThere = entry !== undefined && visible(entry, now) !== undefined;
    if (expected === 0 && isThere) throw new Refusal('revision_conflict');
    const isExpectedThere = expected !== undefined && expected > 0;
    if (entry === undefined && (isExpectedThere || operation.type === 'remove')) {
      throw new Refusal('record_not_found');
    }
    if (isExpectedThere && entry?.record.revision !== expected) {
      throw new Refusal('revision_conflict');
    }
    return entry;
  }
  const entry = entryIn(entries, space, operation.record_id);
  const { revision, payload } = entry.record;
  if (revision !== operation.expected_revision) throw new Refusal('revision_conflict');
  if (payload === null && operation.type !== 'restore') throw new Refusal('record_not_found');
  return entry;
}

/** The name that a record has after a change; a restored one takes its name back. */
export function nameAfter(
  entries: ReadonlyMap<string, Entry>,
  operation: Command['operation'],
  { space, record, past }: Entry,
): string | undefined {
  if (record.payload !== null || operation.type !== 'restore') return record.name;
  const name = past.at(-1)?.record.name;
  if (name !== undefined && namedIn(entries.values(), space, name) !== undefined) {
    throw new Refusal('revision_conflict');
  }
  return name;
}
