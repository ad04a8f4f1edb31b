/** Files of keys that were cut off or changed are refused by name. */
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { sealedFamilies as families } from '../../keep/sealed-families.js';
import { newKeys } from '../../../test/key-kit.js';
import { inMemoryStore } from '../in-memory-store/in-memory-store.js';
import { openSealed } from './open-sealed.js';

/** Opens a store with keys; returns the code of what refuses them. */
async function outcomeOf(keys: Awaited<ReturnType<typeof newKeys>>): Promise<string> {
  const store = inMemoryStore();
  try {
    await (
      await openSealed(store, keys, { families, dataDir: undefined, now: () => 0 })
    ).store.close();
    return 'opened';
  } catch (error) {
    await store.close();
    return (error as { code?: string }).code ?? String(error);
  }
}

/** Returns a file cut off at some places, and with some of its bytes changed. */
function* damages(whole: Buffer): Iterable<Buffer> {
  for (let at = 0; at < whole.length - 1; at += 7) {
    yield whole.subarray(0, at);
    const changed = Buffer.from(whole);
    changed[at] = (changed[at] ?? 0) ^ 0x15;
    yield changed;
  }
  for (const text of ['null', '[]', '{}', '7', '{"version":1}', '{"version":1,"id":7}']) {
    yield Buffer.from(text);
  }
}

test('ENC-3 a damaged keyring.json is refused by name, or opens', async () => {
  const keys = await newKeys();
  const path = join(keys.keysDir, 'keyring.json');
  const whole = await readFile(path);
  const seen = new Set<string>();
  for (const damaged of damages(whole)) {
    await writeFile(path, damaged);
    seen.add(await outcomeOf(keys));
  }
  expect([...seen].filter((code) => code !== 'opened')).toEqual(['keys_unusable']);
  await writeFile(path, whole);
  expect(await outcomeOf(keys)).toBe('opened');
});

test('ENC-3 a damaged line of the ledger of ended keys is refused, and a line cut off is not', async () => {
  const keys = await newKeys();
  const path = join(keys.keysDir, 'destroyed.jsonl');
  const line = { tenant: 'aa', key: 'bb', destroyed_at: '2030-01-01T00:00:00.000Z' };
  const text = JSON.stringify(line);
  await writeFile(path, `${text}\n${text.slice(0, 20)}`);
  expect(await outcomeOf(keys)).toBe('opened');
  for (const bad of ['{"key":', 'null', '{}', '{"key":"bb"}', '{"key":7,"destroyed_at":"x"}']) {
    await writeFile(path, `${text}\n${bad}\n`);
    expect(await outcomeOf(keys)).toBe('keys_unusable');
  }
});
