/**
 * Compares what a server or a keep holds with what was acknowledged. Everything here throws an
 * `AssertionError` when a promise does not hold.
 * @module
 */
import assert from 'node:assert/strict';
import { isDeepStrictEqual } from 'node:util';
import type { MemoryClient, ScopeInput } from '@agentkeep/core';
import {
  type Acknowledged,
  type Command,
  type CommandHistory,
  contextOf,
  type RecordState,
  send,
  stateAfter,
} from './command-history.js';

/** Calls at once. */
const CALLS_MAX = 32;

/** Runs a task for every item, some at a time. */
async function forEach<T>(items: Iterable<T>, task: (item: T) => Promise<void>): Promise<void> {
  const queue = items[Symbol.iterator]();
  const worker = async () => {
    for (let next = queue.next(); next.done !== true; next = queue.next()) await task(next.value);
  };
  await Promise.all(Array.from({ length: CALLS_MAX }, worker));
}

/** What a record reads as; two states of one record never read alike, but for deleted ones. */
function told(state: Pick<RecordState, 'revision' | 'text'>): string {
  return state.text === null ? 'deleted' : `${state.revision}: ${state.text}`;
}

/** What queries give. */
export interface Seen {
  readonly records: Map<string, { scope: ScopeInput; tells: string }>;
  readonly entries: number;
}

/** Everything that queries give, in pages. */
export async function seenBy(memory: MemoryClient, scopes: readonly ScopeInput[]): Promise<Seen> {
  const records: Seen['records'] = new Map();
  let entries = 0;
  for (const scope of scopes) {
    let after: string | null = null;
    do {
      const page = await memory.queryPage(scope, after === null ? {} : { after });
      for (const { record_id, revision, payload } of page.records) {
        const { primary, context } = payload.content;
        assert.equal(context, contextOf(primary), 'A record has the context of another one.');
        assert(!records.has(record_id), `Queries give ${record_id} twice.`);
        records.set(record_id, { scope, tells: told({ revision, text: primary }) });
      }
      entries += page.scanned_records;
      after = page.next_after;
    } while (after !== null);
  }
  return { records, entries };
}

/** Every record is as acknowledged, or one unanswered command further; gives those commands. */
export function commandsAhead({ records, unanswered }: CommandHistory, seen: Seen): Set<Command> {
  const ahead = new Set<Command>();
  const changes = new Map<string, Command>();
  const creates = new Map<string, Command>();
  for (const command of unanswered) {
    const { change, idempotencyKey } = command;
    if (change.type === 'create') creates.set(told({ revision: 1, text: idempotencyKey }), command);
    else changes.set(change.target.recordId, command);
  }
  for (const state of records.values()) {
    const found = seen.records.get(state.recordId)?.tells ?? 'deleted';
    const command = changes.get(state.recordId);
    if (found === told(state)) continue;
    const next = command && told(stateAfter(command, state.recordId));
    assert.equal(found, next, `${state.recordId} was acknowledged as ${told(state)}`);
    ahead.add(command!);
  }
  const made = [...seen.records].filter(([id]) => !records.has(id));
  for (const [, { scope, tells }] of made) {
    const command = creates.get(tells);
    assert(
      command !== undefined && isDeepStrictEqual(scope, command.scope),
      `Nobody made ${tells}.`,
    );
    ahead.add(command);
  }
  const createsAhead = [...ahead].filter(({ change }) => change.type === 'create');
  assert.equal(createsAhead.length, made.length, 'A record was made twice.');
  assert.equal(seen.entries, records.size + made.length, 'Queries examine other entries.');
  return ahead;
}

/** Sends commands again; each gets the receipt that it got at first. */
export async function replay(
  memory: MemoryClient,
  acknowledged: readonly Acknowledged[],
): Promise<void> {
  await forEach(acknowledged, async ({ command, receipt }) => {
    assert.deepEqual(await send(memory, command), receipt, 'A replay has another receipt.');
  });
}

/** Sends each unanswered command twice more; it takes effect once, then or before the kill. */
export async function retry(
  memory: MemoryClient,
  history: CommandHistory,
  { ahead, killedAt }: { ahead: Set<Command>; killedAt: number },
): Promise<void> {
  await forEach([...history.unanswered], async (command) => {
    const [one, other] = await Promise.all([send(memory, command), send(memory, command)]);
    assert.deepEqual(other, one, 'A command took effect twice.');
    const wasBefore = one.committed_at_millis <= killedAt;
    assert.equal(wasBefore, ahead.has(command), 'Half of a command was carried out.');
    history.acknowledge(command, one);
  });
}

/** Queries and reads give exactly what was acknowledged. */
export async function checkRecords(
  memory: MemoryClient,
  history: CommandHistory,
  touched: Iterable<string>,
  scopes: readonly ScopeInput[],
): Promise<void> {
  assert.equal(history.unanswered.size, 0);
  assert.equal(commandsAhead(history, await seenBy(memory, scopes)).size, 0);
  await forEach(new Set(touched), async (recordId) => {
    const state = history.records.get(recordId)!;
    const read = memory.read(state.scope, recordId);
    if (state.text === null) {
      await assert.rejects(read, { code: 'record_not_found' });
    } else {
      const { revision, payload } = await read;
      assert.equal(told({ revision, text: payload.content.primary }), told(state));
    }
  });
}
