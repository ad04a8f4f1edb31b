/** `agentkeep memory import | export`: records as lines of JSON. */
import { createInterface } from 'node:readline';
import { Readable } from 'node:stream';
import type { MemoryChangeInput, RecordInput } from '@agentkeep/client';
import { batchesOf } from '@agentkeep/core/operator';
import { sha256 } from '@agentkeep/core/store';
import { CommandError } from '../../command/command-error.js';
import type { ClientCommand, ClientInvocation } from '../../command/command.js';
import { scopeFlags } from '../../command/scope-flags.js';
import { withConnection } from '../connection.js';
import { exactValue } from '../exact-json.js';
import { timeOf } from '../../command/time-of.js';
import { inputBytes } from '../input-text.js';
import { episodeType } from './memory-flags.js';
import { jsonLine } from '../../output/printable.js';

/** A line of a file: a record as the contract has it, or the short form with `text`. */
interface Line extends Partial<RecordInput> {
  readonly name?: string;
  readonly text?: string;
  readonly type?: string;
}

/** Stores a file of records in batches; the same file again stores nothing twice. */
export const importRecords: ClientCommand = {
  name: 'memory import',
  positionals: ['file'],
  summary: 'Store records from a file with one JSON document a line; - reads standard input.',
  description: [
    'Each line is a record as `agentkeep memory export` writes it, or a short form: ' +
      '{"text": "…", "name": "…", "type": "…", "tags": ["…"], "event_time_millis": 0}. A line ' +
      'with a name makes or replaces the record of that name.',
    'Lines are stored in batches, each whole or not at all. Repeat a command that failed: what is ' +
      'stored already is not stored again, as long as the lines before the failure are the same.',
  ],
  isCall: true,
  hasJson: true,
  ownFlags: [
    ...scopeFlags,
    {
      name: 'event-time',
      placeholder: '<time>',
      summary: 'Event time of lines that have no event_time_millis.',
    },
  ],
  examples: [
    'agentkeep memory import ./notes.jsonl --event-time 2026-01-31T12:00:00Z',
    'agentkeep memory export --profile old | agentkeep memory import - --profile new',
  ],
  run,
};

async function run(invocation: ClientInvocation): Promise<void> {
  const { io, json } = invocation;
  await withConnection(invocation, async ({ agent, scope }) => {
    const target = scope();
    let records = 0;
    try {
      for await (const commands of batchesOf(target, changesIn(invocation))) {
        const digest = Buffer.from(sha256(JSON.stringify(commands))).toString('hex');
        await agent.memory.batch(commands, { idempotencyKey: `import-${digest}` });
        records += commands.length;
        if (io.isWatched === true) io.writeError(`\r${records} records`);
      }
    } catch (error) {
      if (io.isWatched === true) io.writeError('\n');
      io.writeError(`agentkeep: ${records} records are stored.\n`);
      throw error;
    }
    if (io.isWatched === true) io.writeError('\r');
    await io.writeOut(json ? jsonLine({ records }) : `Imported ${records} records\n`);
  });
}

/** Yields the change of each line of the file; empty lines are skipped. */
async function* changesIn({
  io,
  flags,
  positionals: [file = ''],
}: ClientInvocation): AsyncGenerator<MemoryChangeInput, void> {
  const time = flags.text('event-time');
  const byDefault = time === undefined ? undefined : timeOf(time, '--event-time');
  const lines = createInterface({
    input: Readable.from(inputBytes(io, file)),
    crlfDelay: Infinity,
  });
  let number = 0;
  try {
    for await (const line of lines) {
      number += 1;
      if (line.trim() !== '') yield changeOf(line, byDefault);
    }
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause);
    throw new CommandError(`${file}, line ${number}: ${reason}`, { cause });
  }
}

/**
 * Returns the change that a line describes.
 * @throws {SyntaxError} for a line that is not JSON; `TypeError` for one that is not a record or
 * has a number that would change.
 */
function changeOf(text: string, byDefault: number | undefined): MemoryChangeInput {
  const line = exactValue(text);
  if (typeof line !== 'object' || line === null || Array.isArray(line)) {
    throw new TypeError('The line is not a JSON object.');
  }
  const { name, text: primary, type, ...members } = line as Line;
  const time = members.event_time_millis ?? byDefault;
  if (time === undefined) {
    throw new TypeError(
      'event_time_millis is missing. Add it, or give --event-time for all lines.',
    );
  }
  const short =
    primary === undefined
      ? {}
      : { episode_type: episodeType(type ?? 'Observation'), content: { primary } };
  // The server checks the record and names the wrong member.
  const record = { ...short, ...members, event_time_millis: time } as RecordInput;
  return name === undefined ? { type: 'create', record } : { type: 'put', name, record };
}

/** Writes every current record of a scope. */
export const exportRecords: ClientCommand = {
  name: 'memory export',
  positionals: [],
  summary: 'Write every record of a scope as one JSON document a line.',
  description: [
    'Writes the current payload of each record, and its name if it has one: what `agentkeep memory ' +
      'import` reads. Ids and history are not a part of it.',
  ],
  isCall: true,
  ownFlags: [...scopeFlags],
  examples: ['agentkeep memory export > notes.jsonl'],
  run: ({ io, flags }) =>
    withConnection({ io, flags }, async ({ agent, scope }) => {
      for await (const { name, payload } of agent.memory.in(scope()).query({}, { limit: 1_000 })) {
        const line = name === undefined ? payload : { name, ...payload };
        await io.writeOut(jsonLine(line));
      }
    }),
};
