/**
 * Stored rate limit policies: defaults are stored once, and changes apply in order once durable.
 */
import { describe, expect, test } from 'vitest';
import { findMarker, putMarker } from '../installation/marker-store.js';
import { runtimeOf } from '../../keep/keep.js';
import { openKeep } from '../../keep/open-keep.js';
import type { Runtime } from '../services/runtime.js';
import { storeOver } from '../../storage/store-testing/store-over.js';
import type { Store } from '../../storage/store/store.js';
import { ManualClock } from '../../testing/manual-clock.js';
import { defaultRateLimitPolicies, type RateLimitPolicy } from '../rate-limit/rate-limit-policy.js';
import {
  findRateLimitPolicy,
  listPolicies,
  putPolicy,
  readPolicySet,
  removePolicy,
} from './rate-limit-store.js';
import { changePolicies } from './stored-policies.js';
import { testStore } from '@agentkeep/testkit/test-store';

const LOGIN = '/api/v1/login';
const KEYS = '/api/v1/keys';

/** Returns a store that outlives the keeps opened over it. */
function lasting(): Store {
  const store = testStore();
  return storeOver(store, {
    close: () => Promise.resolve(),
  });
}

async function opened(
  run: (runtime: Runtime, clock: ManualClock) => Promise<void>,
  store: Store = lasting(),
): Promise<void> {
  const clock = new ManualClock();
  await using keep = await openKeep({ store, clock });
  await run(runtimeOf(keep), clock);
}

const loginPolicy = (policies: readonly RateLimitPolicy[]): RateLimitPolicy => {
  const found = policies.find(({ endpointType }) => endpointType === 'Login');
  if (found === undefined) throw new Error('There is no policy for Login.');
  return found;
};

describe('the first start', () => {
  test('stores the four defaults, each with an id', async () => {
    await opened(async ({ store, clock, rateLimiter }) => {
      const policies = await store.read((tx) => listPolicies(tx));
      const nowMs = clock.now();
      const dated = { createdAtMillis: nowMs, updatedAtMillis: nowMs, createdBy: 'system' };
      expect(policies.toReversed()).toEqual(
        defaultRateLimitPolicies.map((each, index) => ({
          ...each,
          id: policies.toReversed()[index]?.id,
          ...dated,
        })),
      );
      expect(new Set(policies.map(({ id }) => id)).size).toBe(4);
      expect(rateLimiter.peek(LOGIN, 'a').limit).toBe(100);
    });
  });

  test('RTL-18 stores the defaults once: later starts use what is stored, even if empty', async () => {
    const store = lasting();
    await opened(async (runtime) => {
      await changePolicies(runtime, (tx) => {
        for (const { id, endpointType } of listPolicies(tx)) {
          if (endpointType !== 'GeneralApi') removePolicy(tx, id);
        }
      });
    }, store);
    await opened(async (runtime) => {
      const { rateLimiter } = runtime;
      expect(rateLimiter.peek(LOGIN, 'a').limit).toBe(4_294_967_295);
      expect(rateLimiter.peek('/', 'a').limit).toBe(100_000);
      await changePolicies(runtime, (tx) => {
        for (const { id } of listPolicies(tx)) removePolicy(tx, id);
      });
    }, store);
    await opened(async (runtime) => {
      expect(await runtime.store.read((tx) => listPolicies(tx))).toEqual([]);
      expect(runtime.rateLimiter.peek('/', 'a').limit).toBe(4_294_967_295);
    }, store);
  });

  test('two concurrent openings of one store leave four policies', async () => {
    const store = lasting();
    const keeps = await Promise.all([openKeep({ store }), openKeep({ store })]);
    expect(await store.read((tx) => listPolicies(tx))).toHaveLength(4);
    for (const keep of keeps) expect(keep.rateLimiter.peek(LOGIN, 'a').limit).toBe(100);
    for (const keep of keeps) await keep.close();
  });

  test('unreadable policies prevent the start', async () => {
    const store = lasting();
    await store.transact((tx) => {
      putMarker(tx, 'rate_limit_revision', 'many');
    });
    await expect(openKeep({ store })).rejects.toThrow(
      expect.objectContaining({ code: 'storage_inconsistency' }),
    );
    expect(await store.read((tx) => findMarker(tx, 'rate_limit_revision'))).toBe('many');
  });
});

describe('a change', () => {
  test('applies when it is done, and refills only its own buckets', async () => {
    await opened(async (runtime) => {
      const { rateLimiter } = runtime;
      for (let taken = 0; taken < 40; taken++) rateLimiter.take(LOGIN, 'a');
      rateLimiter.take(KEYS, 'a');
      await changePolicies(runtime, (tx) => {
        putPolicy(tx, { ...loginPolicy(listPolicies(tx)), maxRequests: 7 });
      });
      expect(rateLimiter.peek(LOGIN, 'a')).toMatchObject({ limit: 7, remaining: 7 });
      expect(rateLimiter.peek(KEYS, 'a')).toMatchObject({ limit: 100, remaining: 99 });
    });
  });

  test('has no effect if it fails', async () => {
    await opened(async (runtime) => {
      runtime.rateLimiter.take(LOGIN, 'a');
      const before = await runtime.store.read(readPolicySet);
      const failed = changePolicies(runtime, (tx) => {
        removePolicy(tx, loginPolicy(listPolicies(tx)).id);
        throw new Error('no');
      });
      await expect(failed).rejects.toThrow('no');
      expect(await runtime.store.read(readPolicySet)).toEqual(before);
      expect(runtime.rateLimiter.peek(LOGIN, 'a')).toMatchObject({ limit: 100, remaining: 99 });
    });
  });

  test('never replaces one that was committed later', async () => {
    const store = lasting();
    const changes = 3;
    let answered = (): void => undefined;
    const last = new Promise<void>((resolve) => (answered = resolve));
    let committed = 0;
    const late: Store = {
      ...store,
      transact: async (body) => {
        const result = await store.transact(body);
        // The last commit is acknowledged first.
        if (++committed < changes) await last;
        return result;
      },
    };
    await opened(async (runtime) => {
      const change = async (maxRequests: number): Promise<number> => {
        await changePolicies({ ...runtime, store: late }, (tx) => {
          putPolicy(tx, { ...loginPolicy(listPolicies(tx)), maxRequests });
        });
        if (maxRequests === changes) answered();
        return runtime.rateLimiter.peek(LOGIN, 'a').limit;
      };
      expect(await Promise.all([change(1), change(2), change(3)])).toEqual([3, 3, 3]);
    }, store);
  });
});

test('a list is ordered from newest to oldest, and can start after an id', async () => {
  await opened(async ({ store }) => {
    const all = await store.read((tx) => listPolicies(tx));
    expect(all.map(({ id }) => id)).toEqual(
      all
        .map(({ id }) => id)
        .sort()
        .toReversed(),
    );
    const [first, second] = all;
    expect(await store.read((tx) => listPolicies(tx, { limit: 2 }))).toEqual([first, second]);
    const behind = await store.read((tx) => listPolicies(tx, { after: second?.id, limit: 9 }));
    expect(behind).toEqual(all.slice(2));
    expect(await store.read((tx) => findRateLimitPolicy(tx, String(first?.id)))).toEqual(first);
  });
});
