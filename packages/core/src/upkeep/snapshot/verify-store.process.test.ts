/**
 * Verifying stores: equal reports, unchanged files, named differences, and damage that ends the
 * reading process.
 */
import { createHash } from 'node:crypto';
import {
  cp,
  mkdir,
  mkdtemp,
  open,
  readdir,
  readFile,
  rename,
  rm,
  stat,
  symlink,
  truncate,
} from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { Keep } from '../../keep/keep.js';
import { openKeep } from '../../keep/open-keep.js';
import { openLmdbStore } from '../../storage/lmdb-store/open-lmdb-store.js';
import { bootstrapTenant, type Progress, verifyStore } from '../../operator.js';
import { families } from '../../domains.js';

const PAGE_BYTES = 4_096;
const TENANTS = 64;

let home: string;
let dataDir: string;
let copy: string;

beforeEach(async () => {
  home = await mkdtemp(join(tmpdir(), 'agentkeep-verify-'));
  dataDir = join(home, 'data');
  copy = join(home, 'copy');
  const keep = await openKeep({ dataDir });
  await bootstrapMany(keep);
  await keep.close();
});

afterEach(() => rm(home, { recursive: true }));

async function bootstrapMany(keep: Keep): Promise<void> {
  const ids = Array.from({ length: TENANTS }, (_, index) => `tenant-${index}`);
  await Promise.all(ids.map((tenantId) => bootstrapTenant(keep, { tenantId, subjectId: 's' })));
}

/** Returns name, mode, modification time and content of all files. */
async function filesOf(directory: string): Promise<unknown[]> {
  const names = (await readdir(directory)).sort();
  return Promise.all(
    names.map(async (name) => {
      const path = join(directory, name);
      const { mode, mtime } = await stat(path);
      const content = createHash('sha256').update(await readFile(path));
      return { name, mode, mtime, content: content.digest('hex') };
    }),
  );
}

describe('verifyStore', () => {
  test('OPR-C56, OPR-18 gives equal reports of an idle directory and changes no file', async () => {
    const before = await filesOf(dataDir);
    const told: Progress[] = [];
    const first = await verifyStore({ dataDir, onProgress: (progress) => told.push(progress) });
    expect(await verifyStore({ dataDir })).toEqual(first);
    expect(await filesOf(dataDir)).toEqual(before);
    expect(first).toMatchObject({
      contract_version: 1,
      status: 'verified',
      verifier_version: '0.13.0',
      data_directory: dataDir,
      stored_version: 1,
    });
    const sha256 = expect.stringMatching(/^[0-9a-f]{64}$/);
    expect(first.families).toContainEqual({
      family: 'credentials',
      records: TENANTS,
      sha256,
      derived_entries: TENANTS,
    });
    const names = first.families.map(({ family }) => family);
    expect(names).not.toContain('memoryScan');
    expect(names).not.toContain('credentialLocators');
    expect(families.names).toEqual(expect.arrayContaining(names));
  });

  test('adds no lock file', async () => {
    await rm(join(dataDir, 'lock.mdb'));
    await verifyStore({ dataDir });
    expect((await readdir(dataDir)).sort()).toEqual(['agentkeep.json', 'data.mdb']);
  });

  test('OPR-C56 refuses a directory in use, without affecting its owner', async () => {
    const keep = await openKeep({ dataDir });
    await expect(verifyStore({ dataDir })).rejects.toMatchObject({ code: 'store_in_use' });
    await bootstrapTenant(keep, { tenantId: 'later', subjectId: 's' });
    await expect(verifyStore({ dataDir })).rejects.toMatchObject({ code: 'store_in_use' });
    await keep.close();
    const { families } = await verifyStore({ dataDir });
    expect(families).toContainEqual(expect.objectContaining({ records: TENANTS + 1 }));
  });

  test('OPR-55 creates no directory', async () => {
    await expect(verifyStore({ dataDir: copy })).rejects.toMatchObject({
      code: 'store_incompatible',
    });
    expect(await readdir(home)).toEqual(['data']);
  });
});

describe('a comparison', () => {
  test('OPR-19, OPR-57 finds a copy equal and names the families that differ', async () => {
    await cp(dataDir, copy, { recursive: true });
    const equal = await verifyStore({ dataDir: copy, source: dataDir });
    expect(equal).toMatchObject({
      status: 'verified_equal',
      source: { data_directory: dataDir },
      candidate: { data_directory: copy },
      comparison: { families_compared: equal.source.families.length },
    });
    expect(equal.candidate.families).toEqual(equal.source.families);
    const keep = await openKeep({ dataDir: copy });
    await bootstrapTenant(keep, { tenantId: 'later', subjectId: 's' });
    await keep.close();
    await expect(verifyStore({ dataDir: copy, source: dataDir })).rejects.toMatchObject({
      code: 'stores_differ',
      members: expect.arrayContaining(
        ['tenants', 'credentials', 'credentialEvents'].map((path) => ({
          path,
          expected: 'the same',
        })),
      ),
    });
  });

  test('OPR-57 is refused for directories that are the same or nested', async () => {
    await mkdir(join(dataDir, 'inner'));
    await symlink(dataDir, copy);
    for (const other of [dataDir, copy, join(dataDir, 'inner')]) {
      for (const pair of [
        { dataDir, source: other },
        { dataDir: other, source: dataDir },
      ]) {
        await expect(verifyStore(pair)).rejects.toMatchObject({ code: 'directories_overlap' });
      }
    }
  });
});

describe('damage', () => {
  const data = (): string => join(dataDir, 'data.mdb');

  async function overwrite(from: number, bytes: Uint8Array): Promise<void> {
    const file = await open(data(), 'r+');
    await file.write(bytes, 0, bytes.length, from);
    await file.close();
  }

  async function change(work: (store: Awaited<ReturnType<typeof openLmdbStore>>) => Promise<void>) {
    const store = await openLmdbStore({ directory: dataDir });
    await work(store);
    await store.close();
  }

  test.each([
    ['emptied', () => truncate(data(), 0)],
    ['truncated', () => truncate(data(), 3 * PAGE_BYTES)],
    ['missing', () => rename(data(), join(home, 'data.mdb'))],
    ['foreign', () => overwrite(0, Buffer.alloc(2 * PAGE_BYTES, 'x'))],
  ])('of a data file that is %s is reported', async (_how, damage) => {
    await damage();
    await expect(verifyStore({ dataDir })).rejects.toMatchObject({ code: 'store_incompatible' });
  });

  test('of one byte of a value is reported with its family', async () => {
    const intact = await readFile(data());
    let told: unknown;
    // The last matches may be on pages that are no longer in use.
    for (let at = intact.length; told === undefined && at > 0;) {
      at = intact.lastIndexOf('"tenant-7"', at - 1);
      await overwrite(at + 1, Buffer.from('T'));
      told = await verifyStore({ dataDir }).then(
        () => undefined,
        (error: unknown) => error,
      );
    }
    expect(told).toMatchObject({
      code: 'storage_inconsistency',
      cause: { message: expect.stringMatching(/^1 of \w+ do not verify\.$/) },
    });
  });

  // Some pages only; the proof `damaged files` tries the rest at random.
  test.each([
    ['zeros', Buffer.alloc(PAGE_BYTES), 8],
    ['noise', Buffer.alloc(PAGE_BYTES, createHash('sha512').update('noise').digest()), 9],
  ])('of a page full of %s is reported, even if it kills the reader', async (_what, page, step) => {
    const intact = await readFile(data());
    const expected = await verifyStore({ dataDir });
    let told = 0;
    for (let at = 2 * PAGE_BYTES; at < intact.length; at += step * PAGE_BYTES) {
      await overwrite(at, page);
      try {
        // A page that is not in use may contain anything.
        expect(await verifyStore({ dataDir })).toEqual(expected);
      } catch (error) {
        const code = expect.stringMatching(/^(?:storage_inconsistency|store_incompatible)$/);
        expect(error).toMatchObject({ code });
        told += 1;
      }
      await overwrite(at, intact.subarray(at, at + PAGE_BYTES));
    }
    expect(told).toBeGreaterThan(2);
    expect(await verifyStore({ dataDir })).toEqual(expected);
  });

  test.each([
    ['head', Buffer.from([0, 9])],
    ['block', Buffer.from([...Buffer.from('tenant-7'), 0, 10])],
  ])('of an audit log that has lost its %s is reported', async (_what, from) => {
    await change((store) =>
      store.transact((tx) => {
        const to = Buffer.from([...from.subarray(0, -1), (from.at(-1) ?? 0) + 1]);
        const [lost] = Array.from(tx.range({ from, to }), ({ key }) => Buffer.from(key));
        tx.remove(lost!);
      }),
    );
    const message = expect.stringMatching(
      /^The audit log does not verify at event [\da-f-]{36}\.$/,
    );
    await expect(verifyStore({ dataDir })).rejects.toMatchObject({
      code: 'storage_inconsistency',
      cause: { message },
    });
  });

  test('of a lost or foreign entry is reported', async () => {
    await change((store) =>
      store.transact((tx) => {
        const locators = tx.range({ from: Buffer.from([0, 2]), to: Buffer.from([0, 3]) });
        const [lost] = Array.from(locators, ({ key }) => Buffer.from(key));
        tx.remove(lost!);
      }),
    );
    await change((store) =>
      store.transact((tx) => tx.put(Buffer.from([0, 250, 1]), Buffer.from('x'))),
    );
    const lost = `credentialLocators has ${TENANTS - 1} entries for ${TENANTS} of credentials`;
    await expect(verifyStore({ dataDir })).rejects.toMatchObject({
      code: 'storage_inconsistency',
      cause: { message: `1 of no family do not verify; ${lost}.` },
    });
  });
});
