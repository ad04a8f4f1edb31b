/** Commits of a group aside, over a fake environment whose flush ends on demand. */
import { setImmediate } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';
import { codeOf, setUp } from '../../../test/group-commit-kit.js';
import { Positions } from '../store/position.js';
import { ASIDE_BODIES_MIN } from './group-commit-policy.js';

describe('a commit aside', () => {
  const aside = { asideBodiesMin: 2 };

  test('leaves the event loop free, and answers once it is durable', async () => {
    const { environment, commits, put } = setUp(aside);
    environment.holdsFlush = true;
    const answered: number[] = [];
    const all = [1, 2, 3].map((key) => put(key).then(() => answered.push(key)));
    while (environment.flush === undefined) await setImmediate();
    for (let turn = 0; turn < 5; turn += 1) await setImmediate();
    expect([answered, commits.waiting, environment.stored.size]).toEqual([[], 3, 0]);
    environment.flush();
    await Promise.all(all);
    expect([answered, commits.waiting, environment.stored.size]).toEqual([[1, 2, 3], 0, 3]);
  });

  test('lets later bodies wait, which then see its writes', async () => {
    const { environment, commits, put } = setUp(aside);
    environment.holdsFlush = true;
    const first = [put(1, 10), put(2, 20)];
    while (environment.flush === undefined) await setImmediate();
    let seen: unknown;
    const later = commits.submit((tx) => {
      seen = [1, 2].map((key) => tx.get(Uint8Array.from([key]))?.[0]);
    });
    await setImmediate();
    expect(seen).toBeUndefined();
    environment.flush();
    await Promise.all([...first, later]);
    expect(seen).toEqual([10, 20]);
    expect(environment.commits).toEqual([2, 0]);
  });

  test('keeps the horizon below its positions until reads see it', async () => {
    const positions = new Positions(1);
    const { environment, commits } = setUp({ ...aside, positions });
    environment.holdsFlush = true;
    const append = () => commits.submit((tx) => tx.append(Uint8Array.of(1), Uint8Array.of(2)));
    const before = positions.horizon;
    const all = [append(), append()];
    while (environment.flush === undefined) await setImmediate();
    expect(positions.horizon).toEqual(before);
    environment.flush();
    await Promise.all(all);
    expect(Buffer.compare(positions.horizon, before)).toBe(1);
  });

  test('is for many bodies only', async () => {
    const { environment, put } = setUp(aside);
    environment.holdsFlush = true;
    await put(1);
    expect(environment.commits).toEqual([1]);
  });

  test('ends before drain resolves', async () => {
    const { environment, commits, put } = setUp(aside);
    const all = [put(1), put(2)];
    await setImmediate();
    await commits.drain();
    expect(environment.stored.size).toBe(2);
    await Promise.all(all);
  });

  test('tells observers before its callers', async () => {
    const { commits, put } = setUp(aside);
    const heard: unknown[] = [];
    commits.observe({
      committed: (writes) => heard.push(Array.from(writes.keys(), (key) => key.charCodeAt(0))),
      failed: () => heard.push('failed'),
    });
    await Promise.all([1, 2].map((key) => put(key).then(() => heard.push(`answered ${key}`))));
    expect(heard).toEqual([[1], [2], 'answered 1', 'answered 2']);
  });

  test.each(['put', 'commit'] as const)(
    'that fails at a %s rejects its bodies and none that came later',
    async (part) => {
      const { environment, put, onFatal } = setUp(aside);
      environment.failing[part] = true;
      const first = [put(1), put(2)].map(codeOf);
      expect(await Promise.all(first)).toEqual(['store_unavailable', 'store_unavailable']);
      environment.failing[part] = false;
      expect(await Promise.all([put(3), put(4)].map(codeOf))).toEqual(['fine', 'fine']);
      expect([...environment.stored.keys()]).toEqual([3, 4]);
      expect(onFatal).not.toHaveBeenCalled();
    },
  );

  test('takes bodies of one half of the callers while the other half is answered', async () => {
    let now = 0;
    const { environment, commits } = setUp({ nowMs: () => now, asideBodiesMin: ASIDE_BODIES_MIN });
    let left = 20 * ASIDE_BODIES_MIN;
    const caller = async (): Promise<void> => {
      while (left-- > 0) {
        await commits.submit((tx) => {
          now += 0.01;
          tx.put(Uint8Array.from([1]), Uint8Array.from([1]));
        });
      }
    };
    await Promise.all(Array.from({ length: 4 * ASIDE_BODIES_MIN }, caller));
    const [all, ...later] = environment.commits;
    expect(all).toBe(4 * ASIDE_BODIES_MIN);
    expect(Math.max(...later)).toBeLessThan(4 * ASIDE_BODIES_MIN);
  });
});
