/** The model command of a person: bounded, ended, and never run by a shell. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { execPath } from 'node:process';
import { expect, test } from 'vitest';
import { askModel } from './model-command.js';

/** Makes a command of a program's text. */
function commandOf(source: string) {
  const folder = mkdtempSync(join(tmpdir(), 'agentkeep-model-'));
  const file = join(folder, 'model.mjs');
  writeFileSync(file, source);
  const remove = () => rmSync(folder, { recursive: true });
  return { command: `${execPath} ${file}`, [Symbol.dispose]: remove };
}

const bounds = { timeoutMs: 60_000, bytesMax: 1_000 };

test('CMD-48 a text goes in, what the command prints comes out, and no shell sees it', async () => {
  using echo = commandOf(
    'console.log(process.argv.slice(2).join("|")); process.stdin.pipe(process.stdout);',
  );
  const answer = await askModel(`${echo.command} $(id) ;  >x`, 'a `id` $HOME', bounds);
  expect(answer).toBe('$(id)|;|>x\na `id` $HOME');
});

test('CMD-48 a command that reads nothing still answers', async () => {
  using deaf = commandOf('console.log("Yes.");');
  expect(await askModel(deaf.command, 'x'.repeat(1_000_000), bounds)).toBe('Yes.\n');
});

test.each([
  ['prints too much', 'for (;;) process.stdout.write("x".repeat(10_000));', 'more than 1000 bytes'],
  ['fails', 'process.exit(3);', 'ended with 3'],
])('CMD-48 a command that %s is an error', async (_what, source, message) => {
  using command = commandOf(source);
  await expect(askModel(command.command, 'x', bounds)).rejects.toThrow(message);
});

test('CMD-48 a command that hangs is ended', async () => {
  using hanging = commandOf('setInterval(() => undefined, 1_000);');
  const asked = askModel(hanging.command, 'x', { ...bounds, timeoutMs: 50 });
  await expect(asked).rejects.toThrow('took longer than 50 ms');
});

test('CMD-48 a program that is not there is an error', async () => {
  await expect(askModel('/nowhere/model', 'x', bounds)).rejects.toThrow('could not be started');
});
