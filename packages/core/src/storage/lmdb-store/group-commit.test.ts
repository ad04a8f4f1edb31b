/** Group commit over a fake environment with a disk that fails on demand. */
import { setImmediate } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';
import { codeOf, diskError, setUp } from '../../../test/group-commit-kit.js';
import {
  ANSWERS_MAX,
  BODIES_MS,
  COMMIT_BODIES_MAX,
  COMMIT_BYTES_MAX,
} from './group-commit-policy.js';
import { QUEUE_BODIES_MAX } from './group-commit.js';
import { noteGrowth } from '../store/participant.js';

describe('batches', () => {
  test('commit all bodies of one turn of the event loop together', async () => {
    const { environment, put } = setUp();
    await Promise.all([put(1), put(2), put(3)]);
    await put(4);
    expect(environment.commits).toEqual([3, 1]);
  });

  test('have a maximum number of bodies and bytes', async () => {
    const { environment, commits, put } = setUp();
    await Promise.all(Array.from({ length: COMMIT_BODIES_MAX + 1 }, () => put(1)));
    expect(environment.commits).toEqual([COMMIT_BODIES_MAX, 1]);
    environment.commits = [];
    const value = new Uint8Array(2 ** 22);
    const putBig = (key: number) => commits.submit((tx) => tx.put(Uint8Array.from([key]), value));
    await Promise.all([1, 2, 3, 4].map(putBig));
    expect(COMMIT_BYTES_MAX).toBe(2 * value.length);
    expect(environment.commits).toEqual([2, 2]);
  });

  test('take bodies for a time, or for as long as the disk needs', async () => {
    let now = 0;
    const { environment, commits } = setUp({ nowMs: () => now });
    const slow = () =>
      commits.submit((tx) => {
        now += 1;
        tx.put(Uint8Array.from([1]), Uint8Array.from([1]));
      });
    const commitsOf = async (bodies: number): Promise<number[]> => {
      environment.commits = [];
      await Promise.all(Array.from({ length: bodies }, slow));
      return environment.commits;
    };
    expect(await commitsOf(BODIES_MS + 1)).toEqual([BODIES_MS, 1]);
    environment.onCommit = () => (now += 10);
    expect(await commitsOf(1)).toEqual([1]);
    environment.onCommit = () => undefined;
    expect(await commitsOf(BODIES_MS + 1)).toEqual([BODIES_MS, 1]);
    environment.onCommit = () => (now += 10);
    expect(await commitsOf(2 * BODIES_MS + 12)).toEqual([BODIES_MS, BODIES_MS, 10, 2]);
  });

  test('that are large answer a bounded number of callers in each later turn', async () => {
    const { environment, commits } = setUp();
    const answered: number[] = [];
    const bodies = 2 * ANSWERS_MAX + 1;
    for (let index = 0; index < bodies; index += 1) {
      void commits.submit(() => index).then((result) => answered.push(result));
    }
    const counts: [answered: number, waiting: number][] = [];
    while (commits.waiting > 0) {
      await setImmediate();
      counts.push([answered.length, commits.waiting]);
    }
    expect(counts).toEqual([
      [0, bodies],
      [ANSWERS_MAX, ANSWERS_MAX + 1],
      [2 * ANSWERS_MAX, 1],
      [bodies, 0],
    ]);
    expect(answered).toEqual(Array.from({ length: bodies }, (_, index) => index));
    expect(environment.commits).toHaveLength(1);
  });

  test('answer their callers in the same turn, unless they are large', async () => {
    const { commits, put } = setUp();
    let answered = 0;
    const all = Array.from({ length: ANSWERS_MAX }, () => put(1).then(() => (answered += 1)));
    await setImmediate();
    expect([answered, commits.waiting]).toEqual([ANSWERS_MAX, 0]);
    await Promise.all(all);
  });

  test('wait until the callers of the one before are answered', async () => {
    const { environment, commits, put } = setUp();
    const first = Array.from({ length: ANSWERS_MAX + 1 }, () => put(1));
    await first[0];
    const later = put(2);
    await first[ANSWERS_MAX];
    expect(environment.commits).toEqual([ANSWERS_MAX + 1]);
    await later;
    expect(environment.commits).toEqual([ANSWERS_MAX + 1, 1]);
    await commits.drain();
  });

  test('include bodies that a body submits', async () => {
    const { commits, put } = setUp();
    let inner: Promise<void> | undefined;
    await commits.submit(() => {
      inner = put(1);
    });
    await expect(inner).resolves.toBeUndefined();
  });

  test('refuse bodies beyond the queue limit', async () => {
    const { commits, put } = setUp();
    const waiting = Array.from({ length: QUEUE_BODIES_MAX }, () => put(1));
    expect(commits.waiting).toBe(QUEUE_BODIES_MAX);
    expect(await codeOf(put(1))).toBe('store_unavailable');
    await Promise.all(waiting);
    expect(commits.waiting).toBe(0);
    expect(await codeOf(put(1))).toBe('fine');
  });

  test('are all settled once drain resolves', async () => {
    const { commits, put } = setUp();
    await commits.drain();
    let answered = 0;
    for (let index = 0; index < 2 * COMMIT_BODIES_MAX; index += 1) {
      void put(1).then(() => (answered += 1));
    }
    await commits.drain();
    expect(answered).toBe(2 * COMMIT_BODIES_MAX);
  });
});

describe('free disk space', () => {
  test('below the reserve refuses what adds data', async () => {
    let free = 9_999;
    const { put, commits } = setUp({ freeBytes: () => free, reserveBytes: 10_000 });
    const adding = () =>
      commits.submit((tx) => {
        noteGrowth(tx);
        tx.put(Uint8Array.from([1]), Uint8Array.from([1]));
      });
    expect(await codeOf(adding())).toBe('store_full');
    expect(await codeOf(put(1))).toBe('fine');
    free = 10_000;
    expect(await codeOf(adding())).toBe('fine');
    expect(commits.reserveBytes).toBe(10_000);
  });

  test('below an eighth of the reserve refuses every write, and no body without one', async () => {
    const { put, commits } = setUp({ freeBytes: () => 1_249, reserveBytes: 10_000 });
    expect(await codeOf(put(1))).toBe('store_full');
    expect(await commits.submit(() => 7)).toBe(7);
  });

  test('has a default reserve of 64 MiB, an eighth of which nothing uses', async () => {
    const { put } = setUp({ freeBytes: () => 2 ** 23 - 1 });
    expect(await codeOf(put(1))).toBe('store_full');
  });

  test('has a reserve of twice the largest batch', async () => {
    const { commits, environment } = setUp();
    const value = new Uint8Array(2 ** 22);
    await commits.submit((tx) => {
      for (let key = 0; key < 10; key += 1) tx.put(Uint8Array.from([key]), value);
    });
    expect(environment.commits).toEqual([10]);
    expect(commits.reserveBytes).toBe(2 * 10 * (value.length + 1));
  });

  test('that is too small for one transaction refuses only that transaction', async () => {
    const { commits, put } = setUp({ freeBytes: () => 2 ** 22, reserveBytes: 0 });
    const large = commits.submit((tx) => tx.put(Uint8Array.from([1]), new Uint8Array(2 ** 22)));
    const [refused, kept] = await Promise.all([codeOf(large), codeOf(put(2))]);
    expect([refused, kept]).toEqual(['store_full', 'fine']);
  });

  test('that cannot be measured refuses a batch', async () => {
    const freeBytes = () => {
      throw diskError;
    };
    expect(await codeOf(setUp({ freeBytes }).put(1))).toBe('store_unavailable');
  });
});

describe('a failed commit', () => {
  test('rejects every body of its batch, also those that threw, and stores nothing', async () => {
    const { environment, commits, put, onFatal } = setUp();
    environment.failing.commit = true;
    const thrown = commits.submit((tx) => {
      // This body sees a write that is never committed.
      throw new Error(`seen ${tx.get(Uint8Array.from([1]))?.[0] ?? 'nothing'}`);
    });
    const first = put(1);
    const outcomes = await Promise.all([codeOf(first), codeOf(thrown)]);
    expect(outcomes).toEqual(['store_unavailable', 'store_unavailable']);
    await expect(first).rejects.toMatchObject({ cause: diskError });
    expect(environment.stored.size).toBe(0);
    environment.failing.commit = false;
    await put(2);
    expect([...environment.stored.keys()]).toEqual([2]);
    expect(onFatal).not.toHaveBeenCalled();
  });

  test('is told to observers instead of its writes', async () => {
    const { environment, commits, put } = setUp();
    const heard: unknown[] = [];
    commits.observe({
      committed: (writes) => heard.push(Array.from(writes.keys(), (key) => key.charCodeAt(0))),
      failed: () => heard.push('failed'),
    });
    await put(1);
    environment.failing.commit = true;
    await codeOf(put(2));
    environment.failing.commit = false;
    await Promise.all([put(3), put(4)]);
    expect(heard).toEqual([[1], 'failed', [3], [4]]);
  });

  test('has told observers each body before the next one ran', async () => {
    const { environment, commits, put } = setUp();
    const heard: unknown[] = [];
    commits.observe({
      written: (writes) => heard.push(Array.from(writes.keys(), (key) => key.charCodeAt(0))),
      committed: () => heard.push('committed'),
      failed: () => heard.push('failed'),
    });
    environment.failing.commit = true;
    const first = put(1);
    const later = commits.submit(() => heard.push('later body'));
    const thrown = commits.submit((tx) => {
      tx.put(Uint8Array.from([9]), Uint8Array.from([9]));
      throw new Error('no');
    });
    await Promise.all([first, later, thrown].map(codeOf));
    expect(heard).toEqual([[1], 'later body', [], 'failed']);
  });

  test('rejects its batch also when a single write fails', async () => {
    const { environment, put } = setUp();
    environment.failing.put = true;
    expect(await codeOf(put(1))).toBe('store_unavailable');
    environment.failing.put = false;
    expect(await codeOf(put(1))).toBe('fine');
  });

  test('suspends writes until a probe succeeds', async () => {
    const { environment, put, onFatal } = setUp();
    environment.failing = { put: false, commit: true, probe: true, read: false };
    expect(await codeOf(put(1))).toBe('store_unavailable');
    environment.failing.commit = false;
    expect(await codeOf(put(2))).toBe('store_unavailable');
    expect(environment.commits).toEqual([]);
    environment.failing.probe = false;
    expect(await codeOf(put(3))).toBe('fine');
    expect(environment.commits).toEqual([1]);
    expect(onFatal).not.toHaveBeenCalled();
  });

  test('is final when LMDB overran its message buffer, even if reads work', async () => {
    const text = 'Input/output error: Attempting to write page at position 69632, size 8192, ';
    const { environment, commits, put, onFatal } = setUp();
    environment.failing.commit = true;
    environment.failure = new Error(`${text}blocks 2, buffer sizes 4096 4096 0`);
    expect(await codeOf(put(1))).toBe('store_unavailable');
    await commits.drain();
    expect(onFatal).not.toHaveBeenCalled();
    environment.failure = new Error(`${text}blocks 2, buffer sizes 4096 -1794563328 32767`);
    expect(await codeOf(put(1))).toBe('store_unavailable');
    await commits.drain();
    expect(onFatal).toHaveBeenCalledExactlyOnceWith(commits.fatalError);
    environment.failing.commit = false;
    expect(await codeOf(put(1))).toBe('store_unavailable');
  });

  test('is final and reported once when reads fail too', async () => {
    const { environment, commits, put, onFatal } = setUp();
    environment.failing = { put: false, commit: true, probe: true, read: true };
    expect(await codeOf(put(1))).toBe('store_unavailable');
    await commits.drain();
    expect(onFatal).toHaveBeenCalledExactlyOnceWith(commits.fatalError);
    expect(commits.fatalError).toMatchObject({ code: 'store_unavailable', cause: diskError });
    environment.failing = { put: false, commit: false, probe: false, read: false };
    expect(await codeOf(put(2))).toBe('store_unavailable');
    expect(onFatal).toHaveBeenCalledOnce();
  });
});
