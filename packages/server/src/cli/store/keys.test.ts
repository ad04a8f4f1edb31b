/** The commands that manage keys. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { runCommandLine } from '../run-command-line.js';

let directory = '';

beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'agentkeep-keys-'));
});

afterAll(async () => {
  await rm(directory, { recursive: true, force: true });
});

async function run(...words: string[]) {
  let output = '';
  const status = await runCommandLine(words, {
    environment: {
      AGENTKEEP_ENCRYPTION_KEYS: join(directory, 'keys'),
      AGENTKEEP_ENCRYPTION_ROOT_KEY: join(directory, 'root.key'),
    },
    writeOut: (text) => {
      output += text;
      return Promise.resolve();
    },
    writeError: (text) => {
      output += text;
    },
    readInput: () => (async function* () {})(),
  });
  return { status, output };
}

test('OPR-113 keys are made once, counted, and not destroyed where there are none', async () => {
  expect((await run('keys', 'init')).output).toContain('Made the keys');
  expect((await run('keys', 'init')).output).toContain('already');
  const status = await run('keys', 'status', '--json');
  expect(JSON.parse(status.output)).toMatchObject({ tenants: 0, destroyed_keys: 0 });
  const none = await run('keys', 'destroy', 'acme', '--subject', 'ann');
  expect(none.output).toContain('There is no such key');
  expect((await run('keys', 'destroy', 'acme')).output).toContain('--subject');
});
