/** Agents in process, over HTTP and in Python give the same answers and the same refusals. */
import { spawn } from 'node:child_process';
import { text } from 'node:stream/consumers';
import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { expect, inject, test } from 'vitest';
import { connect } from '../../packages/client/src/index.ts';
import {
  inMemoryStore,
  type Keep,
  openKeep,
  type ScopeInput,
} from '../../packages/core/src/index.ts';
import { agentFor, bootstrapTenant } from '../../packages/core/src/operator.ts';
import { ManualClock } from '../../packages/core/src/testing.ts';
import { createServer, startServer } from '../../packages/server/src/index.ts';
import { randomFrom } from '../../packages/testkit/src/random.ts';
import { type Outcome, playCalls } from './calls/play-calls.ts';
import { CallMaker, type RandomCall } from './calls/random-calls.ts';
import { findPython, pythonFolder } from './find-python.ts';

const scope: ScopeInput = { project_id: 'p', agent_id: 'a', visibility: 'private' };
const subject = { tenantId: 't', subjectId: 's', scopes: [scope] };

const openedKeep = (): Promise<Keep> =>
  openKeep({ store: inMemoryStore(), clock: new ManualClock() });

async function inProcess(calls: readonly RandomCall[]): Promise<Outcome[]> {
  await using keep = await openedKeep();
  const agent = await agentFor(keep, subject);
  return await playCalls(agent.memory.in(scope), calls);
}

/** Serves a keep of its own on loopback to a player, which gets its address and a secret. */
async function overLoopback(
  play: (server: { readonly url: string; readonly secret: string }) => Promise<Outcome[]>,
): Promise<Outcome[]> {
  await using keep = await openedKeep();
  const { secret: root } = await bootstrapTenant(keep, { tenantId: 't', subjectId: 'ops' });
  const { credentials } = await keep.authenticate(root);
  const { secret } = await credentials.issue({
    subject_id: 's',
    capabilities: ['memory_read', 'memory_write'],
    grants: [scope],
  });
  const running = await startServer(createServer(keep), { host: '127.0.0.1', port: 0 });
  try {
    return await play({ url: running.url, secret });
  } finally {
    await running.stop();
  }
}

async function inPython(task: Readonly<Record<string, unknown>>): Promise<Outcome[]> {
  const program = join(import.meta.dirname, 'calls', 'play_calls.py');
  const child = spawn(findPython() ?? 'python3', [program], {
    env: {
      PATH: process.env['PATH'] ?? '',
      PYTHONPATH: join(pythonFolder, 'src'),
      PYTHONDONTWRITEBYTECODE: '1',
    },
  });
  child.stdin.end(JSON.stringify(task));
  const [out, errors] = await Promise.all([text(child.stdout), text(child.stderr)]);
  expect(errors).toBe('');
  return JSON.parse(out) as Outcome[];
}

const UUID = /[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}/g;

/** Returns the name of a member as both languages have it, without what it is a member of. */
function nameOf(path: string): string {
  const name = path.split('.').at(-1) ?? '';
  return name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}

/** Returns outcomes with ids in the order in which they appear, and without cursors. */
function comparable(outcomes: readonly Outcome[]): unknown[] {
  const ids = new Map<string, string>();
  return outcomes.map((outcome) => {
    const shown =
      'code' in outcome
        ? { code: outcome.code, members: outcome.members.map(nameOf) }
        : { value: outcome.value ?? null };
    const json = JSON.stringify(shown, (name, value: unknown) =>
      /cursor|next_after/.test(name) && typeof value === 'string' ? 'cursor' : value,
    );
    const named = json.replaceAll(UUID, (id) => {
      if (!ids.has(id)) ids.set(id, `id ${ids.size}`);
      return ids.get(id) ?? '';
    });
    return JSON.parse(named) as unknown;
  });
}

/** Returns the calls whose outcomes differ, with both. */
function differences(
  calls: readonly RandomCall[],
  wanted: readonly unknown[],
  found: readonly unknown[],
): unknown[] {
  return calls.flatMap((call, at) =>
    isDeepStrictEqual(wanted[at], found[at])
      ? []
      : [{ call, wanted: wanted[at], found: found[at] }],
  );
}

/** What one of the clients took for something else once. */
const knownCalls: readonly RandomCall[] = [
  ...[true, { $: 'set' }, { $: 'object' }, 'x'].map((metadata) => ({
    method: 'remember',
    given: { text: 'tea', metadata },
  })),
  ...[{ $: 'deep', levels: 80 }, { $: 'cycle' }, { $: 'nan' }, { v: { $: 'infinity' } }].map(
    (data) => ({
      method: 'create',
      given: { record: { content: { primary: 'tea', data }, event_time_millis: 1 } },
    }),
  ),
  { method: 'named', given: { name: 7 } },
  { method: 'named', given: { name: '\ud83d' } },
  { method: 'changes', given: { limit: '3' } },
  { method: 'recall', given: { question: '?', filter: 'tea' } },
  { method: 'recall', given: { question: ['tea'] } },
  ...['', true, '../x', '\ud83d'].map((id) => ({ method: 'read', given: { id } })),
  ...['', 7].map((id) => ({ method: 'history', given: { id } })),
];

test('random calls have the same answers and the same refusals in every client', async () => {
  const random = randomFrom(inject('seed'));
  const calls = [...knownCalls, ...new CallMaker(random).calls(500)];
  const wanted = comparable(await inProcess(calls));
  const remote = await overLoopback((server) =>
    playCalls(connect({ ...server, retry: false }).memory.in(scope), calls),
  );
  const python = await overLoopback((server) => inPython({ ...server, scope, calls }));
  expect(differences(calls, wanted, comparable(remote))).toEqual([]);
  expect(differences(calls, wanted, comparable(python))).toEqual([]);
});
