/** The command, run as a user runs it. */
import { rm } from 'node:fs/promises';
import { afterEach, expect, test } from 'vitest';
import { runCommand } from '../src/command.js';
import { overHttp, temporaryDirectory } from './keep-fixtures.js';

const directories: string[] = [];
afterEach(async () => {
  for (const directory of directories.splice(0)) await rm(directory, { recursive: true });
});

async function run(args: string[], env: Record<string, string> = {}) {
  let out = '';
  let err = '';
  const code = await runCommand(args, {
    out: { write: (text) => (out += text) },
    err: { write: (text) => (err += text) },
    env,
  });
  return { code, out, err };
}

test('runs on the sample without a file, and reports success', async () => {
  const { code, out, err } = await run([]);
  expect(err).toBe('');
  expect(out).toContain('the sample that ships with the example');
  expect(out).toContain('24 turns stored, 34 new records and 0 replays');
  expect(out).toContain('0 turns stored, 0 new records and 34 replays');
  expect(out.trimEnd().split('\n').at(-1)).toBe('Nothing doubled, nothing given away.');
  expect(code).toBe(0);
});

test('names a missing file and uses the sample instead', async () => {
  const { code, out } = await run(['nowhere.jsonl']);
  expect(out).toContain('There is no file nowhere.jsonl.');
  expect(code).toBe(0);
});

test('stores nothing on a second run in the same directory', async () => {
  const dataDir = await temporaryDirectory();
  directories.push(dataDir);
  const first = await run(['--data-dir', dataDir]);
  const [, secret = ''] = /shown only now: (\S+)/.exec(first.out) ?? [];
  const second = await run(['--data-dir', dataDir], { AGENTKEEP_ADMIN_SECRET: secret });
  expect(second.out).toMatch(/First pass +0 turns stored, 0 new records and 34 replays/);
  expect(second.out).not.toContain('shown only now');
  expect(second.code).toBe(0);

  const third = await run(['--data-dir', dataDir]);
  expect(third).toMatchObject({ code: 1, out: expect.not.stringContaining('pass') });
  expect(third.err).toContain('already has the tenant "dialogues"');
});

test('does the same against a server, and asks the given question', async () => {
  await using server = await overHttp();
  const { url, secret } = server;
  const { code, out } = await run(['--url', url, '--admin-secret', secret, '--ask', 'beans']);
  expect(out).toContain('24 turns stored, 34 new records and 0 replays');
  expect(out).toContain('the reader asks for "beans" in all conversations: 3 turns');
  expect(code).toBe(0);
});

test('requires a secret for a server, and refuses unknown options', async () => {
  expect(await run(['--url', 'http://localhost'])).toMatchObject({
    code: 1,
    err: '--url needs --admin-secret.\n',
  });
  const unknown = await run(['--nonsense']);
  expect(unknown.code).toBe(1);
  expect(unknown.err).toContain('--nonsense');
  expect((await run(['--help'])).out).toContain('Usage:');
});
