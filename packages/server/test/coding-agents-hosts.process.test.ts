/** What `agentkeep install` writes for each coding agent, and that all of it can be taken out. */
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { expect, test } from 'vitest';
import { eventually } from '@agentkeep/testkit/eventually';
import { Machine } from './coding-agents-fixture.js';

/** The files of each host for a user, with what a person has in them. */
const hosts: readonly (readonly [string, Readonly<Record<string, string>>])[] = [
  [
    'codex',
    {
      '.codex/hooks.json': '{"hooks": {"Stop": []}}',
      '.codex/config.toml': '# mine\nmodel = "m" # best\n\n[mcp_servers.other]\ncommand = "x"',
    },
  ],
  ['opencode', { '.config/opencode/opencode.jsonc': '{ // mine\n  "model": "a/b",\n}\n' }],
  [
    'cursor',
    {
      '.cursor/hooks.json': '{"version": 1, "hooks": {"stop": [{"command": "mine"}]}}\n',
      '.cursor/mcp.json': '{"mcpServers": {"other": {"command": "x"}}}',
    },
  ],
  ['vscode', { '.config/Code/User/mcp.json': '{\n\t// mine\n\t"servers": {},\n}' }],
];

function withServer(machine: Machine): readonly string[] {
  const file = join(machine.home, 'secret');
  writeFileSync(file, `ak1_${'0'.repeat(32)}_${'a'.repeat(43)}`, { mode: 0o600 });
  return ['--server', 'http://127.0.0.1:9', '--secret-file', file];
}

test.skipIf(process.platform !== 'linux').each(hosts)(
  'CMD-40 %s keeps what is there, and gets the bytes back',
  async (host, files) => {
    await using machine = new Machine();
    const paths = Object.keys(files).map((name) => join(machine.home, name));
    for (const [name, text] of Object.entries(files)) {
      mkdirSync(dirname(join(machine.home, name)), { recursive: true });
      writeFileSync(join(machine.home, name), text);
    }
    const texts = () => paths.map((path) => readFileSync(path, 'utf8'));
    const before = texts();
    const server = withServer(machine);
    const dry = await machine.run(['install', host, '--dry-run', ...server]);
    expect(dry.out).toContain('would be changed');
    expect(texts()).toEqual(before);

    const { status, error } = await machine.run(['install', host, ...server]);
    expect([status, error]).toEqual([0, '']);
    const after = texts();
    for (const text of after) expect(text).toMatch(/"hook",? ?|hook /);
    for (const [index, text] of before.entries()) {
      expect(after[index]).toContain(text.slice(0, text.indexOf('mine') + 4));
    }
    expect(machine.filesWith('ak1_')).toEqual([join(machine.home, 'secret')]);
    await machine.run(['install', host, ...server]);
    expect(texts()).toEqual(after);
    expect((await machine.run(['install'])).out).toMatch(new RegExp(`${host} +yes +yes`));
    await machine.run(['uninstall', host]);
    expect(texts()).toEqual(before);
    expect(machine.filesWith(`hook ${host}`)).toEqual([]);
  },
);

/** Makes the package of MCP one that is not installed. */
function withoutMcp(machine: Machine): string {
  const hooks = join(machine.home, 'without-mcp.mjs');
  writeFileSync(
    hooks,
    `export const resolve = (name, context, next) => {
      if (!name.startsWith('@agentkeep/mcp')) return next(name, context);
      throw Object.assign(new Error('It is not there.'), { code: 'ERR_MODULE_NOT_FOUND' });
    };`,
  );
  const file = join(machine.home, 'register.mjs');
  const path = JSON.stringify(pathToFileURL(hooks).href);
  writeFileSync(file, `import { register } from 'node:module';\nregister(${path});\n`);
  return `--import=${pathToFileURL(file).href}`;
}

test('CMD-41 without the package of MCP, install and the host are told what to install', async () => {
  await using machine = new Machine();
  const server = withServer(machine);
  const all = await machine.run(['install', 'cursor', ...server]);
  expect(all.out).not.toContain('npm install');
  machine.environment['NODE_OPTIONS'] = withoutMcp(machine);
  const { status, out } = await machine.run(['install', 'cursor', ...server]);
  expect([status, out]).toEqual([0, expect.stringContaining('npm install @agentkeep/mcp')]);
  const local = await machine.run(['install', 'claude-code', '--local']);
  expect(local.out).not.toContain('npm install');
  await machine.run(['install', 'cursor', ...server]);
  const tools = await machine.run(['hook', 'mcp']);
  expect([tools.status, tools.out]).toEqual([1, '']);
  expect(tools.error).toMatch(/^agentkeep: .*npm install @agentkeep\/mcp\n$/u);
});

test('CMD-40 files of a project name no path and no server, and are removed whole', async () => {
  await using machine = new Machine();
  const shop = machine.project('shop');
  const server = withServer(machine);
  const made = ['.codex', '.opencode', 'opencode.json', '.cursor', '.github', '.vscode'];
  for (const [host] of hosts) {
    await machine.run(['install', host, '--project', ...server], { cwd: shop });
  }
  expect(made.filter((name) => existsSync(join(shop, name)))).toEqual(made);
  const inProject = (bytes: string) =>
    machine.filesWith(bytes).filter((path) => path.startsWith(shop));
  expect(inProject(machine.home)).toEqual([]);
  expect(inProject('127.0.0.1')).toEqual([]);
  expect(inProject('agentkeep').length).toBeGreaterThan(made.length);
  for (const [host] of hosts) await machine.run(['uninstall', host, '--project'], { cwd: shop });
  expect(made.filter((name) => existsSync(join(shop, name)))).toEqual([]);
});

test.each([
  '[mcp_servers.agentkeep]\ncommand = "mine"\n',
  '[mcp_servers."agentkeep"]\ncommand = "mine"\n',
  '[mcp_servers.agentkeep.env]\nA = "b"\n',
  'mcp_servers = { other = { command = "mine" } }\n',
  'mcp_servers.agentkeep.command = "mine"\n',
  '[mcp_servers]\nagentkeep = { command = "mine" }\n',
])('CMD-40 a TOML file that would have a table twice is left alone: %j', async (text) => {
  await using machine = new Machine();
  const path = join(machine.home, '.codex', 'config.toml');
  mkdirSync(dirname(path));
  writeFileSync(path, text);
  const { status, error } = await machine.run(['install', 'codex', ...withServer(machine)]);
  expect(status).not.toBe(0);
  expect(error).toContain('config.toml has an entry of that name.');
  expect(readFileSync(path, 'utf8')).toBe(text);
  expect(existsSync(join(machine.home, '.codex', 'hooks.json'))).toBe(false);
});

test('a store of this machine has no entry of MCP, since one process opens it', async () => {
  await using machine = new Machine();
  for (const [host] of hosts) await machine.run(['install', host]);
  expect(machine.filesWith('"mcp"').filter((path) => !path.startsWith(machine.agents))).toEqual([]);
  const { status, error } = await machine.run(['hook', 'mcp']);
  expect(status).not.toBe(0);
  expect(error).toContain('MCP needs a server: run `agentkeep install` with --server.');
});

test.each(['cursor', 'vscode'])(
  'CMD-43 %s is given no text, and its prompt is stored',
  async (host) => {
    await using machine = new Machine();
    const shop = machine.project('shop');
    const said = { hook_event_name: 'UserPromptSubmit', session_id: 's1', cwd: shop };
    await machine.hook({ ...said, prompt: 'The canary bird is called Zanzibar.' }, host);
    await eventually(() => expect(machine.waiting()).toEqual([]));
    const next = { ...said, session_id: 's2', prompt: 'What is the canary bird called?' };
    expect(await machine.hook(next, host)).toBe('');
    expect((await machine.run(['memory', 'today'])).out).toMatch(new RegExp(`captured .*${host}`));
  },
);
