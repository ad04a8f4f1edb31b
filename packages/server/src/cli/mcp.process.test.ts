/** `agentkeep serve --mcp true` and `agentkeep mcp` as processes. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { connect } from '@agentkeep/client';
import { endOf, type Ended, runCommand } from '@agentkeep/testkit/agentkeep-process';
import { bootstrapTenant, ServerProcess } from '@agentkeep/testkit/server-process';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

const cli = fileURLToPath(new URL('../../dist/cli.js', import.meta.url));

const initialize = {
  jsonrpc: '2.0',
  id: 1,
  method: 'initialize',
  params: {
    protocolVersion: '2025-11-25',
    capabilities: {},
    clientInfo: { name: 'test', version: '0' },
  },
};
const whoami = {
  jsonrpc: '2.0',
  id: 2,
  method: 'tools/call',
  params: { name: 'whoami', arguments: {} },
};

let dataDir: string;
let secret: string;
let server: ServerProcess;
let url: string;

beforeAll(async () => {
  dataDir = mkdtempSync(join(tmpdir(), 'agentkeep-mcp-'));
  secret = bootstrapTenant(dataDir, 'acme');
  server = new ServerProcess(dataDir, { words: ['--mcp', 'true'] });
  url = await server.listens();
});

afterAll(async () => {
  await server.stop();
  rmSync(dataDir, { recursive: true, force: true });
});

/** Starts `agentkeep mcp`. */
function start(
  words: readonly string[],
  variables: Readonly<Record<string, string>>,
): ChildProcess {
  const env = { PATH: process.env['PATH'] ?? '', ...variables };
  return spawn(process.execPath, [cli, 'mcp', ...words], { env, stdio: 'pipe' });
}

/** Sends messages, and closes the input once each is answered. */
async function talk(child: ChildProcess, messages: readonly object[]): Promise<Ended> {
  const ended = endOf(child);
  for (const message of messages) {
    child.stdin!.write(`${JSON.stringify(message)}\n`);
    await once(child.stdout!, 'data');
  }
  child.stdin!.end();
  return ended;
}

describe('agentkeep mcp', () => {
  test('MCP-17, OPR-96 writes nothing but messages to standard output, and ends with its input', async () => {
    const file = join(dataDir, 'secret');
    writeFileSync(file, `${secret}\n`, { mode: 0o600 });
    const child = start(['--url', url, '--secret-file', file], {});
    const { status, out, error } = await talk(child, [initialize, whoami]);
    expect({ status, error }).toEqual({ status: 0, error: '' });
    const answers = out
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line) as { id: number });
    expect(answers.map(({ id }) => id)).toEqual([1, 2]);
    expect(answers[1]).toMatchObject({
      result: { structuredContent: { credential: { tenant_id: 'acme' } } },
    });
  });

  test('OPR-106 makes and keeps a key, and calls with it once it has a credential', async () => {
    const file = join(dataDir, 'robot.key');
    const words = ['--url', url, '--key-file', file];
    const first = await runCommand(['mcp', ...words], {});
    expect(first).toMatchObject({ status: 1, out: '' });
    expect(statSync(file).mode & 0o777).toBe(0o600);
    const key = /--public-key '(.+)'/.exec(first.error)?.[1] ?? '';
    expect(key).not.toContain('"d"');
    const admin = connect({ url, secret });
    const { credential } = await admin.credentials.issueForKey(
      { subject_id: 'robot', capabilities: ['memory_read'], grants: [] },
      JSON.parse(key) as Parameters<typeof admin.credentials.issueForKey>[1],
    );
    const told = await talk(start([...words, '--credential', credential.id], {}), [
      initialize,
      whoami,
    ]);
    expect(told.out).toContain(credential.id);
    const again = await talk(start(words, {}), [initialize, whoami]);
    expect(again).toMatchObject({ status: 0, error: '' });
    expect(again.out).toContain('robot');
    expect(readFileSync(file, 'utf8')).toContain(`akk1_${credential.id.replaceAll('-', '')}`);
  });

  test('OPR-99 takes address, secret and scope of the default profile', async () => {
    const home = join(dataDir, 'home');
    const folder = join(home, '.config/agentkeep');
    mkdirSync(folder, { recursive: true });
    const admin = connect({ url, secret });
    const scope = { project_id: 'desk', agent_id: 'helper', visibility: 'shared' } as const;
    const issued = await admin.credentials.issue({
      subject_id: 'ann',
      capabilities: ['memory_read', 'memory_write'],
      grants: [scope, { ...scope, agent_id: 'other' }],
    });
    const [ofAgent, ofPerson] = [join(folder, 'ann.secret'), join(folder, 'password')];
    writeFileSync(ofAgent, issued.secret, { mode: 0o600 });
    writeFileSync(ofPerson, 'secret', { mode: 0o600 });
    const profiles = {
      desk: { url, secret_file: ofAgent, scope },
      person: { url, username: 'ann', password_file: ofPerson },
    };
    writeFileSync(join(folder, 'profiles.json'), JSON.stringify({ default: 'desk', profiles }), {
      mode: 0o600,
    });
    const remember = {
      ...whoami,
      params: { name: 'memory_remember', arguments: { text: 'Ann likes tea.' } },
    };
    const { status, out, error } = await talk(start([], { HOME: home }), [initialize, remember]);
    expect({ status, error }).toEqual({ status: 0, error: '' });
    const [, answer = ''] = out.trimEnd().split('\n');
    expect(JSON.parse(answer)).not.toHaveProperty('result.isError');
    const memory = connect({ url, secret: issued.secret }).memory.in(scope);
    for await (const { payload } of memory.query()) {
      expect(payload.content.primary).toBe('Ann likes tea.');
    }
    expect(await memory.count()).toMatchObject({ matches: 1 });
    const chosen = await runCommand(['mcp'], { HOME: home, AGENTKEEP_PROFILE: 'person' });
    expect(chosen).toMatchObject({ status: 1, out: '' });
    expect(chosen.error).toContain('In the profile person a person signs in with a password.');
  });

  test('answers calls with an error when the secret is wrong', async () => {
    const child = start(['--url', url], { AGENTKEEP_SECRET: 'ak1_wrong' });
    const { out } = await talk(child, [initialize, whoami]);
    expect(out).toContain('unauthorized: ');
  });

  test.each([
    ['without a secret', [], { HOME: join(tmpdir(), 'agentkeep-no-home') }],
    // OPR-99
    ['with two secrets', ['--secret-file', '/x'], { AGENTKEEP_SECRET: 'ak1_x' }],
    ['with a key and a secret', ['--key-file', '/x', '--secret-file', '/y'], {}],
    ['with a credential without a key', ['--credential', 'x'], { AGENTKEEP_SECRET: 'ak1_x' }],
    ['with a part of a scope', ['--project-id', 'p'], { AGENTKEEP_SECRET: 'ak1_x' }],
    [
      'with an unknown visibility',
      ['--project-id', 'p', '--agent-id', 'a', '--visibility', 'x'],
      {},
    ],
    ['with a graph that is nowhere', ['--profile', 'graph'], { AGENTKEEP_SECRET: 'ak1_x' }],
  ])('is refused %s', async (_what, words, variables: Readonly<Record<string, string>>) => {
    const { status, out, error } = await runCommand(['mcp', ...words], variables);
    expect({ status, out }).toEqual({ status: 1, out: '' });
    expect(error).toContain('Usage: agentkeep mcp');
  });
});

test('OPR-97 agentkeep serve has MCP at /mcp', async () => {
  const headers = {
    'Content-Type': 'application/json',
    Accept: 'application/json, text/event-stream',
    Authorization: `Bearer ${secret}`,
  };
  const body = JSON.stringify(whoami);
  const answer = await fetch(`${url}/mcp`, { method: 'POST', headers, body });
  expect(answer.status).toBe(200);
  expect(await answer.text()).toContain('acme');
});
