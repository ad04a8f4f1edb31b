/**
 * What a person reads after each of the usual mistakes: what the person wrote, then the message. A
 * message says what is wrong, with which argument, member, right or address, and what to do next.
 */
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Agent, inMemoryStore, type Keep, openKeep } from '@agentkeep/core';
import { agentFor, bootstrapTenant } from '@agentkeep/core/operator';
import { connect, type ConnectOptions } from '@agentkeep/client';
import { agentFor as agentOfServer } from '@agentkeep/client/operator';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createServer } from '../src/http/create-server.js';
import { type ServedKeep, servedKeep } from './command-line/served-keep.js';

/** Calls as a program without types makes them. */
type Loose<T> = { readonly [K in keyof T]: (...args: unknown[]) => unknown };
type LooseMemory = Loose<Agent['memory']>;

const bare =
  'The request is malformed or breaks a documented bound. Compare it with /openapi.json.';
const required = 'expected a value, since this member is required';
const note = { content: { primary: 'Ann prefers short answers.' } };
const support = { project_id: 'support', agent_id: 'helper', visibility: 'private' } as const;

let keep: Keep;
let ann: LooseMemory;
let memory: Agent['memory'];
let admin: Agent;
let several: Agent;
let server: ConnectOptions;
let folder: string;

beforeAll(async () => {
  keep = await openKeep({ store: inMemoryStore() });
  const { secret } = await bootstrapTenant(keep, { tenantId: 'acme', subjectId: 'ops' });
  server = { url: 'http://localhost', secret, fetch: createServer(keep).request };
  admin = await keep.authenticate(secret);
  ({ memory } = await agentFor(keep, { tenant: 'acme', subject: 'ann' }));
  await memory.create(note, { idempotencyKey: 'ticket-4711' });
  ann = memory as unknown as LooseMemory;
  const scopes = [support, { ...support, project_id: 'sales' }];
  const { id } = await (await agentFor(keep, { tenant: 'acme', subject: 'bob', scopes })).whoAmI();
  // An agent that proves itself by a secret has no first scope.
  several = await keep.authenticate((await admin.credentials.rotate(id, 1)).secret);
  folder = await mkdtemp(join(tmpdir(), 'agentkeep-mistakes-'));
});

afterAll(async () => {
  await keep.close();
  await rm(folder, { recursive: true });
});

/** What the person wrote, what runs it, and what the person reads. */
type Mistake = readonly [wrote: string, run: () => unknown, reads: string];

async function readAfter(run: () => unknown): Promise<string> {
  try {
    await run();
  } catch (error) {
    expect(error).toHaveProperty('name', 'AgentkeepError');
    return (error as Error).message;
  }
  throw new Error('Nothing was refused.');
}

const loose = { openKeep, agentFor, connect, agentOfServer } as unknown as Loose<{
  openKeep: never;
  agentFor: never;
  connect: never;
  agentOfServer: never;
}>;

describe('to begin with', () => {
  test.each<Mistake>([
    [
      `openKeep('./data')`,
      () => loose.openKeep('./data'),
      'openKeep(): `options`: expected an object.',
    ],
    [
      `openKeep({ datadir: './data' })`,
      () => loose.openKeep({ datadir: './data' }),
      'openKeep(): unknown option `datadir`. Did you mean `dataDir`?',
    ],
    [
      'openKeep({})',
      () => loose.openKeep({}),
      'openKeep() needs `dataDir`, the directory of its data, or an open `store`.',
    ],
    [
      `openKeep({ dataDir: 'package.json' })`,
      async () => {
        await writeFile(join(folder, 'package.json'), '{}');
        return openKeep({ dataDir: join(folder, 'package.json') });
      },
      'The data directory cannot be used (EEXIST). Name a directory that this user may write to.',
    ],
    [
      `openKeep({ dataDir: './data' }), twice`,
      async () => {
        await using first = await openKeep({ dataDir: join(folder, 'data') });
        return await first.waiting().then(() => openKeep({ dataDir: join(folder, 'data') }));
      },
      'Another process or keep has this data directory open. Stop it, or open another directory.',
    ],
    [
      `agentFor({ subject: 'ann' })`,
      () => loose.agentFor({ subject: 'ann' }, {}),
      'This call: `keep`: expected what openKeep() returned, as the first argument.',
    ],
    [
      'agentFor(keep, {})',
      () => loose.agentFor(keep, {}),
      'agentFor(): the argument `subject` is missing.',
    ],
    [
      `agentFor(keep, { subject: 'ann', subject_id: 'ann' })`,
      () => loose.agentFor(keep, { subject: 'ann', subject_id: 'ann' }),
      'agentFor(): unknown option `subject_id`. Did you mean `subjectId`?',
    ],
    [
      `agentFor(keep, { subject: 'ann', scopes: scope })`,
      () => loose.agentFor(keep, { subject: 'ann', scopes: support }),
      'agentFor(): `scopes`: expected an array.',
    ],
    [
      `agentFor(keep, { subject: 'ann', scopes: [{ …, visibility: 'public' }] })`,
      () =>
        loose.agentFor(keep, { subject: 'ann', scopes: [{ ...support, visibility: 'public' }] }),
      'agentFor(): `scopes[0].visibility`: expected "private" or "shared".',
    ],
    [
      `agentFor(keep, { subject: 'ann', capabilities: ['memory_read'] }), other ones than before`,
      () => agentFor(keep, { tenant: 'acme', subject: 'ann', capabilities: ['memory_read'] }),
      'The credential of this subject has other capabilities. Ask for those, or call agentFor() ' +
        'with renew: true to replace it.',
    ],
    [
      `bootstrapTenant(keep, …), in a second run`,
      () => bootstrapTenant(keep, { tenantId: 'acme', subjectId: 'ops' }),
      'This tenant was bootstrapped before and is never reset. Use its existing administrator.',
    ],
    [
      'keep.authenticate(process.env.SECRET), which is not set',
      () => keep.authenticate(undefined as never),
      'keep.authenticate(): `secret`: expected a text.',
    ],
    [
      `keep.authenticate('ak1_other')`,
      () => keep.authenticate('ak1_other'),
      'The request carries no valid proof of identity. Send one live credential as a Bearer token.',
    ],
  ])('%s', async (_wrote, run, reads) => {
    expect(await readAfter(run)).toBe(reads);
  });
});

describe('to remember and recall', () => {
  test.each<Mistake>([
    [
      'memory.remember({ content: … })',
      () => ann.remember(note),
      'memory.remember(): `text`: expected a text.',
    ],
    [
      `memory.remember('…', { key: 'ticket-4711' })`,
      () => ann.remember('…', { key: 'ticket-4711' }),
      'memory.remember(): unknown option `key`. It takes `name`, `tags`, `metadata`, `at`, ' +
        '`source`, `derivedFrom`, `supersedes`, `idempotencyKey`, `signal`.',
    ],
    [
      `memory.remember('…', { tags: 'style' })`,
      () => ann.remember('…', { tags: 'style' }),
      'memory.remember(): `tags`: expected an array.',
    ],
    [
      `memory.remember('…', { at: '2026-01-01' })`,
      () => ann.remember('…', { at: '2026-01-01' }),
      'memory.remember(): `at`: expected a Date, or milliseconds since 1970.',
    ],
    [
      `memory.remember('Ann prefers tea.', { idempotencyKey: 'ticket-4711' }), a used key`,
      () => ann.remember('Ann prefers tea.', { idempotencyKey: 'ticket-4711' }),
      '`operation.record.content.primary`: expected what the first command with this key had. ' +
        'This idempotency key already names a different command. Use a new key for a new intent.',
    ],
    ['memory.recall()', () => ann.recall(), 'memory.recall(): the argument `question` is missing.'],
    [
      `memory.recall('…', { limit: 1000 })`,
      () => ann.recall('…', { limit: 1000 }),
      'memory.recall(): `limit`: expected an integer from 1 to 100.',
    ],
    [
      `memory.remember('…'), with two scopes`,
      () => several.memory.remember('…'),
      'memory.remember(): `scope` is missing, because the credential is granted 2 scopes. Name ' +
        'the one that is meant: memory.in(scope).remember().',
    ],
    [
      `memory.remember('…'), as an administrator`,
      () => admin.memory.remember('…'),
      'memory.remember(): the credential is granted no `scope`. Call it with that of an agent, ' +
        'or have an administrator grant it a scope.',
    ],
  ])('%s', async (_wrote, run, reads) => {
    expect(await readAfter(run)).toBe(reads);
  });
});

describe('with records', () => {
  test.each<Mistake>([
    [
      `memory.create({ text: '…' })`,
      () => ann.create({ text: '…' }),
      `\`operation.record.content\` (and 1 more): ${required}. ${bare}`,
    ],
    [
      `memory.create({ content: '…' })`,
      () => ann.create({ content: '…' }),
      `\`operation.record.content\`: expected an object. ${bare}`,
    ],
    [
      'memory.create({ …, event_time_millis: new Date() })',
      () => ann.create({ ...note, event_time_millis: new Date(0) }),
      '`operation.record.event_time_millis`: expected a plain JSON value: a text, a finite ' +
        `number, true, false, null, an array or an object. ${bare}`,
    ],
    [
      `memory.create({ …, episode_type: 'Note' })`,
      () => ann.create({ ...note, episode_type: 'Note' }),
      '`operation.record.episode_type`: expected one of Conversation, TaskExecution, ' +
        `Observation, Decision, Error, or {"Custom": "<name>"}. ${bare}`,
    ],
    [
      'memory.create({ …, idempotency_key })',
      () => ann.create(note, { idempotency_key: 'k' }),
      'memory.create(): unknown option `idempotency_key`. Did you mean `idempotencyKey`?',
    ],
    [
      `memory.create({ …, event_time_millis: Date.now() }, { idempotencyKey }), in a second run`,
      () => ann.create({ ...note, event_time_millis: 1 }, { idempotencyKey: 'ticket-4711' }),
      '`operation.record.event_time_millis`: expected what the first command with this key had. ' +
        'This idempotency key already names a different command. Use a new key for a new intent.',
    ],
    [
      `memory.put({ content: … })`,
      () => ann.put(note),
      'memory.put(): `name`: expected a text, before the record.',
    ],
    [
      'memory.update({ recordId }, record)',
      () => ann.update({ recordId: 'r' }, note),
      'memory.update(): the argument `target.expectedRevision` is missing.',
    ],
    [
      'memory.delete(recordId)',
      () => ann.delete('r'),
      'memory.delete(): `target`: expected { recordId, expectedRevision } or { name }.',
    ],
    [
      `memory.read('style')`,
      () => ann.read('style'),
      `\`id\`: expected a UUID with hyphens. ${bare}`,
    ],
    [
      `memory.in('support')`,
      () => ann.in('support'),
      'memory.in(): `scope`: expected an object with `project_id`, `agent_id` and `visibility`.',
    ],
    [
      'memory.in(scope).create(…), in a scope that is not granted',
      () => memory.in(support).create(note),
      '`scope`: expected a scope granted to the credential, but the nearest one differs in ' +
        'project_id and agent_id. The authority of this proof does not cover the request. Ask an ' +
        'administrator for the capability or grant.',
    ],
    [
      `memory.queryPage({ text: '…' })`,
      () => ann.queryPage({ text: '…' }),
      'memory.queryPage(): unknown option `text`. It takes `text_contains`, `episode_type`, ' +
        '`tag`, `tags`, `source`, `derived_from`.',
    ],
    [
      'memory.embedMissing(), without a function that makes embeddings',
      () => ann.embedMissing(),
      'Give `embed` to openKeep() or connect(), or the numbers of a vector.',
    ],
    [
      'memory.in(scope).queryPage(), as an administrator',
      () => admin.memory.in(support).queryPage(),
      'The credential lacks the capability `memory_read`. Ask an administrator for a credential ' +
        'that has it.',
    ],
    [
      `learning.propose(scope, { …, policy_id: 'short-answers' }), never registered`,
      async () => {
        const capabilities = ['procedure_propose'] as const;
        const carl = { tenant: 'acme', subject: 'carl', scopes: [support], capabilities };
        const procedure = { id: 'c1', context_id: 'c', instructions: '…', source_refs: ['s'] };
        const { learning } = await agentFor(keep, carl);
        return learning.propose(support, { ...procedure, policy_id: 'short-answers' });
      },
      '`proposal.policy_id`: expected the id of a policy of the tenant. Register the policy ' +
        'first, or name one that was registered.',
    ],
  ])('%s', async (_wrote, run, reads) => {
    expect(await readAfter(run)).toBe(reads);
  });
});

describe('over a server', () => {
  const secret = 'ak1_other';
  test.each<Mistake>([
    [
      `connect({ url: 'localhost:7474', secret })`,
      () => connect({ url: 'localhost:7474', secret }),
      'connect(): `url` must be an address that begins with http:// or https://.',
    ],
    [
      'connect({ url, secret: process.env.SECRET }), which is not set',
      () => loose.connect({ url: 'http://localhost:7474', secret: undefined }),
      'connect(): the argument `secret` is missing.',
    ],
    [
      `connect({ url, secret: await readFile('secret', 'utf8') })`,
      () => connect({ url: 'http://localhost:7474', secret: `${secret}\n` }),
      'connect(): `secret` holds line breaks or other control characters. A secret is one line.',
    ],
    [
      'connect({ url, secret, timeout: 1000 })',
      () => loose.connect({ url: 'http://localhost:7474', secret, timeout: 1_000 }),
      'connect(): unknown option `timeout`. It takes `url`, `secret`, `key`, `workload`, `embed`, `embeddingSpace`, ' +
        '`retry`, `timeoutMillis`, `fetch`, `clock`, `random`.',
    ],
    [
      'a call while no server runs',
      () => connect({ url: 'http://127.0.0.1:1', secret, retry: false }).whoAmI(),
      'No answer from http://127.0.0.1:1: bad port. Check the address, that the server runs and ' +
        'that nothing on the way stops the request; then retry.',
    ],
    [
      'a call to another service',
      () => connect({ ...server, fetch: () => new Response('<html>') }).whoAmI(),
      'The answer is none of the contract. Check that the address is that of an Agentkeep server ' +
        'of this version.',
    ],
    [
      'a call with a wrong secret',
      () => connect({ ...server, secret }).whoAmI(),
      'The request carries no valid proof of identity. Send one live credential as a Bearer token.',
    ],
    [
      `agentFor(server, { subject: 'ann' })`,
      () => loose.agentOfServer(server, { subject: 'ann' }),
      'agentFor(): the argument `secretFile` is missing.',
    ],
    [
      `agentFor(server, { subject: 'ann', secretFile: './missing/ann' })`,
      () => agentOfServer(server, { subject: 'ann', secretFile: join(folder, 'missing/ann') }),
      'agentFor(): `secretFile` cannot be made (ENOENT); nothing was sent.',
    ],
  ])('%s', async (_wrote, run, reads) => {
    expect(await readAfter(run)).toBe(reads);
  });
});

describe('in a shell', () => {
  let served: ServedKeep;
  beforeAll(async () => {
    served = await servedKeep();
  });
  afterAll(() => served[Symbol.asyncDispose]());

  test.each<readonly [words: string[], reads: string]>([
    [['remember'], 'Give a text, --file, or - for standard input.'],
    [['recal', 'Ann'], `Unknown command 'recal'. Did you mean recall?`],
    [['remember', '…', '--tags', 'style'], `Unknown option '--tags'. Did you mean --tag?`],
    [['recall', 'Ann', '--limit', '101'], '--limit: at most 100.'],
    [
      ['remember', '…', '--profile', 'bob'],
      'There is no profile "bob". There are: admin, agent, master, root. Make it with ' +
        '`agentkeep profiles set`.',
    ],
    [
      ['remember', '…', '--profile', 'admin'],
      'A scope is needed: --project-id and --agent-id, or a profile that was made with them.',
    ],
    [
      ['memory', 'get', 'style'],
      'There is no record of the name "style" in this scope. `agentkeep memory list` shows the ' +
        'records.',
    ],
  ])('agentkeep %j', async (words, reads) => {
    const { status, out, error } = await served.attempt(words);
    expect(status).toBe(1);
    expect(out).toBe('');
    expect(error.split('\n')[0]).toBe(`agentkeep: ${reads}`);
  });
});
