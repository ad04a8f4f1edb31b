/** Cases of queries, races, damage and JSON (docs/contract/memory.md). */
import { describe, expect } from 'vitest';
import { outcome, refused, result } from '../harness/answer.js';
import { minimalRecord, record, recordOf, scope, unknownId } from '../harness/documents.js';
import { testCase } from '../harness/fixture.js';
import { entriesMadeBy, damage } from '../harness/stored-entries.js';

describe('query', () => {
  testCase('MEM-C47 filter and limit are optional, but bounded', async (t) => {
    const agent = await t.agent();
    const id = await agent.created(scope);
    for (const filter of [undefined, null, {}, { scan_limit: 1 }]) {
      expect(await agent.found(scope, filter)).toEqual([id]);
    }
    const bad = [
      { limit: 0 },
      { limit: 1_001 },
      { limit: null },
      { scan_limit: 0 },
      { scan_limit: 10_001 },
      { scan_limit: null },
    ];
    for (const filter of bad) {
      expect(outcome(await agent.query(scope, filter))).toBe(refused.invalid);
    }
  });

  testCase('MEM-C48 a full last page is followed by an empty one', async (t) => {
    const agent = await t.agent();
    const ids = [await agent.created(scope), await agent.created(scope)];
    const { page } = result(await agent.query(scope, { limit: 2 }));
    expect(page.records.map(({ record_id }) => record_id)).toEqual(ids);
    expect(page.next_after).toBe(ids[1]);
    const rest = await agent.query(scope, { limit: 2, after: page.next_after });
    expect(result(rest).page).toEqual({ records: [], next_after: null, scanned_records: 0 });
  });

  testCase('MEM-C49 text matches within one of three parts, ignoring case', async (t) => {
    const agent = await t.agent();
    const id = await agent.created(
      scope,
      record({
        content: {
          primary: 'alpha',
          secondary: 'The QuIcK fox',
          context: 'omega',
          data: { note: 'hidden' },
        },
        tags: ['label'],
        metadata: { key: 'obscure' },
      }),
    );
    const find = (text_contains: string) => agent.found(scope, { text_contains });
    expect(await find('qUiCk')).toEqual([id]);
    for (const absent of ['label', 'hidden', 'obscure', 'alphaThe', 'alpha The', 'foxomega']) {
      expect(await find(absent)).toEqual([]);
    }
  });

  testCase('MEM-C50 tags and types match exactly', async (t) => {
    const agent = await t.agent();
    const tagged = await agent.created(scope, record({ tags: ['A'] }));
    const custom = await agent.created(scope, record({ episode_type: { Custom: 'x' } }));
    await agent.created(scope, record({ episode_type: { Custom: 'y' } }));
    expect(await agent.found(scope, { tag: 'a' })).toEqual([]);
    expect(await agent.found(scope, { tag: 'A' })).toEqual([tagged]);
    expect(await agent.found(scope, { episode_type: { Custom: 'x' } })).toEqual([custom]);
  });

  testCase('MEM-C51 a position need not name a record', async (t) => {
    const agent = await t.agent();
    const ids = [await agent.created(scope), await agent.created(scope)];
    expect(await agent.found(scope, { after: unknownId })).toEqual(ids);
    const behind = 'ffffffff-ffff-4fff-bfff-ffffffffffff';
    expect(await agent.found(scope, { after: behind })).toEqual([]);
  });
});

describe('races and damage', () => {
  testCase(
    'MEM-C52 identical creates are one, updates of one revision have one winner',
    async (t) => {
      const agent = await t.agent();
      const creates = await Promise.all(
        Array.from({ length: 12 }, () => agent.create(scope, minimalRecord, 'k')),
      );
      const [first] = creates;
      expect(creates).toEqual(creates.map(() => first));
      const ids = await agent.found(scope);
      expect(ids).toEqual([result(first!).receipt.record_id]);
      const updates = await Promise.all(
        Array.from({ length: 8 }, () => agent.update(scope, [ids[0], 1])),
      );
      expect(updates.map(outcome).sort()).toEqual([
        '200',
        ...Array.from({ length: 7 }, () => refused.stale),
      ]);
    },
  );

  testCase('CON-92 MEM-C53 a damaged record or index entry is never returned', async (t) => {
    const agent = await t.agent();
    await agent.created(scope);
    let id = '';
    const made = await entriesMadeBy(t.store, async () => {
      id = await agent.created(scope);
    });
    // A shared store counts its entries in the same transaction.
    const entries = made.filter(({ subspace }) => subspace?.startsWith('memory'));
    for (const { subspace, key } of entries) {
      for (const at of ['version', 'content'] as const) {
        const repair = await damage(t.store, key, at);
        const query = outcome(await agent.query(scope));
        const read = outcome(await agent.read(scope, id));
        // A server that shares its store may hold a copy of an entry that it has verified.
        const isCopied = subspace === 'memoryScan' && t.store.isShared;
        if (isCopied) expect(['200', refused.inconsistent]).toContain(query);
        else if (subspace !== 'memoryReceipts') expect(query).toBe(refused.inconsistent);
        if (subspace === 'memoryRecords') expect(read).toBe(refused.inconsistent);
        await repair();
        expect(outcome(await agent.query(scope))).toBe('200');
      }
    }
    expect(entries.map(({ subspace }) => subspace).sort()).toEqual([
      'memoryReceipts',
      'memoryRecords',
      'memoryScan',
    ]);
  });
});

describe('free-form JSON', () => {
  testCase('CON-C57 level 64 is the deepest', async (t) => {
    const agent = await t.agent();
    // The document, operation, record and metadata are levels 1 to 4; the innermost value is 64.
    const nested = (levels: number) =>
      record({ metadata: { a: JSON.parse('['.repeat(levels) + ']'.repeat(levels)) as unknown } });
    expect(outcome(await agent.create(scope, nested(60)))).toBe('200');
    expect(outcome(await agent.create(scope, nested(61)))).toBe(refused.invalid);
  });

  testCase('CON-C58 __proto__ and constructor are returned unchanged', async (t) => {
    const agent = await t.agent();
    const text = '{"__proto__":{"a":[1]},"constructor":null,"b":{"__proto__":"c"}}';
    const free = () => JSON.parse(text) as unknown;
    const id = await agent.created(scope, {
      ...recordOf({ data: free() }),
      metadata: free(),
    });
    const { payload } = result(await agent.read(scope, id)).record;
    expect(JSON.stringify(payload.metadata)).toBe(text);
    expect(JSON.stringify(payload.content.data)).toBe(text);
    expect(({} as Record<string, unknown>)['a']).toBeUndefined();
  });
});
