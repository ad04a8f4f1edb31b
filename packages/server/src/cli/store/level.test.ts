/** The commands of the feature level (docs/contract/operator.md#levels). */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openKeep } from '@agentkeep/core';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { runCommand } from '../../../test/command-line/run-command.js';
import { levelSentence } from './level.js';

let dataDir: string;

beforeEach(() => {
  dataDir = mkdtempSync(join(tmpdir(), 'agentkeep-level-'));
});

afterEach(() => {
  rmSync(dataDir, { recursive: true });
});

const run = (...words: string[]) => runCommand([...words, '--data-dir', dataDir]);

test('OPR-159, OPR-161 level show shows the level of a store that is there', async () => {
  expect(await run('level', 'show')).toMatchObject({ status: 1, out: '' });
  await (await openKeep({ dataDir })).close();
  const { out } = await run('level', 'show', '--json');
  expect(JSON.parse(out)).toEqual({
    contract_version: 1,
    level: 1,
    holds: 'all that the first release stores',
    newest_level: 1,
    raised_at_millis: null,
    servers: [],
  });
  expect((await run('level', 'show')).out).toBe(
    'The store has feature level 1, and this version supports up to 1.\n',
  );
});

test('OPR-160 level raise says that there is nothing to raise, and waits for no server', async () => {
  expect((await run('level', 'raise')).out).toBe('The level was already 1.\n');
  const { out } = await run('level', 'raise', '--json');
  expect(JSON.parse(out)).toEqual({ contract_version: 1, level: 1, is_raised: false });
  await using keep = await openKeep({ dataDir });
  expect(keep.isClosing).toBe(false);
  expect(await run('level', 'raise')).toMatchObject({ status: 1, out: '' });
});

test('a level that is due says when it is raised', () => {
  const found = { level: 1, holds: '', newest_level: 2, raised_at_millis: 0, servers: [] };
  expect(levelSentence(found)).toBe(
    'The store has feature level 1, and this version supports up to 2. ' +
      'It is raised at 1970-01-01T00:00:00.000Z.',
  );
});
