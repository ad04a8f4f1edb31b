/** Changes as server-sent events, over a socket (docs/contract/changes.md#chg-20). */
import { eventually } from '@agentkeep/testkit/eventually';
import { afterAll, expect, test } from 'vitest';
import { createServer, startServer } from '@agentkeep/server';
import { result } from '../harness/answer.js';
import type { Caller } from '../harness/caller.js';
import { scope, sharedScope } from '../harness/documents.js';
import { drivers } from '../harness/drivers.js';
import { type Fixture, tenant } from '../harness/fixture.js';

/** A stream, with what has arrived of it. */
interface Stream {
  readonly status: number;
  readonly headers: Headers;
  text: string;
  hasEnded: boolean;
  readonly leave: () => void;
}

const served: (() => Promise<void>)[] = [];
afterAll(async () => {
  for (const end of served) await end();
});

async function serve(): Promise<{
  readonly t: Fixture;
  readonly stop: () => Promise<void>;
  readonly open: (
    caller: Caller,
    query?: string,
    headers?: Record<string, string>,
  ) => Promise<Stream>;
}> {
  const t = await tenant(drivers[0]!);
  const server = await startServer(createServer(t.keep), { host: '127.0.0.1', port: 0 });
  served.push(async () => {
    await server.stop();
    await t.keep.close();
  });
  const open = async (caller: Caller, query = '', headers: Record<string, string> = {}) => {
    const leaving = new AbortController();
    const response = await fetch(`${server.url}/api/v1/memory/changes?contract_version=1${query}`, {
      headers: { Authorization: `Bearer ${caller.token}`, Accept: 'text/event-stream', ...headers },
      signal: leaving.signal,
    });
    const stream: Stream = {
      status: response.status,
      headers: response.headers,
      text: '',
      hasEnded: false,
      leave: () => {
        leaving.abort();
      },
    };
    void (async () => {
      try {
        for await (const chunk of response.body ?? []) {
          stream.text += Buffer.from(chunk as Uint8Array).toString('utf8');
        }
      } catch {
        // The client has left.
      }
      stream.hasEnded = true;
    })();
    return stream;
  };
  return { t, stop: () => server.stop(), open };
}

/** Returns the changes of a stream, with the ids of their events. */
function changesIn({ text }: Stream): { id: string; record_id: string }[] {
  return [...text.matchAll(/id: (\S+)\nevent: change\ndata: (.*)\n\n/gu)].map(
    ([, id = '', data = '']) => ({
      id,
      record_id: (JSON.parse(data) as { record_id: string }).record_id,
    }),
  );
}

const recordIds = (stream: Stream): string[] => changesIn(stream).map(({ record_id }) => record_id);

test('CHG-C12 changes arrive as they are committed, and go on after the last id', async () => {
  const { t, open } = await serve();
  const agent = await t.agent();
  const ids = [await agent.created(scope), await agent.created(sharedScope)];
  const stream = await open(agent);
  expect(stream.status).toBe(200);
  expect(stream.headers.get('content-type')).toBe('text/event-stream');
  await eventually(() => expect(recordIds(stream)).toEqual(ids));
  ids.push(await agent.created(scope));
  await eventually(() => expect(recordIds(stream)).toEqual(ids));
  stream.leave();
  ids.push(await agent.created(scope));
  const last = changesIn(stream)[1]?.id ?? '';
  const resumed = await open(agent, '&after=latest', { 'Last-Event-ID': last });
  await eventually(() => expect(recordIds(resumed)).toEqual(ids.slice(2)));
  const ofScope = await open(agent, '&project_id=p&agent_id=a&visibility=shared');
  await eventually(() => expect(recordIds(ofScope)).toEqual(ids.slice(1, 2)));
});

test('CHG-C13 a stream without changes has a heartbeat, whose id leads on', async () => {
  const { t, open } = await serve();
  const agent = await t.agent();
  const bob = await t.agent({ subject_id: 'bob' });
  const stream = await open(bob);
  await agent.created(scope);
  await eventually(() => {
    t.clock.advance(5_000);
    expect(stream.text.match(/^: \nid: \S+\n\n/gmu)?.length).toBeGreaterThan(1);
  });
  const ids = [...stream.text.matchAll(/id: (\S+)/gu)].map(([, id = '']) => id);
  const { page } = result(await bob.changes({ after: ids.at(-1) }));
  expect(page).toMatchObject({ changes: [], has_more: false });
});

test('CHG-C14 a stream ends with an event when the credential of its caller does', async () => {
  const { t, open } = await serve();
  const agent = await t.agent();
  const stream = await open(agent);
  await t.admin.revoke(agent.id, 1);
  await eventually(() => expect(stream.hasEnded).toBe(true));
  expect(stream.text).toContain('event: error\ndata: {"error":{"code":"unauthorized"');
});

test('DLG-20 a stream that is open ends when its caller is blocked', async () => {
  const { t, open } = await serve();
  const agent = await t.agent();
  const { subject_id: id } = agent.credential.spec;
  const stream = await open(agent);
  const document = { contract_version: 1, expected_revision: 0, is_blocked: true };
  result(await t.admin.call('putSubject', { id, document }));
  await eventually(() => expect(stream.hasEnded).toBe(true));
  expect(stream.text).toContain('event: error\ndata: {"error":{"code":"subject_blocked"');
  expect((await open(agent)).status).toBe(403);
});

test('CHG-C15 the streams of a caller are bounded, and end with its clients', async () => {
  const { t, open } = await serve();
  const agent = await t.agent();
  const streams = [];
  for (let count = 0; count < 16; count += 1) streams.push(await open(agent));
  expect(streams.map(({ status }) => status)).toEqual(Array.from({ length: 16 }, () => 200));
  expect((await open(agent)).status).toBe(429);
  for (const stream of streams) stream.leave();
  await eventually(async () => {
    const again = await open(agent);
    again.leave();
    expect(again.status).toBe(200);
  });
});

test('CHG-C16 refusals before the first event are answered as for a page', async () => {
  const { t, open } = await serve();
  const agent = await t.agent();
  expect((await open(agent, '&after=x')).status).toBe(400);
  expect((await open(agent, '&limit=0')).status).toBe(400);
  expect((await open(agent, '', { 'Last-Event-ID': 'x' })).status).toBe(400);
  expect((await open(agent.with('nobody'))).status).toBe(401);
  expect((await open(t.admin)).status).toBe(403);
});

test('CHG-C17 a stop of the server ends streams and waits at once', async () => {
  const { t, open, stop } = await serve();
  const agent = await t.agent();
  const stream = await open(agent);
  await stop();
  await eventually(() => expect(stream.hasEnded).toBe(true));
  expect(stream.text).not.toContain('event: error');
});
