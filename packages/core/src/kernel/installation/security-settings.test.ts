/** Changes that are detected between two starts, and what is stored for that. */
import { describe, expect, test } from 'vitest';
import { findMarker, putMarker } from './marker-store.js';
import { digestsOf, rememberSettings, type SecuritySettings } from './security-settings.js';
import { testStore } from '@agentkeep/testkit/test-store';

/** Returns the changes that each of several starts finds. */
async function startsWith(...starts: SecuritySettings[]): Promise<string[][]> {
  const store = testStore();
  const changed: string[][] = [];
  for (const settings of starts) {
    const digests = digestsOf(settings);
    changed.push(await store.transact((tx) => rememberSettings(tx, digests)));
  }
  await store.close();
  return changed;
}

describe('rememberSettings', () => {
  test('finds nothing at the first start or at one with the same settings', async () => {
    const settings = { a: 'x', b: ['y', { c: 1, d: null }] };
    const same = { b: ['y', { d: null, c: 1 }], a: 'x' };
    expect(await startsWith(settings, settings, same)).toEqual([[], [], []]);
    expect(await startsWith({}, {})).toEqual([[], []]);
  });

  test('names each changed, added or removed setting once', async () => {
    const first = { kept: 1, changed: 1, gone: 1 };
    const second = { kept: 1, changed: 2, came: 1 };
    expect(await startsWith(first, second, second, first)).toEqual([
      [],
      ['came', 'changed', 'gone'],
      [],
      ['came', 'changed', 'gone'],
    ]);
  });

  test('accepts any name', async () => {
    const settings = JSON.parse('{"__proto__":1,"constructor":2}') as SecuritySettings;
    expect(await startsWith(settings, {}, settings)).toEqual([
      [],
      ['__proto__', 'constructor'],
      ['__proto__', 'constructor'],
    ]);
  });

  test('stores no value', async () => {
    const store = testStore();
    const digests = digestsOf({ admin_origin: 'https://console.example' });
    await store.transact((tx) => rememberSettings(tx, digests));
    const kept = JSON.stringify(await store.read((tx) => findMarker(tx, 'security_settings')));
    expect(kept).toContain('admin_origin');
    expect(kept).not.toContain('console.example');
    await store.close();
  });

  test.each([[['a']], [null], ['a']])('refuses a stored %j', async (stored) => {
    const store = testStore();
    await store.transact((tx) => {
      putMarker(tx, 'security_settings', stored);
    });
    await expect(store.transact((tx) => rememberSettings(tx, {}))).rejects.toThrow(
      expect.objectContaining({ code: 'storage_inconsistency' }),
    );
    await store.close();
  });
});
