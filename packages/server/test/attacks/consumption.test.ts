/**
 * Unrestricted resource consumption (OWASP API4:2023): the work that one request can cause is
 * bounded.
 */
import { gzipSync } from 'node:zlib';
import { inMemoryStore } from '@agentkeep/core';
import { describe, expect, test } from 'vitest';
import { cpuMsOf } from '@agentkeep/testkit/cpu-time';
import { outcome, refused, result } from '@agentkeep/contract-cases/answer';
import { createAll } from '@agentkeep/contract-cases/caller';
import { minimalSpec, recordOf, scope } from '@agentkeep/contract-cases/documents';
import { drivers } from '@agentkeep/contract-cases/drivers';
import { tenant } from '@agentkeep/contract-cases/fixture';
import { appOf } from '@agentkeep/contract-cases/http-driver';
import { overHttp } from '@agentkeep/contract-cases/http-fixture';
import { countingStore } from './counting-store.js';

const ISSUE = '/api/v1/credentials';
const QUERY = '/api/v1/memory/query';
const issue = JSON.stringify({ contract_version: 1, spec: minimalSpec });

describe('JSON', () => {
  const deep = (open: string, close: string, levels: number): string =>
    `{"contract_version":1,"spec":${open.repeat(levels)}1${close.repeat(levels)}}`;

  overHttp(
    'that nests deeply, repeats members or holds huge numbers is refused fast',
    async (h) => {
      const bodies = [
        deep('[', ']', 10_000),
        deep('{"a":', '}', 9_000),
        '['.repeat(65_000),
        '{"a":'.repeat(13_000),
        `{${'"a":1,'.repeat(10_000)}"a":1}`,
        `{"contract_version":${'1'.repeat(60_000)}}`,
        `{"contract_version":1e${'9'.repeat(60_000)}}`,
        `{"contract_version":1,"spec":"${'\\u0061'.repeat(10_000)}"}`,
        `{"contract_version":1,"spec":"${'\\'.repeat(60_000)}"}`,
        `{"contract_version":1,"spec":${'-'.repeat(60_000)}1}`,
        ' '.repeat(65_536),
      ];
      for (const body of bodies) {
        const cpuMs = await cpuMsOf(async () => {
          expect(outcome(await h.post(ISSUE, body)), body.slice(0, 40)).toBe(refused.invalid);
        });
        // A refusal takes a few milliseconds.
        expect(cpuMs, body.slice(0, 40)).toBeLessThan(2_000);
      }
    },
  );

  overHttp('integers must be exact as doubles, in every member', async (h) => {
    const agent = await h.fixture.agent();
    const asAgent = { Authorization: `Bearer ${agent.token}` };
    const ask = async (limit: string): Promise<string> => {
      const body = `{"contract_version":1,"scope":${JSON.stringify(scope)},"filter":{"limit":${limit}}}`;
      return outcome(await h.post(QUERY, body, asAgent));
    };
    for (const limit of ['1', '1.0', '1e0', '10e-1', '1000', '1e3']) {
      expect(await ask(limit), limit).toBe('200');
    }
    for (const limit of [
      '0',
      '-0',
      '-1',
      '1001',
      '1e9',
      '9007199254740993',
      '1.5',
      '1e400',
      '"1"',
    ]) {
      expect(await ask(limit), limit).toBe(refused.invalid);
    }
    for (const limit of ['-0', '1e1', '0x1', '1.0', '+1', '٣', '1'.repeat(400), '%31']) {
      const path = `${ISSUE}?contract_version=1&limit=${encodeURIComponent(limit)}`;
      expect(outcome(await h.get(path)), limit).toBe(refused.invalid);
    }
  });
});

describe('a compressed body', () => {
  overHttp('is not decompressed: the compressed bytes are parsed, and are not JSON', async (h) => {
    const bomb = gzipSync(' '.repeat(10_000_000) + issue);
    expect(bomb.length).toBeLessThan(65_536);
    for (const encoding of ['gzip', 'deflate', 'br', 'gzip, gzip', 'x-gzip']) {
      const reply = await h.post(ISSUE, bomb, { 'Content-Encoding': encoding });
      expect(outcome(reply), encoding).toBe(refused.invalid);
    }
    // The header alone changes nothing.
    expect(outcome(await h.post(ISSUE, issue, { 'Content-Encoding': 'gzip' }))).toBe('201');
  });
});

describe('a query string', () => {
  overHttp('of thousands of parameters, or of one huge one, is refused fast', async (h) => {
    const many = Array.from({ length: 3_000 }, (_, index) => `p${index}=1`).join('&');
    for (const query of [many, `x=${'a'.repeat(15_000)}`, '&'.repeat(15_000), '='.repeat(9_000)]) {
      const cpuMs = await cpuMsOf(async () => {
        const reply = await h.get(`${ISSUE}?contract_version=1&${query}`);
        expect(outcome(reply)).toBe(query.startsWith('&') ? '200' : refused.invalid);
      });
      expect(cpuMs).toBeLessThan(2_000);
    }
  });
});

describe('a body without a declared length, or with a false one', () => {
  test('is counted while it arrives, and not read beyond the limit', async () => {
    await using t = await tenant(drivers[1]!);
    const app = appOf(t.keep);
    let given = 0;
    const endless = new ReadableStream<Uint8Array>({
      pull(controller) {
        given += 16_384;
        controller.enqueue(new Uint8Array(16_384).fill(32));
      },
    });
    const response = await app.request(ISSUE, {
      method: 'POST',
      headers: {
        Authorization: `Bearer ${t.admin.token}`,
        'Content-Type': 'application/json',
        'Content-Length': '10',
      },
      body: endless,
      duplex: 'half',
    });
    expect(response.status).toBe(413);
    expect(given).toBeLessThan(10 * 65_536);
  });
});

describe('a query of memory', () => {
  test('lets other work run between large entries, both examined and found', async () => {
    const { store, taken } = countingStore();
    await using t = await tenant(drivers[0]!, store, { audit: { enabled: false } });
    const agent = await t.agent();
    const large = recordOf({ primary: 'a'.repeat(60_000) });
    await createAll(
      agent,
      Array.from({ length: 64 }, () => large),
    );
    await createAll(
      agent,
      Array.from({ length: 260 }, () => recordOf({ primary: 'found' })),
    );
    taken();
    const filter = { text_contains: `${'a'.repeat(20_000)}b${'a'.repeat(20_000)}` };
    const { page } = result(await agent.query(scope, filter));
    expect(page).toMatchObject({ records: [], scanned_records: 324, next_after: null });
    // 64 entries of 60,000 bytes need more than seven slices of 524,288; the rest fits into one.
    expect(taken().reads).toBeGreaterThan(7);
    const found = result(await agent.query(scope, { text_contains: 'found', limit: 260 }));
    expect(found.page.records).toHaveLength(260);
    expect(taken().reads).toBeGreaterThan(9);
  });
});

test('a keep bounds what it remembers of callers, and what waits to be stored', async () => {
  const store = inMemoryStore();
  await using t = await tenant(drivers[1]!, store);
  const before = await entriesOf(store);
  const made = (index: number): string => {
    const hex = index.toString(16).padStart(32, '0');
    const heads = [`ak1_${hex}`, `akg1_${hex}`, `akst1_${hex}_${hex}`];
    return `${heads[index % 3] ?? ''}_${'A'.repeat(43)}`;
  };
  for (let index = 0; index < 600; index += 1) {
    const answer = await t.transport('whoAmI', made(index), {});
    expect(answer.status).toBe(401);
  }
  // Failed proofs leave nothing but audit events.
  expect(await entriesOf(store)).toBe(before);
});

/** Counts the entries outside the audit log, whose subspaces are 9 to 11. */
async function entriesOf(store: ReturnType<typeof inMemoryStore>): Promise<number> {
  let count = 0;
  await store.scan(({ key }) => {
    const subspace = key[key.indexOf(0) + 1] ?? 0;
    if (subspace < 9 || subspace > 12) count += 1;
  });
  return count;
}
