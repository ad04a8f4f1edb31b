/** Each commit has a frame with all of its writes, in the same transaction. */
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { decodeFrame, digestOfFrame, NO_FRAME } from './frame.js';
import { keyText } from '../store/bytes.js';
import type { Store } from '../store/store.js';
import type { WriteTarget } from '../store/overlay.js';
import { createEnvironment, openEnvironment } from '../lmdb-store/environment.js';
import { continueFramesAfter, framePointIn } from '../lmdb-store/frame-point.js';
import type { FrameFeed } from './frame-log.js';
import { type FramedStore, openFramedStore, openLmdbStore } from '../lmdb-store/open-lmdb-store.js';
import type { EnvironmentOptions } from '../lmdb-store/open-root.js';

let parent: string;
let directory: string;
let nowMs: number;
const open: Store[] = [];

beforeEach(async () => {
  parent = await mkdtemp(join(tmpdir(), 'agentkeep-frames-'));
  directory = join(parent, 'store');
  nowMs = 1_000;
});

afterEach(async () => {
  for (const store of open.splice(0)) await store.close();
  await rm(parent, { recursive: true, force: true });
});

async function framed(): Promise<FramedStore> {
  const options = { directory, reserveBytes: 0, durability: 'relaxed' } as const;
  const opened = await openFramedStore(options, () => nowMs);
  open.push(opened.store);
  return opened;
}

const environmentOptions = (): EnvironmentOptions => {
  return { directory: parent, mapSizeBytes: 2 ** 24, isSynced: false };
};

async function closed(store: Store): Promise<void> {
  open.splice(open.indexOf(store), 1);
  await store.close();
}

const bytes = (text: string): Uint8Array => Buffer.from(text);
const put = (store: Store, key: string, value: string): Promise<void> =>
  store.transact((tx) => {
    tx.put(bytes(key), bytes(value));
  });

/** Returns what a store holds, by keys as text. */
async function contentOf(store: Store): Promise<Map<string, string>> {
  const content = new Map<string, string>();
  await store.scan(({ key, value }) => content.set(keyText(key), keyText(value)));
  return content;
}

/** Returns what frames leave behind when they are applied in order, and checks their chain. */
function contentOfFrames(frames: readonly Uint8Array[]): Map<string, string> {
  const content = new Map<string, string>();
  let { position, timeMs, digest } = NO_FRAME;
  for (const encoded of frames) {
    const frame = decodeFrame(encoded);
    expect(frame.position).toBe(position + 1);
    expect(frame.previous).toBe(digest);
    expect(frame.timeMs).toBeGreaterThanOrEqual(timeMs);
    ({ position, timeMs } = frame);
    digest = digestOfFrame(encoded);
    for (const [key, value] of frame.writes) {
      if (value === undefined) content.delete(key);
      else content.set(key, keyText(value));
    }
  }
  return new Map([...content].sort());
}

const all = (frames: FrameFeed): Uint8Array[] => frames.read(frames.kept.position, 2 ** 30);

describe('frames', () => {
  test('hold all that commits wrote, also aside, with appended entries and removals', async () => {
    const { store, frames } = await framed();
    await Promise.all(
      Array.from({ length: 200 }, async (_, index) => {
        await put(store, `a/${String(index)}`, 'x'.repeat(index * 10));
        await store.transact((tx) => {
          tx.append(bytes('log/'), bytes(String(index)));
          if (index % 3 === 0) tx.remove(bytes(`a/${String(index)}`));
        });
      }),
    );
    expect(contentOfFrames(all(frames))).toEqual(await contentOf(store));
    expect(frames.tip.position).toBe(store.commits?.().commits);
  });

  // docs/contract/replication.md#rep-4
  test('are not entries of the store', async () => {
    const { store } = await framed();
    await put(store, 'k', 'v');
    expect([...(await contentOf(store)).keys()]).toEqual(['k']);
    expect((await store.stats()).entries).toBe(1);
  });

  test('are not written by bodies that throw or write nothing', async () => {
    const { store, frames } = await framed();
    const failing = store.transact((tx) => {
      tx.put(bytes('k'), bytes('v'));
      throw new Error('no');
    });
    await expect(failing).rejects.toThrow('no');
    await store.transact(() => undefined);
    expect(frames.tip).toEqual(NO_FRAME);
  });

  test('are not written by transactions that fail, at once or aside', async () => {
    await createEnvironment(environmentOptions(), 'id');
    const found = await openEnvironment(environmentOptions());
    const environment = found.claim();
    if (environment === undefined) throw new Error('The environment is in use.');
    try {
      const frames = environment.keepFrames(() => nowMs);
      const failing = (target: WriteTarget): void => {
        target.put('k', bytes('lost'));
        throw new Error('no');
      };
      expect(() => {
        environment.write(failing);
      }).toThrow('no');
      await environment.writeAside(failing, (failure) => {
        expect(failure).toBeDefined();
      });
      expect(frames.tip).toEqual(NO_FRAME);
      await environment.writeAside(
        (target) => {
          target.put('k', bytes('kept'));
        },
        (failure) => {
          expect(failure).toBeUndefined();
        },
      );
      expect(contentOfFrames(all(frames))).toEqual(new Map([['k', 'kept']]));
    } finally {
      await environment.close();
    }
  });

  test('never go back in time', async () => {
    const { store, frames } = await framed();
    await put(store, 'k', '1');
    nowMs = 500;
    await put(store, 'k', '2');
    expect(frames.tip).toMatchObject({ position: 2, timeMs: 1_000 });
  });

  test('continue after the store is opened again', async () => {
    const first = await framed();
    await put(first.store, 'a', '1');
    await closed(first.store);
    const { store, frames } = await framed();
    await put(store, 'b', '2');
    expect(contentOfFrames(all(frames))).toEqual(await contentOf(store));
    expect(frames.hasGap).toBe(false);
  });

  test('are removed by later commits once they are elsewhere', async () => {
    const { store, frames } = await framed();
    for (let index = 0; index < 10; index += 1) await put(store, 'k', String(index));
    const point = frames.pointAt(7);
    if (point === undefined) throw new Error('The frame 7 is missing.');
    const before = frames.waitingBytes;
    frames.noteShipped(
      point,
      frames
        .read(0, 2 ** 30)
        .slice(0, 7)
        .join('').length,
    );
    expect(frames.waitingBytes).toBeLessThan(before);
    await put(store, 'k', 'last');
    expect(() => frames.read(6, 1)).toThrow();
    expect(frames.read(7, 2 ** 30)).toHaveLength(4);
    await closed(store);
    const again = await framed();
    expect(again.frames).toMatchObject({ kept: point, shipped: point, hasGap: false });
    expect(again.frames.pointAt(11)).toEqual(again.frames.tip);
  });

  test('are removed a few at a time', async () => {
    const { store, frames } = await framed();
    for (let index = 0; index < 140; index += 1) await put(store, 'k', String(index));
    frames.noteShipped(frames.tip, 1);
    await store.transact(() => undefined);
    expect(() => frames.read(127, 1)).toThrow();
    expect(frames.read(128, 1)).toHaveLength(1);
    await store.transact(() => undefined);
    expect(() => frames.read(138, 1)).toThrow();
  });

  test('leave a gap when they are dropped, until it is closed', async () => {
    const { store, frames } = await framed();
    await put(store, 'k', '1');
    const { tip } = frames;
    frames.drop();
    await put(store, 'k', '2');
    await closed(store);
    const again = await framed();
    expect(again.frames).toMatchObject({ kept: tip, shipped: NO_FRAME, hasGap: true });
    expect(again.frames.read(1, 1)).toHaveLength(1);
    again.frames.closeGap();
    await again.store.transact(() => undefined);
    await closed(again.store);
    expect((await framed()).frames).toMatchObject({ kept: tip, shipped: tip, hasGap: false });
  });

  test('have no gap after the store was only read without them', async () => {
    const first = await framed();
    await put(first.store, 'a', '1');
    const { tip } = first.frames;
    await closed(first.store);
    const plain = await openLmdbStore({ directory, durability: 'relaxed' });
    open.push(plain);
    expect(await contentOf(plain)).toEqual(new Map([['a', '1']]));
    const failing = plain.transact((tx) => {
      tx.put(bytes('b'), bytes('1'));
      throw new Error('no');
    });
    await expect(failing).rejects.toThrow('no');
    await closed(plain);
    expect((await framed()).frames).toMatchObject({ tip, hasGap: false });
  });

  test('have a gap after the store was open without them', async () => {
    const first = await framed();
    await put(first.store, 'a', '1');
    const { tip } = first.frames;
    await closed(first.store);
    const plain = await openLmdbStore({ directory, durability: 'relaxed' });
    open.push(plain);
    await put(plain, 'a', '2');
    await closed(plain);
    const { frames } = await framed();
    expect(frames.hasGap).toBe(true);
    expect(frames.kept.position).toBe(tip.position + 1);
    expect(frames.tip).toEqual(frames.kept);
  });
});

describe('the last frame of a store that no process has open', () => {
  test('is read from a copy, which stays as it is', async () => {
    const { store, frames } = await framed();
    await put(store, 'a', '1');
    const copy = join(parent, 'copy');
    await store.backup(copy);
    const names = await readdir(copy);
    expect(await framePointIn(copy)).toEqual(frames.tip);
    expect(await readdir(copy)).toEqual(names);
  });

  test('is absent if the store never had frames', async () => {
    await (await openLmdbStore({ directory })).close();
    expect(await framePointIn(directory)).toBeUndefined();
  });

  test('is followed by the next one, wherever it was reached', async () => {
    const first = await framed();
    await put(first.store, 'a', '1');
    await closed(first.store);
    const point = { position: 700, timeMs: 9_000, digest: 'ab'.repeat(32) };
    await continueFramesAfter(directory, point);
    const { store, frames } = await framed();
    expect(frames).toMatchObject({ tip: point, kept: point, shipped: point, hasGap: false });
    await put(store, 'a', '2');
    const [frame] = frames.read(700, 1);
    expect(frame && decodeFrame(frame)).toMatchObject({
      position: 701,
      timeMs: 9_000,
      previous: point.digest,
    });
  });
});
