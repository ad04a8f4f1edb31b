/** Exports as one body of lines, over a socket (docs/contract/exports.md#xpt-23). */
import { once } from 'node:events';
import { type IncomingMessage, request } from 'node:http';
import { createServer, startServer } from '@agentkeep/server';
import { eventually } from '@agentkeep/testkit/eventually';
import { afterAll, expect, test, vi } from 'vitest';
import type { Caller, Members } from '../harness/caller.js';
import { recordOf, scope } from '../harness/documents.js';
import { drivers } from '../harness/drivers.js';
import { tenant } from '../harness/fixture.js';
import { contentOf, exported, imported, linesOf, ofTenant } from './export-fixture.js';

const served: (() => Promise<void>)[] = [];
afterAll(async () => {
  for (const end of served) await end();
});

async function serve() {
  const t = await tenant(drivers[0]!);
  const server = await startServer(createServer(t.keep), { host: '127.0.0.1', port: 0 });
  served.push(async () => {
    await server.stop();
    await t.keep.close();
  });
  const ask = (caller: Caller, members: Members = {}) => ({
    method: 'POST',
    headers: {
      Authorization: `Bearer ${caller.token}`,
      Accept: 'application/x-ndjson',
      'Content-Type': 'application/json',
    },
    body: JSON.stringify({ contract_version: 1, of: ofTenant, ...members }),
  });
  const url = `${server.url}/api/v1/exports`;
  const stream = (caller: Caller, members?: Members) => fetch(url, ask(caller, members));
  return { t, url, ask, stream };
}

/** Writes some megabytes. */
async function filled(agent: Caller, records: number): Promise<void> {
  for (let at = 0; at < records; at += 1) {
    await agent.created(scope, recordOf({ primary: `${String(at)} ${'x'.repeat(60_000)}` }));
  }
}

const withoutPages = (text: string): string =>
  text
    .split('\n')
    .filter((line) => !line.startsWith('{"line":"page"'))
    .join('\n');

test('XPT-C13 a stream has the lines of all pages, and a line between two of them', async () => {
  const { t, stream } = await serve();
  await filled(await t.agent(), 60);
  const answer = await stream(t.admin);
  expect(answer.status).toBe(200);
  expect(answer.headers.get('content-type')).toBe('application/x-ndjson');
  expect(answer.headers.get('x-request-id')).toMatch(/./u);
  const text = await answer.text();
  expect(linesOf(text).filter(({ line }) => line === 'page').length).toBeGreaterThan(1);
  expect(contentOf(withoutPages(text))).toEqual(contentOf(await exported(t.admin)));
  // Lines between pages are no part of an import.
  const part = text.slice(0, text.lastIndexOf('\n', 1_500_000) + 1);
  expect(part).toContain('{"line":"page"');
  const { unchanged, refused } = await imported(t.admin, part);
  expect(unchanged).toBeGreaterThan(10);
  expect(refused).toBe(0);
  expect((await stream(await t.agent())).status).toBe(403);
  expect((await stream(t.admin, { of: 'all' })).status).toBe(400);
});

test('XPT-C14 a stream goes on after any line between two pages', async () => {
  const { t, stream } = await serve();
  await filled(await t.agent(), 60);
  const whole = await (await stream(t.admin)).text();
  for (const { after } of linesOf(whole).filter(({ line }) => line === 'page')) {
    const rest = await (await stream(t.admin, { after })).text();
    expect(whole.endsWith(rest)).toBe(true);
    const begun = whole.slice(0, -rest.length);
    expect(begun.endsWith(`${JSON.stringify({ line: 'page', after })}\n`)).toBe(true);
  }
  const gone = await stream(t.admin, { after: 'x.1' });
  expect([gone.status, (await gone.json()) as object]).toMatchObject([
    410,
    { error: { code: 'export_gone' } },
  ]);
});

test('XPT-C15 a stream waits for its reader, and goes on after the reader was cut off', async () => {
  const { t, url, ask, stream } = await serve();
  await filled(await t.agent(), 300);
  const invoked = vi.spyOn(t.keep, 'invoke');
  const { body, ...options } = ask(t.admin);
  const sent = request(url, options);
  sent.end(body);
  const [answer] = (await once(sent, 'response')) as [IncomingMessage];
  answer.pause();
  let seen = 0;
  await eventually(() => {
    const before = seen;
    seen = invoked.mock.calls.length;
    expect(before).toBe(seen);
  });
  // The rest of the 18 pages isn't made before somebody reads.
  expect(seen).toBeGreaterThan(0);
  expect(seen).toBeLessThan(18);
  let text = '';
  for await (const part of answer) {
    text += String(part);
    if (text.includes('{"line":"page"')) break;
  }
  answer.destroy();
  const begun = text.slice(0, text.lastIndexOf('{"line":"page"'));
  const after = /"after":"([^"]+)"/u.exec(text.slice(begun.length))?.[1];
  const rest = await (await stream(t.admin, { after })).text();
  const lines = linesOf(withoutPages(begun + rest));
  expect(lines.at(-1)).toMatchObject({ line: 'manifest', counts: { record: 300, scope: 1 } });
  expect(contentOf(withoutPages(begun + rest))).toEqual(contentOf(await exported(t.admin)));
});
