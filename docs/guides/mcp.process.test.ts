/** The configurations of clients in `mcp.md`: each has the form of its client, and connects. */
import { chmodSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { connectClient, type ServerTarget } from '../../packages/mcp/test/clients.js';
import { served, type Served } from '../../packages/mcp/test/served.js';
import { blocksOf } from '../../scripts/docs/page-blocks.js';

const page = readFileSync(join(import.meta.dirname, 'mcp.md'), 'utf8');
const cli = fileURLToPath(new URL('../../packages/server/dist/cli.js', import.meta.url));

const PACKAGES = ['-y', '-p', '@agentkeep/server', '-p', '@agentkeep/mcp', 'agentkeep', 'mcp'];
const URL_SHOWN = 'http://127.0.0.1:7474';
const FILE_SHOWN = '/etc/agentkeep/ann-secret';

interface Entry {
  readonly type?: string;
  readonly url?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly command?: string;
  readonly args?: readonly string[];
}

interface Configuration {
  readonly mcpServers?: Readonly<Record<string, Entry>>;
  readonly servers?: Readonly<Record<string, Entry>>;
  readonly inputs?: readonly { readonly id: string; readonly [member: string]: unknown }[];
}

/** The configurations, by the heading above each. */
const configurations = new Map(
  page.split(/^#{2,3} /mu).flatMap((section) =>
    blocksOf(section)
      .filter(({ info }) => info === 'json')
      .map(({ text }) => [section.split('\n', 1)[0], JSON.parse(text) as Configuration] as const),
  ),
);

const reference = 'Replace the reference memory server';

/** The member with the servers, and how an entry writes the secret. */
const forms = {
  'Claude Code': ['mcpServers', '${AGENTKEEP_SECRET}'],
  Cursor: ['mcpServers', '${env:AGENTKEEP_SECRET}'],
  'VS Code': ['servers', '${input:agentkeep-secret}'],
} as const;

const programs = ['Claude Desktop', reference];

function entryOf(client: string, member: 'mcpServers' | 'servers' = 'mcpServers'): Entry {
  const [entry] = Object.values(configurations.get(client)?.[member] ?? {});
  if (entry === undefined) throw new Error(`The page has no server for ${client}.`);
  return entry;
}

let folder: string;
let server: Served;
let secret: string;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'agentkeep-clients-'));
  server = await served();
  const notes = { project_id: 'demo', agent_id: 'assistant', visibility: 'private' } as const;
  secret = await server.fixture.issue('ann', [notes]);
});

afterAll(async () => {
  await server[Symbol.asyncDispose]();
  rmSync(folder, { recursive: true });
});

async function toolsAt(target: ServerTarget): Promise<string[]> {
  await using client = await connectClient('SDK v1', target);
  return (await client.tools()).map(({ name }) => name);
}

test('the page has a configuration for each client', () => {
  expect([...configurations.keys()].sort()).toEqual([...Object.keys(forms), ...programs].sort());
});

describe.each(Object.entries(forms))('%s', (client, [member, placeholder]) => {
  test('connects to the address with the secret as Bearer token', async () => {
    const others = client === 'VS Code' ? ['inputs'] : [];
    expect(Object.keys(configurations.get(client) ?? {}).sort()).toEqual([...others, member]);
    const { type, url = '', headers } = entryOf(client, member);
    expect(type).toBe(client === 'Cursor' ? undefined : 'http');
    expect(headers).toEqual({ Authorization: `Bearer ${placeholder}` });
    const reached = url.replace(URL_SHOWN, server.url);
    expect(await toolsAt({ url: reached, secret })).toContain('memory_recall');
  });
});

test('VS Code asks for the secret that it sends, as for a password', () => {
  expect(configurations.get('VS Code')?.inputs).toEqual([
    {
      type: 'promptString',
      id: 'agentkeep-secret',
      description: expect.any(String) as string,
      password: true,
    },
  ]);
});

test.each(programs)('%s: the program of our packages starts and has tools', async (client) => {
  const { command, args = [] } = entryOf(client);
  expect([command, ...args.slice(0, PACKAGES.length)]).toEqual(['npx', ...PACKAGES]);
  const file = join(folder, 'secret');
  writeFileSync(file, secret);
  chmodSync(file, 0o600);
  const words = args
    .slice(PACKAGES.length - 1)
    .map((word) => word.replace(URL_SHOWN, server.url).replace(FILE_SHOWN, file));
  const target = words.includes('--url') ? words : [...words, '--url', server.url];
  const env = { PATH: process.env['PATH'] ?? '' };
  const tools = await toolsAt({ command: [process.execPath, cli, ...target], env });
  expect(tools).toContain(client === reference ? 'create_entities' : 'memory_recall');
});

test('the commands of the page are those of the configurations', () => {
  const commands = blocksOf(page)
    .filter(({ info }) => info === 'sh norun')
    .map(({ text }) => text.replaceAll('\\\n', ' ').trim().split(/\s+/u).join(' '));
  const { command = '', args = [] } = entryOf('Claude Desktop');
  expect(commands).toContain([command, ...args].join(' '));
  const { url = '' } = entryOf('Claude Code');
  const header = '--header "Authorization: Bearer $AGENTKEEP_SECRET"';
  expect(commands).toContain(`claude mcp add --transport http agentkeep ${url} ${header}`);
});
