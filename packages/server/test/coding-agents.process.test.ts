/** Memory of coding agents by their hooks: real processes, a store of the machine, and a server. */
import { createServer as listen } from 'node:http';
import type { AddressInfo } from 'node:net';
import {
  chmodSync,
  existsSync,
  mkdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { eventually } from '@agentkeep/testkit/eventually';
import { Machine } from './coding-agents-fixture.js';
import { AGENT, prompt, servedFor, stop } from './coding-agents-server.js';

const hookTimer = new URL('../../../scripts/agents/hook-timer.mjs', import.meta.url).href;

test('CMD-42, CMD-43 a fact of one session is recalled in the next one, and in no other project', async () => {
  await using machine = new Machine();
  const [shop, blog] = [machine.project('shop'), machine.project('blog')];
  await machine.hook(prompt(shop, 's1', 't1', 'The canary bird is called Zanzibar.'));
  await machine.hook(stop(shop, 's1', 't1', 'The canary bird sings in the morning.'));
  await eventually(() => expect(machine.waiting()).toEqual([]));

  const recalled = await machine.hook(prompt(shop, 's2', 't1', 'What is the canary bird called?'));
  expect(recalled).toMatch(/, user, [0-9a-f-]{36}: The canary bird is called Zanzibar\./);
  expect(recalled).toMatch(/, model, [0-9a-f-]{36}: The canary bird sings in the morning\./);
  expect(Buffer.byteLength(recalled)).toBeLessThanOrEqual(4_000);

  // What this session was shown or said is not shown again.
  expect(await machine.hook(prompt(shop, 's2', 't2', 'And what does the canary bird do?'))).toBe(
    '',
  );
  expect(
    await machine.hook(prompt(shop, 's1', 't2', 'What is the canary bird called?')),
  ).not.toMatch(/Zanzibar|morning/);
  expect(await machine.hook(prompt(blog, 's3', 't1', 'What is the canary bird called?'))).toBe('');
  expect(await machine.hook(prompt(machine.home, 's4', 't1', 'Which canary bird?'))).toBe('');

  const { out } = await machine.run(['memory', 'today', '--here'], { cwd: shop });
  expect(out).toMatch(/recalled +keep\.example\/acme\/shop +claude-code/);
  const line = { session_id: 's2', cwd: shop };
  const status = await machine.run(['hook', 'status-line'], { input: JSON.stringify(line) });
  expect(status.out).toMatch(/^memory: 2 stored, 2 recalled/);
});

test('CMD-44 secrets and private parts are in no file, and only the user may open the socket', async () => {
  await using machine = new Machine();
  const shop = machine.project('shop');
  const secret = `ghp_${'a1b2c3d4e5'.repeat(4)}`;
  const text = `The token is ${secret} here. <private>Ann is ill</private> Deploy on Fridays.`;
  await machine.hook(prompt(shop, 's1', 't1', text));
  await machine.hook(stop(shop, 's1', 't1', `I use ${secret}.`));
  await eventually(() => expect(machine.waiting()).toEqual([]));
  expect(machine.filesWith(secret)).toEqual([]);
  expect(machine.filesWith('Ann is ill')).toEqual([]);
  expect(machine.filesWith('Deploy on Fridays').length).toBeGreaterThan(0);
  expect(statSync(join(machine.agents, 'helper.sock')).mode & 0o777).toBe(0o600);
  expect(statSync(machine.agents).mode & 0o777).toBe(0o700);
});

test('CMD-46 a paused project stores and recalls nothing until it is resumed', async () => {
  await using machine = new Machine();
  const shop = machine.project('shop');
  await machine.run(['memory', 'pause'], { cwd: shop });
  await machine.hook(prompt(shop, 's1', 't1', 'The canary bird is called Zanzibar.'));
  expect(machine.filesWith('Zanzibar')).toEqual([]);
  await machine.run(['memory', 'resume'], { cwd: shop });
  await machine.hook(prompt(shop, 's1', 't2', 'The canary bird is called Zanzibar.'));
  expect(machine.filesWith('Zanzibar').length).toBeGreaterThan(0);
});

test('a broken-off answer is taken from the transcript, without what tools gave', async () => {
  await using machine = new Machine();
  const shop = machine.project('shop');
  const transcript = join(machine.home, 'transcript.jsonl');
  const lines = [
    { type: 'user', message: { content: 'Begin.' } },
    {
      type: 'assistant',
      message: { content: [{ type: 'text', text: 'The migration is half done.' }] },
    },
    {
      type: 'user',
      message: { content: [{ type: 'tool_result', content: 'a very large output' }] },
    },
    { type: 'attachment', attachment: { type: 'hook_additional_context', content: ['recalled'] } },
  ];
  writeFileSync(transcript, lines.map((line) => JSON.stringify(line)).join('\n'));
  const event = { session_id: 's1', prompt_id: 't1', cwd: shop, transcript_path: transcript };
  await machine.hook({ ...event, hook_event_name: 'PreCompact' });
  await machine.hook({ ...event, hook_event_name: 'SessionEnd' });
  const { out } = await machine.run(['memory', 'today', '--json']);
  expect(out.trim().split('\n')).toHaveLength(1);
  expect(out).toContain('The migration is half done.');
  expect(out).not.toContain('large output');
});

test('CMD-45, CMD-57 a server that is away loses nothing, and has each text once when it is back', async () => {
  await using machine = new Machine();
  const shop = machine.project('shop');
  const { served, agent, secret } = await servedFor(machine);
  const [own, shared] = AGENT.grants;
  await agent.memory.in(shared!).remember('The team deploys the heron on Fridays.');
  await served.stop();
  await machine.hook(prompt(shop, 's1', 't1', 'The heron is blue.'));
  await machine.hook(stop(shop, 's1', 't1', 'The heron is noted.'));
  expect(machine.waiting()).toHaveLength(2);
  await machine.killHelpers();
  await served.start();
  const recalled = await machine.hook(prompt(shop, 's2', 't1', 'When is the heron deployed?'));
  expect(recalled).toContain('The team deploys the heron on Fridays.');
  await eventually(() => expect(machine.waiting()).toEqual([]));
  const page = await agent.memory.in(own!).queryPage();
  expect(page.records.map(({ payload: { content, source } }) => [source, content.primary])).toEqual(
    [
      ['user', 'The heron is blue.'],
      ['model', 'The heron is noted.'],
      ['user', 'When is the heron deployed?'],
    ],
  );
  expect(page.records.map(({ payload }) => payload.metadata['title'])).toEqual([
    ...['The heron is blue.', 'The heron is blue.', 'When is the heron deployed?'],
  ]);
  // The secret is in its own file only.
  expect(machine.filesWith(secret)).toEqual([join(machine.home, 'secret')]);
  await served.stop();
  await served.keep.close();
});

test('CMD-45, DLG-20 what a blocked agent hears waits, and is stored when it is unblocked', async () => {
  await using machine = new Machine();
  const shop = machine.project('shop');
  const { served, admin, agent } = await servedFor(machine);
  const own = agent.memory.in(AGENT.grants[0]!);
  await machine.hook(prompt(shop, 's1', 't1', 'The heron is blue.'));
  await eventually(() => expect(machine.waiting()).toEqual([]));
  await admin.subjects.pause('ann');
  const recalled = await machine.hook(prompt(shop, 's2', 't1', 'What colour is the heron?'));
  expect(recalled).not.toContain('blue');
  expect(machine.waiting()).toHaveLength(1);
  await admin.subjects.resume('ann');
  expect(await machine.hook(prompt(shop, 's3', 't1', 'Is the heron blue?'))).toContain('blue');
  await eventually(() => expect(machine.waiting()).toEqual([]));
  const { records } = await own.queryPage();
  expect(records.map(({ payload }) => payload.content.primary)).toEqual([
    'The heron is blue.',
    'What colour is the heron?',
    'Is the heron blue?',
  ]);
  await served.stop();
  await served.keep.close();
});

test.each(['was killed', 'lost its socket to another one'])(
  'CMD-45 a helper that %s leaves the store of this machine to the next one',
  async (fate) => {
    await using machine = new Machine();
    const shop = machine.project('shop');
    await machine.hook(prompt(shop, 's1', 't1', 'The canary bird is called Zanzibar.'));
    await eventually(() => expect(machine.waiting()).toEqual([]));
    const [first] = machine.helpers();
    if (first === undefined) throw new Error('There is no helper.');
    if (fate === 'was killed') process.kill(first, 'SIGKILL');
    // Two that start at once do this: each one finds a socket that does not answer.
    else rmSync(join(machine.agents, 'helper.sock'));
    await machine.hook({ session_id: 's2', cwd: shop, hook_event_name: 'SessionStart' });
    await eventually(() => expect(machine.helpers()).not.toContain(first));
    await machine.hook(prompt(shop, 's3', 't1', 'The heron is green.'));
    await eventually(() => expect(machine.waiting()).toEqual([]));
    const recalled = await machine.hook(prompt(shop, 's4', 't1', 'Which canary bird? A heron?'));
    for (const name of ['Zanzibar', 'heron']) expect(recalled).toContain(name);
  },
);

test('CMD-43 a shared scope that one project has no right to is still recalled in another', async () => {
  await using machine = new Machine();
  const [shop, blog] = [machine.project('shop'), machine.project('blog')];
  const { served, agent } = await servedFor(machine);
  await agent.memory.in(AGENT.grants[1]!).remember('The team deploys the heron on Fridays.');
  expect(await machine.hook(prompt(blog, 's1', 't1', 'When is the heron deployed?'))).toBe('');
  const recalled = await machine.hook(prompt(shop, 's2', 't1', 'When is the heron deployed?'));
  expect(recalled).toContain('The team deploys the heron on Fridays.');
  await served.stop();
  await served.keep.close();
});

test('CMD-41 a server that never answers delays a prompt no longer than its bound', async () => {
  await using machine = new Machine({ AGENTKEEP_AGENTS_PROMPT_MS: '300' });
  const shop = machine.project('shop');
  const silent = listen(() => undefined);
  await new Promise<void>((resolve) => silent.listen(0, '127.0.0.1', resolve));
  const { port } = silent.address() as AddressInfo;
  const file = join(machine.home, 'secret');
  writeFileSync(file, `ak1_${'0'.repeat(32)}_${'a'.repeat(43)}`, { mode: 0o600 });
  const words = ['--server', `http://127.0.0.1:${port}`, '--secret-file', file];
  await machine.run(['install', 'claude-code', ...words]);
  expect(await machine.hook(prompt(shop, 's1', 't1', 'Is anybody there?'))).toBe('');
  expect(await machine.hook(prompt(shop, 's1', 't2', 'Is anybody there now?'))).toBe('');
  expect(machine.waiting()).toHaveLength(2);
  // Nor does it delay the list of tools, for which hosts wait before a prompt.
  const mcp = machine.start(['hook', 'mcp'], shop);
  const ask = (id: number, method: string, params = {}) =>
    mcp.stdin?.write(`${JSON.stringify({ jsonrpc: '2.0', id, method, params })}\n`);
  const clientInfo = { name: 'host', version: '1' };
  ask(1, 'initialize', { protocolVersion: '2025-06-18', capabilities: {}, clientInfo });
  ask(2, 'tools/list');
  let lines = '';
  for await (const part of mcp.stdout!) {
    lines += String(part);
    if (lines.includes('"id":2')) break;
  }
  expect(lines).toContain('"memory_recall"');
  mcp.stdin?.end();
  silent.closeAllConnections();
  silent.close();
});

test.each(['was killed', 'is stopped'])(
  'CMD-43 a helper that %s delays a prompt by no more than 300 ms of its hook',
  async (fate) => {
    await using machine = new Machine({
      AGENTKEEP_AGENTS_PROMPT_MS: '300',
      NODE_OPTIONS: `--import=${hookTimer}`,
    });
    const times = join(machine.home, 'times.jsonl');
    machine.environment['AGENTKEEP_HOOK_TIMES'] = times;
    const shop = machine.project('shop');
    const start = { session_id: 's0', cwd: shop, hook_event_name: 'SessionStart' };
    for (let turn = 0; turn < 5; turn += 1) {
      await machine.hook(start);
      await eventually(() => expect(machine.helpers()).not.toEqual([]));
      if (fate === 'was killed') await machine.killHelpers();
      else for (const pid of machine.helpers()) process.kill(pid, 'SIGSTOP');
      await machine.hook(prompt(shop, 's1', `t${turn}`, `Where is heron ${turn}?`));
    }
    const taken = readFileSync(times, 'utf8').trim().split('\n');
    const prompts = taken
      .map((line) => JSON.parse(line) as { event: string; wholeMs: number; queuedMs: number })
      .filter(({ event }) => event === 'UserPromptSubmit')
      // A busy machine lets a process wait for a processor; that is no wait of the hook.
      .map(({ wholeMs, queuedMs }) => wholeMs - queuedMs);
    expect(prompts).toHaveLength(5);
    expect(Math.min(...prompts)).toBeLessThan(300);
  },
);

test('CMD-40, CMD-41 install keeps what is there, can be repeated, and uninstall gives the bytes back', async () => {
  await using machine = new Machine();
  const settings = join(machine.home, '.claude', 'settings.json');
  const before = '{\n  // mine\n  "hooks": { "Stop": [{ "hooks": [] }] },\n}\n';
  mkdirSync(join(machine.home, '.claude'));
  writeFileSync(settings, before);
  chmodSync(settings, 0o640);

  const dry = await machine.run(['install', 'claude-code', '--dry-run']);
  expect(dry.out).toContain(`${settings}: would be changed\n`);
  expect(readFileSync(settings, 'utf8')).toBe(before);

  await machine.run(['install', 'claude-code']);
  const after = readFileSync(settings, 'utf8');
  expect(after).toContain('// mine');
  expect(after).toContain('hook claude-code');
  expect(statSync(settings).mode & 0o777).toBe(0o640);
  expect((await machine.run(['install', 'claude-code'])).out).toContain('unchanged');
  expect(readFileSync(settings, 'utf8')).toBe(after);
  expect((await machine.run(['install'])).out).toMatch(/claude-code +yes +yes/);

  await machine.run(['uninstall', 'claude-code']);
  expect(readFileSync(settings, 'utf8')).toBe(before);
  expect((await machine.run(['uninstall', 'claude-code'])).out).toBe(
    'Nothing is installed there.\n',
  );

  // For a project, the files name no path and no server, and what was made is removed whole.
  const shop = machine.project('shop');
  await machine.run(['install', 'claude-code', '--project'], { cwd: shop });
  const committed = readFileSync(join(shop, '.claude', 'settings.json'), 'utf8');
  expect(committed).toContain('"agentkeep hook claude-code"');
  expect(committed).not.toContain(machine.home);
  await machine.run(['uninstall', 'claude-code', '--project'], { cwd: shop });
  expect(existsSync(join(shop, '.claude'))).toBe(false);
});

test('CMD-40 a host whose hooks have other names is installed, and its events are understood', async () => {
  await using machine = new Machine();
  const settings = join(machine.home, '.gemini', 'settings.json');
  mkdirSync(join(machine.home, '.gemini'));
  writeFileSync(settings, '{"ui": {"theme": "x"}}');
  await machine.run(['install', 'gemini']);
  expect(readFileSync(settings, 'utf8')).toContain('hook gemini');
  await machine.run(['uninstall', 'gemini']);
  expect(readFileSync(settings, 'utf8')).toBe('{"ui": {"theme": "x"}}');
  const event = {
    session_id: 's1',
    cwd: machine.project('shop'),
    timestamp: '2026-01-01T00:00:00Z',
  };
  await machine.hook({ ...event, hook_event_name: 'BeforeAgent', prompt: 'Is it?' }, 'gemini');
  const answer = { hook_event_name: 'AfterAgent', prompt: 'Is it?', prompt_response: 'It is.' };
  await machine.hook({ ...event, ...answer }, 'gemini');
  const { out } = await machine.run(['memory', 'today']);
  expect(out).toMatch(/gemini +user +Is it\?/);
  expect(out).toMatch(/gemini +model +It is\./);
});
