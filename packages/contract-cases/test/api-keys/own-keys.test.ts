/**
 * API keys as their owner manages them (docs/contract/api-keys.md), on both paths: createApiKey,
 * listApiKeys and deleteApiKey; createApiKeyAlias, listApiKeysAlias and deleteApiKeyAlias.
 */
import { describe, expect } from 'vitest';
import { bothPaths, keyHolder, newKeyHolder } from './api-key-fixture.js';
import { outcome, refused, result } from '../harness/answer.js';
import { badTexts, goodTexts, unknownId } from '../harness/documents.js';
import { withSessions } from '../sessions/session-fixture.js';

const DAY_MS = 86_400_000;
const noKey = '404 not_found';

describe.each(bothPaths)('$path', (path) => {
  // KEY-5, KEY-6, KEY-7, KEY-9, CON-30
  withSessions('a key is shown once, with the members that identify it', async (s) => {
    const ann = await keyHolder(s, 'ann', 'acme', path);
    const made = await ann.made();
    expect(made).toEqual({
      key: expect.stringMatching(/^ak_live_[0-9A-Za-z]{38}$/),
      id: expect.stringMatching(/^[0-9a-f]{8}-[0-9a-f]{4}-7/),
      prefix: made.key.slice(0, 12),
      name: 'ci',
      created_at: '2030-01-01T00:00:00.000Z',
      expires_at: null,
    });
    const { key, ...shown } = made;
    expect(await ann.keys()).toEqual([{ ...shown, last_used: null, is_active: true }]);
    expect(JSON.stringify(await ann.list())).not.toContain(key.slice(12));
  });

  withSessions('KEY-C27 a key expires after the given days, or never', async (s) => {
    const ann = await keyHolder(s, 'ann', 'acme', path);
    const startMs = s.t.clock.now();
    for (const days of [1, 30, 3_650, 30.0]) {
      const end = new Date(startMs + days * DAY_MS).toISOString();
      expect((await ann.made({ expires_in_days: days })).expires_at).toBe(end);
    }
    expect((await ann.made({ expires_in_days: null })).expires_at).toBeNull();
    for (const days of [0, 3_651, 1.5, -1, '30', true, [30], 2 ** 53]) {
      const answer = await ann.create({ name: 'ci', expires_in_days: days });
      expect(outcome(answer), String(days)).toBe(refused.invalid);
    }
    expect(await ann.keys()).toHaveLength(5);
  });

  withSessions('KEY-13 a name follows the text rule and need not be unique', async (s) => {
    const ann = await keyHolder(s, 'ann', 'acme', path);
    for (const [what, name] of badTexts) {
      expect(outcome(await ann.create({ name })), what).toBe(refused.invalid);
    }
    for (const document of [{}, { name: null }, { name: 7 }, { name: 'a', id: unknownId }, []]) {
      expect(outcome(await ann.create(document))).toBe(refused.invalid);
    }
    for (const [what, name] of [...goodTexts, ...goodTexts]) {
      expect((await ann.made({ name })).name, what).toBe(name);
    }
    expect(await ann.keys()).toHaveLength(2 * goodTexts.length);
  });

  withSessions('KEY-23 the list is newest first, a page at a time', async (s) => {
    const ann = await keyHolder(s, 'ann', 'acme', path);
    const ids: string[] = [];
    for (const name of ['a', 'b', 'c', 'd', 'e']) ids.unshift((await ann.made({ name })).id);
    expect((await ann.keys()).map(({ id }) => id)).toEqual(ids);
    const seen: string[] = [];
    let parameters: { limit: number; cursor?: string } = { limit: 2 };
    for (let pages = 1; ; pages += 1) {
      const { keys, next_cursor } = result(await ann.list(parameters));
      seen.push(...keys.map(({ id }) => id));
      expect(keys).toHaveLength(pages < 3 ? 2 : 1);
      if (next_cursor === null) break;
      parameters = { limit: 2, cursor: next_cursor };
    }
    expect(seen).toEqual(ids);
    expect(result(await ann.list({ limit: 5 })).next_cursor).toBeNull();
  });

  withSessions('a cursor belongs to one list of one account', async (s) => {
    const ann = await keyHolder(s, 'ann', 'acme', path);
    const bob = await newKeyHolder(s, 'bob', undefined, path);
    const cursors: string[] = [];
    for (const owner of [ann, bob]) {
      await owner.made();
      await owner.made();
      cursors.push(result(await owner.list({ limit: 1 })).next_cursor ?? '');
    }
    const [anns = '', bobs = ''] = cursors;
    expect(await ann.keys({ cursor: anns })).toHaveLength(1);
    expect(await bob.keys({ cursor: bobs })).toHaveLength(1);
    for (const cursor of [bobs, '', 'x', `${anns}A`, anns.slice(0, -4)]) {
      expect(outcome(await ann.list({ cursor })), cursor).toBe(refused.invalid);
    }
    for (const parameters of [{ limit: 0 }, { limit: 1_001 }, { limit: 'x' }, { x: 1 }]) {
      expect(outcome(await ann.list(parameters))).toBe(refused.invalid);
    }
    expect(await ann.keys({ limit: 1_000 })).toHaveLength(2);
  });

  withSessions('KEY-17 a deleted key leaves the list at once and is refused', async (s) => {
    const ann = await keyHolder(s, 'ann', 'acme', path);
    const [gone, kept] = [await ann.made(), await ann.made()];
    const holder = ann.with(gone.key);
    expect(await holder.outcome()).toBe('200');
    const answer = result(await ann.remove(gone.id.toUpperCase()));
    expect(answer).toEqual({ success: true, message: expect.any(String) });
    expect(await holder.outcome()).toBe(refused.unauthorized);
    expect((await ann.keys()).map(({ id }) => id)).toEqual([kept.id]);
    expect(outcome(await ann.remove(gone.id))).toBe(noKey);
    expect(await ann.with(kept.key).outcome()).toBe('200');
  });

  withSessions('KEY-C28 the key of another account is unknown and keeps working', async (s) => {
    const ann = await keyHolder(s, 'ann', 'acme', path);
    const { id, key } = await ann.made();
    const others = [await newKeyHolder(s, 'bob', undefined, path), await keyHolder(s, 'root')];
    for (const other of others) {
      expect(outcome(await other.remove(id))).toBe(noKey);
      expect(await other.keys()).toEqual([]);
    }
    expect(outcome(await ann.remove(unknownId))).toBe(noKey);
    for (const bad of ['x', id.replaceAll('-', ''), `${id}0`]) {
      expect(outcome(await ann.remove(bad)), bad).toBe(refused.invalid);
    }
    expect(await ann.with(key).outcome()).toBe('200');
  });

  withSessions('KEY-C30 a key may list and delete keys but not create any', async (s) => {
    const ann = await keyHolder(s, 'ann', 'acme', path);
    const [one, other] = [await ann.made(), await ann.made()];
    const holder = ann.with(one.key);
    // The right is checked before the body.
    for (const document of [{ name: 'ci' }, { x: 1 }]) {
      expect(outcome(await holder.create(document))).toBe(refused.forbidden);
    }
    expect((await holder.keys()).map(({ id }) => id)).toEqual([other.id, one.id]);
    expect(outcome(await holder.remove(other.id))).toBe('200');
    expect(outcome(await holder.remove(one.id))).toBe('200');
    expect(await holder.outcome()).toBe(refused.unauthorized);
    expect(await ann.keys()).toEqual([]);
  });

  withSessions('SES-28, CON-63 a credential has no keys of its own', async (s) => {
    const ann = await keyHolder(s, 'ann', 'acme', path);
    const { id } = await ann.made();
    const credential = ann.with(s.t.admin.token);
    expect(outcome(await credential.create({ name: 'ci' }))).toBe(refused.forbidden);
    expect(outcome(await credential.create({}))).toBe(refused.forbidden);
    expect(outcome(await credential.list({ limit: 0 }))).toBe(refused.forbidden);
    expect(outcome(await credential.remove(id))).toBe(refused.forbidden);
    expect(outcome(await credential.remove('x'))).toBe(refused.forbidden);
    const nobody = ann.with('x');
    expect(outcome(await nobody.create({}))).toBe(refused.unauthorized);
    expect(outcome(await nobody.list({ limit: 0 }))).toBe(refused.unauthorized);
    expect(outcome(await nobody.remove('x'))).toBe(refused.unauthorized);
    expect(await ann.keys()).toHaveLength(1);
  });
});

withSessions('KEY-1, KEY-3, KEY-4 the two paths are one resource', async (s) => {
  const [ann, alias] = [
    await keyHolder(s, 'ann', 'acme', bothPaths[0]),
    await keyHolder(s, 'ann', 'acme', bothPaths[1]),
  ];
  const [first, second] = [await ann.made({ name: 'a' }), await alias.made({ name: 'b' })];
  expect(await ann.keys()).toEqual(await alias.keys());
  const { next_cursor: cursor } = result(await ann.list({ limit: 1 }));
  expect((await alias.keys({ limit: 1, cursor })).map(({ id }) => id)).toEqual([first.id]);
  expect(outcome(await ann.remove(second.id))).toBe('200');
  expect(outcome(await alias.remove(second.id))).toBe(noKey);
  expect(outcome(await alias.remove(first.id))).toBe('200');
  expect(await ann.keys()).toEqual([]);
});

withSessions('of two parallel deletions of a key one succeeds', async (s) => {
  const ann = await keyHolder(s, 'ann', 'acme');
  const { id } = await ann.made();
  const answers = await Promise.all([ann.remove(id), ann.remove(id)]);
  expect(answers.map(outcome).sort()).toEqual(['200', noKey]);
});
