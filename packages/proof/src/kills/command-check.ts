/**
 * Compares the state of a server or a keep with the acknowledged commands. All checks throw an
 * `AssertionError` if a promise does not hold.
 */
import assert from 'node:assert/strict';
import { isDeepStrictEqual } from 'node:util';
import type { QueryPage, ScopedMemory, ScopeInput } from '@agentkeep/core';
import {
  type Acknowledged,
  type Command,
  type CommandHistory,
  contextOf,
  type RecordState,
  send,
  stateAfter,
} from './command-history.js';

/** Number of concurrent calls. */
const CALLS_MAX = 32;

/** Runs a task for every item, several at a time. */
export async function forEach<T>(
  items: Iterable<T>,
  task: (item: T) => Promise<void>,
): Promise<void> {
  const queue = items[Symbol.iterator]();
  const worker = async () => {
    for (let next = queue.next(); next.done !== true; next = queue.next()) await task(next.value);
  };
  await Promise.all(Array.from({ length: CALLS_MAX }, worker));
}

/** Returns a text that identifies a state of a record; all deleted states are equal. */
export function summaryOf(state: Pick<RecordState, 'revision' | 'text'>): string {
  return state.text === null ? 'deleted' : `${state.revision}: ${state.text}`;
}

/** Result of querying everything. */
export interface Seen {
  readonly records: Map<string, { scope: ScopeInput; summary: string }>;
  readonly entries: number;
}

/** Queries everything, page by page. */
export async function seenBy(memory: ScopedMemory, scopes: readonly ScopeInput[]): Promise<Seen> {
  const records: Seen['records'] = new Map();
  let entries = 0;
  for (const scope of scopes) {
    let after: string | null = null;
    do {
      const page: QueryPage = await memory.in(scope).queryPage({}, { after: after ?? undefined });
      for (const { record_id, revision, payload } of page.records) {
        const { primary, context } = payload.content;
        assert.equal(context, contextOf(primary), 'A record has the context of another record.');
        assert(!records.has(record_id), `Queries return ${record_id} twice.`);
        records.set(record_id, { scope, summary: summaryOf({ revision, text: primary }) });
      }
      entries += page.scanned_records;
      after = page.next_after;
    } while (after !== null);
  }
  return { records, entries };
}

/**
 * Checks that every record is as acknowledged, or one unanswered command further. Returns the
 * unanswered commands that took effect.
 */
export function commandsAhead({ records, unanswered }: CommandHistory, seen: Seen): Set<Command> {
  const ahead = new Set<Command>();
  const changes = new Map<string, Command>();
  const creates = new Map<string, Command>();
  for (const command of unanswered) {
    const { change, idempotencyKey } = command;
    if (change.type === 'create')
      creates.set(summaryOf({ revision: 1, text: idempotencyKey }), command);
    else changes.set(change.target.recordId, command);
  }
  for (const state of records.values()) {
    const found = seen.records.get(state.recordId)?.summary ?? 'deleted';
    const command = changes.get(state.recordId);
    if (found === summaryOf(state)) continue;
    const next = command && summaryOf(stateAfter(command, state.recordId));
    assert.equal(found, next, `${state.recordId} was acknowledged as ${summaryOf(state)}`);
    ahead.add(command!);
  }
  const made = [...seen.records].filter(([id]) => !records.has(id));
  for (const [, { scope, summary }] of made) {
    const command = creates.get(summary);
    assert(
      command !== undefined && isDeepStrictEqual(scope, command.scope),
      `No command created ${summary}.`,
    );
    ahead.add(command);
  }
  const createsAhead = [...ahead].filter(({ change }) => change.type === 'create');
  assert.equal(createsAhead.length, made.length, 'A record was created twice.');
  assert.equal(
    seen.entries,
    records.size + made.length,
    'Queries examined another number of entries.',
  );
  return ahead;
}

/** Checks that each repeated command gets its first receipt. */
export async function replay(
  memory: ScopedMemory,
  acknowledged: readonly Acknowledged[],
): Promise<void> {
  await forEach(acknowledged, async ({ command, receipt }) => {
    assert.deepEqual(await send(memory, command), receipt, 'A replay returned another receipt.');
  });
}

/** Repeats each unanswered command twice. It must take effect once, now or before the kill. */
export async function retry(
  memory: ScopedMemory,
  history: CommandHistory,
  { ahead, killedAt }: { ahead: Set<Command>; killedAt: number },
): Promise<void> {
  await forEach([...history.unanswered], async (command) => {
    const [one, other] = await Promise.all([send(memory, command), send(memory, command)]);
    assert.deepEqual(other, one, 'A command took effect twice.');
    const wasBefore = one.committed_at_millis <= killedAt;
    assert.equal(wasBefore, ahead.has(command), 'A command was applied partially.');
    history.acknowledge(command, one);
  });
}

/** Checks that queries and reads return exactly the acknowledged state. */
export async function checkRecords(
  memory: ScopedMemory,
  history: CommandHistory,
  touched: Iterable<string>,
  scopes: readonly ScopeInput[],
): Promise<void> {
  assert.equal(history.unanswered.size, 0);
  assert.equal(commandsAhead(history, await seenBy(memory, scopes)).size, 0);
  await forEach(new Set(touched), async (recordId) => {
    const state = history.records.get(recordId)!;
    const read = memory.in(state.scope).read(recordId);
    if (state.text === null) {
      await assert.rejects(read, { code: 'record_not_found' });
    } else {
      const { revision, payload } = await read;
      assert.equal(summaryOf({ revision, text: payload.content.primary }), summaryOf(state));
    }
  });
}
