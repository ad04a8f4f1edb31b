/** Every example runs to its end. */
import { execFile } from 'node:child_process';
import { existsSync, readdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';

const folder = fileURLToPath(new URL('./', import.meta.url));
const mainOf = (example: string) => `${folder}${example}/src/main.ts`;
const examples = readdirSync(folder).filter((name) => existsSync(mainOf(name)));

const run = promisify(execFile);

test('there are examples', () => {
  expect(examples.length).toBeGreaterThan(8);
});

test.each(examples)('%s', async (example) => {
  const words = ['--import', 'tsx', '--conditions=agentkeep-source', mainOf(example)];
  const { stdout } = await run(process.execPath, words, { cwd: folder });
  expect(stdout.trim()).not.toBe('');
});
