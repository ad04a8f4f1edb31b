/** `agentkeep memory put`: stores one record. */
import type { Agent, RecordInput } from '@agentkeep/client';
import type { ClientCommand, ClientInvocation } from '../../command/command.js';
import { scopeFlags } from '../../command/scope-flags.js';
import { UsageError } from '../../command/usage-error.js';
import { withConnection } from '../connection.js';
import { timeOf } from '../../command/time-of.js';
import { inputText, STANDARD_INPUT } from '../input-text.js';
import { tagFlag, typeFlag, typeOf } from './memory-flags.js';
import { jsonLine } from '../../output/printable.js';

/** Prints the receipt once the record is durable. */
export const put: ClientCommand = {
  name: 'memory put',
  positionals: ['text?'],
  summary: 'Store a record; with --name, replace the record of that name.',
  description: [
    'Stores a text as a record of the scope and prints its receipt. The text is the argument, the ' +
      'content of --file, or standard input for the argument -.',
    'With --name, the record of that name is made or replaced. With --idempotency-key, the same ' +
      'command sent twice stores the record once.',
  ],
  isCall: true,
  hasJson: true,
  ownFlags: [
    ...scopeFlags,
    { name: 'name', placeholder: '<name>', summary: 'Name of the record in its scope.' },
    { name: 'file', placeholder: '<file>', summary: 'File with the text.' },
    { ...typeFlag, summary: `${typeFlag.summary} Default: Observation.` },
    tagFlag,
    { name: 'context', placeholder: '<text>', summary: 'Where the text comes from.' },
    {
      name: 'event-time',
      placeholder: '<time>',
      summary: 'When it happened. Default: when it is stored.',
    },
    { name: 'valid-until', placeholder: '<time>', summary: 'When the record expires.' },
    {
      name: 'supersedes',
      placeholder: '<id[@revision]>',
      summary: 'A record of the scope that ends because this one holds now; default: as it is now.',
      isRepeatable: true,
    },
    { name: 'idempotency-key', placeholder: '<key>', summary: 'Names the intent of the command.' },
  ],
  examples: [
    "agentkeep memory put 'The customer prefers short answers.' --tag preference",
    'agentkeep memory put - --name handbook < handbook.md',
  ],
  run,
};

/** The same, as the first command that somebody tries. */
export const remember: ClientCommand = {
  ...put,
  name: 'remember',
  summary: 'Store a text; with --name, replace the one of that name.',
  examples: ["agentkeep remember 'Ann prefers short answers.'"],
};

async function run(invocation: ClientInvocation): Promise<void> {
  const { io, flags, json } = invocation;
  const record = await recordFrom(invocation);
  const [name, idempotencyKey] = [flags.text('name'), flags.text('idempotency-key')];
  await withConnection(invocation, async ({ agent, scope }) => {
    const memory = agent.memory.in(scope());
    const supersedes = await supersededBy(memory, flags.all('supersedes'));
    const stored = supersedes.length === 0 ? record : { ...record, supersedes };
    const receipt =
      name === undefined
        ? await memory.create(stored, { idempotencyKey })
        : await memory.put(name, stored, { idempotencyKey });
    const { record_id: id, revision, action } = receipt;
    await io.writeOut(json ? jsonLine(receipt) : `${action} ${id}, revision ${revision}\n`);
  });
}

const SUPERSEDED = /^(?<id>[^@]+)(?:@(?<revision>[1-9]\d{0,15}))?$/;

/** Returns the records that a record supersedes, each at the revision that is stated or current. */
async function supersededBy(memory: ReturnType<Agent['memory']['in']>, texts: readonly string[]) {
  const found: { record_id: string; revision: number }[] = [];
  for (const text of texts) {
    const { id, revision } = SUPERSEDED.exec(text)?.groups ?? {};
    if (id === undefined) {
      throw new UsageError(`--supersedes: ${JSON.stringify(text)} is not an id, or id@revision.`);
    }
    const expected = revision === undefined ? (await memory.read(id)).revision : Number(revision);
    found.push({ record_id: id, revision: expected });
  }
  return found;
}

async function recordFrom({ io, flags, positionals: [given] }: ClientInvocation) {
  const file = given === STANDARD_INPUT ? STANDARD_INPUT : flags.text('file');
  const text =
    file === undefined
      ? given
      : given === undefined || given === STANDARD_INPUT
        ? await inputText(io, file, 'The text')
        : undefined;
  if (text === undefined) throw new UsageError('Give a text, --file, or - for standard input.');
  const [context, until, at] = ['context', 'valid-until', 'event-time'].map((each) =>
    flags.text(each),
  );
  const record: RecordInput = {
    episode_type: typeOf(flags) ?? 'Observation',
    content: { primary: text, ...(context === undefined ? {} : { context }) },
    ...(at === undefined ? {} : { event_time_millis: timeOf(at, '--event-time') }),
    valid_until_millis: until === undefined ? null : timeOf(until, '--valid-until'),
    tags: [...flags.all('tag')],
  };
  return record;
}
