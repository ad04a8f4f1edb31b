/** The commands and the configuration of `serve-behind-a-proxy.md`, with real processes. */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { findNginx } from '../../packages/testkit/src/nginx/find-nginx.js';
import { Nginx, type NginxSettings } from '../../packages/testkit/src/nginx/nginx.js';
import {
  bootstrapTenant,
  ServerProcess,
} from '../../packages/testkit/src/process/server-process.js';
import { blocksOf } from '../../scripts/docs/page-blocks.js';
import { ProxyClient } from './proxy-client.js';

const HOST = 'keep.example.com';
const SPOOFED = { 'X-Forwarded-For': '192.0.2.1', 'X-Real-IP': '192.0.2.1' };
const scope = { project_id: 'p', agent_id: 'a', visibility: 'private' };
const blocks = blocksOf(readFileSync(join(import.meta.dirname, 'serve-behind-a-proxy.md'), 'utf8'));

function block(info: string): string {
  const found = blocks.find((candidate) => candidate.info === info);
  if (found === undefined) throw new Error(`The page has no block ${info}.`);
  return found.text;
}

interface Page {
  readonly changes: readonly unknown[];
  readonly next_after: string;
}

function pageOf(text: string): Page {
  return (JSON.parse(text) as { page: Page }).page;
}

/** The words of the command but for the ports, which are free ones. */
function serveWords(): string[] {
  const words = block('sh norun').replaceAll('\\\n', ' ').trim().split(/\s+/u).slice(2);
  const port = words.indexOf('--port');
  words.splice(port, 2);
  return words.map((word) => (word === '9464' ? '0' : word));
}

/** The configuration with the files and ports of this test. */
function settings(url: string): (place: NginxSettings) => string {
  const replaced = (text: string, old: string, by: string): string => {
    if (!text.includes(old)) throw new Error(`The configuration has no ${old}.`);
    return text.replace(old, by);
  };
  return ({ port, certificate, key }) => {
    let text = replaced(block('nginx'), '127.0.0.1:7474', new URL(url).host);
    text = replaced(text, 'listen 443', `listen 127.0.0.1:${port}`);
    text = replaced(text, `/etc/ssl/${HOST}.pem`, certificate);
    return replaced(text, `/etc/ssl/${HOST}.key`, key);
  };
}

// The setup of the project fails in CI, and says elsewhere that nothing ran.
describe.skipIf(findNginx() === undefined)('a server behind nginx', () => {
  let dataDir: string;
  let admin: string;
  let ann: string;
  let server: ServerProcess;
  let nginx: Nginx;
  let client: ProxyClient;
  let neighbour: ProxyClient;

  beforeAll(async () => {
    dataDir = mkdtempSync(join(tmpdir(), 'agentkeep-proxy-'));
    admin = bootstrapTenant(dataDir, 'acme');
    server = new ServerProcess(dataDir, { words: serveWords() });
    nginx = await Nginx.start(HOST, settings(await server.listens()));
    const { port, certificate } = nginx;
    client = new ProxyClient({ host: HOST, port, certificate }, '127.0.0.2');
    neighbour = new ProxyClient({ host: HOST, port, certificate }, '127.0.0.3');
    const spec = { subject_id: 'ann', capabilities: ['memory_read', 'memory_write'] };
    const body = { contract_version: 1, spec: { ...spec, grants: [scope] } };
    const issued = await client.send('/api/v1/credentials', {
      secret: admin,
      headers: SPOOFED,
      body,
    });
    expect(issued.status).toBe(201);
    ann = (JSON.parse(issued.text) as { secret: string }).secret;
  });

  afterAll(async () => {
    client.close();
    neighbour.close();
    await nginx[Symbol.asyncDispose]();
    await server.stop();
    rmSync(dataDir, { recursive: true, force: true });
  });

  function create(key: string): Promise<{ status: number }> {
    const record = { episode_type: 'Observation', content: { primary: key }, event_time_millis: 0 };
    const operation = { type: 'create', record };
    const body = { contract_version: 1, idempotency_key: key, scope, operation };
    return client.send('/api/v1/memory/commands', { secret: ann, body });
  }

  test('the audit log has the address of the client, not the one that it claims', async () => {
    const query = '/api/v1/audit?event_type=configuration_changed';
    const { text } = await client.send(query, { secret: admin });
    const { events } = JSON.parse(text) as { events: { ip_address: string | null }[] };
    expect(events.map(({ ip_address }) => ip_address)).toEqual(['127.0.0.2', null]);
  });

  test('clients are counted by their own addresses', async () => {
    const logIn = (from: ProxyClient, claimed: number): Promise<{ status: number }> => {
      const headers = { 'X-Forwarded-For': `192.0.2.${String(claimed)}` };
      return from.send('/api/v1/auth/login', { headers, body: {} });
    };
    const answers = await Promise.all(Array.from({ length: 150 }, (_, at) => logIn(client, at)));
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([400, 429]));
    expect((await logIn(neighbour, 1)).status).toBe(400);
  });

  test('a stream and a call that waits show a change at once', async () => {
    const feed = '/api/v1/memory/changes?contract_version=1&after=latest';
    const headers = { Accept: 'text/event-stream' };
    const stream = await client.open(feed, { secret: ann, headers });
    const pieces = stream[Symbol.asyncIterator]() as AsyncIterator<string>;
    expect((await pieces.next()).value).toMatch(/^:/u);
    const { text } = await client.send(feed, { secret: ann });
    const { next_after } = pageOf(text);
    const wait = feed.replace('latest', next_after);
    const waiting = client.send(`${wait}&wait_millis=30000`, { secret: ann });
    expect((await create('k1')).status).toBe(200);
    expect((await pieces.next()).value).toContain('event: change');
    expect(pageOf((await waiting).text).changes).toHaveLength(1);
    stream.destroy();
  });

  test('the server itself refuses what is too large, and the proxy buffers in memory', async () => {
    const large = 'x'.repeat(1_500_000);
    const refused = await client.send('/api/v1/memory/batches', { secret: ann, body: large });
    expect(refused.status).toBe(413);
    expect(refused.headers['content-type']).toBe('application/json');
    expect(refused.text).toContain('invalid_request');
    const token = await client.send('/api/v1/identity', { secret: 'x'.repeat(8_192) });
    expect(token.status).toBe(401);
    expect(await nginx.log()).toBe('');
  });

  test('MCP is served under the name of the proxy, metrics are not', async () => {
    const headers = { Accept: 'application/json, text/event-stream' };
    const body = { jsonrpc: '2.0', id: 1, method: 'tools/list' };
    const tools = await client.send('/mcp', { secret: ann, headers, body });
    expect(tools.status).toBe(200);
    expect(tools.text).toContain('memory_put');
    expect((await client.send('/metrics')).status).toBe(404);
    const health = await client.send('/health');
    expect(health.headers['strict-transport-security']).toBe('max-age=31536000');
  });
});
