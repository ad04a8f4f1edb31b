/** A failed delivery says where the secret is. */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { GivenFlags } from '../command/given-flags.js';
import { deliver } from './deliver.js';
import { keptSecret } from './kept-secret.js';

let folder: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'agentkeep-deliver-'));
});

afterEach(() => rmSync(folder, { recursive: true }));

const io = {
  environment: {},
  writeOut: () => Promise.reject(new Error('EPIPE')),
  writeError: () => undefined,
  readInput: async function* () {},
};
const result = { secret: 'ak1_x' };

test('a secret that was only for a closed output is lost', async () => {
  const lost = deliver(result, { io, keeper: undefined, otherwise: 'Make another one.' });
  await expect(lost).rejects.toThrow(/is not stored\. Make another one\./);
});

test('OPR-47 a secret in its file is not lost when the output is closed', async () => {
  const file = join(folder, 'kept');
  using keeper = keptSecret(new GivenFlags(new Map([['write-secret', [file]]])));
  const delivery = deliver(result, { io, keeper, otherwise: 'Make another one.' });
  await expect(delivery).rejects.toThrow(
    `The change was made and its secret is in ${file}, but its answer could not be written`,
  );
  expect(readFileSync(file, 'utf8')).toBe('ak1_x\n');
});
