/** Heavy calls wait for a place, are refused beyond the bounds, and take turns. */
import { setImmediate } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';
import { AgentkeepError } from '../../contract/errors/agentkeep-error.js';
import { type HeavyBounds, type HeavyCall, HeavyWork } from './heavy-work.js';
import { UnreadAnswers } from './unread-answers.js';

const roomy = { calls: 100, working: 100 };
const bounds = (some: Partial<HeavyBounds>): HeavyBounds => ({
  principal: roomy,
  tenant: roomy,
  all: roomy,
  ...some,
});
const ann = { tenant: 'acme', principal: 'ann' };
const bob = { tenant: 'acme', principal: 'bob' };
const otto = { tenant: 'other', principal: 'otto' };
const cutNone = (): void => undefined;
const busy = new AgentkeepError('service_busy');

/** Returns the calls that were placed so far, by name. */
function placing(work: HeavyWork): { enter: typeof enter; placed: Map<string, HeavyCall> } {
  const placed = new Map<string, HeavyCall>();
  const enter = (name: string, party = ann): Promise<void> =>
    work.enter(party).then((call) => void placed.set(name, call));
  return { enter, placed };
}

describe('heavy work', () => {
  test.each([
    ['principal', [ann, ann], [bob, otto]],
    ['tenant', [ann, bob], [otto]],
    ['all', [ann, otto], []],
  ] as const)('refuses calls beyond the bound of each %s', async (group, within, others) => {
    const work = new HeavyWork(bounds({ [group]: { ...roomy, calls: 2 } }));
    const calls = await Promise.all(within.map((party) => work.enter(party)));
    await expect(work.enter(ann)).rejects.toThrow(busy);
    for (const party of others) (await work.enter(party)).end();
    calls[0]?.end();
    await expect(work.enter(ann)).resolves.toBeDefined();
  });

  test('lets calls beyond the bound of working ones wait, tenants in turn', async () => {
    const work = new HeavyWork(bounds({ all: { ...roomy, working: 1 } }));
    const { enter, placed } = placing(work);
    const all = [enter('a1'), enter('a2'), enter('a3'), enter('o1', otto)];
    const order: string[] = [];
    while (order.length < all.length) {
      await setImmediate();
      for (const [name, call] of placed) {
        order.push(name);
        placed.delete(name);
        call.end();
      }
    }
    expect(order).toEqual(['a1', 'a2', 'o1', 'a3']);
    expect(work.waiting).toBe(0);
  });

  test('does not let a waiting tenant block another one', async () => {
    const work = new HeavyWork(bounds({ tenant: { ...roomy, working: 1 } }));
    const { enter, placed } = placing(work);
    void enter('a1');
    void enter('a2');
    await enter('o1', otto);
    expect([...placed.keys()]).toEqual(['a1', 'o1']);
  });

  test('refuses calls of a party that has too much unread, also those that wait', async () => {
    const principal = { calls: 100, working: 1 };
    const refuse = { principal: 10, tenant: 100, all: 100 };
    const unread = new UnreadAnswers({ refuse, keep: { principal: 100, tenant: 100, all: 100 } });
    const work = new HeavyWork(bounds({ principal }), unread);
    const { enter, placed } = placing(work);
    const waiting = [enter('a1'), enter('a2'), enter('a3')];
    await setImmediate();
    const [one, two] = [unread.open(ann, cutNone), unread.open(ann, cutNone)];
    one.holds(6);
    placed.get('a1')?.end();
    await setImmediate();
    expect([...placed.keys()]).toEqual(['a1', 'a2']);
    two.holds(4);
    placed.get('a2')?.end();
    // Nothing was done for the third one.
    await expect(waiting[2]).rejects.toThrow(busy);
    await expect(work.enter(ann)).rejects.toThrow(busy);
    (await work.enter(bob)).end();
    one.holds(0);
    (await work.enter(ann)).end();
    expect(work.waiting).toBe(0);
  });

  test('gives one turn for each turn of the event loop, tenants in turn', async () => {
    const work = new HeavyWork(bounds({}));
    const order: string[] = [];
    const run = async (name: string, party: typeof ann): Promise<void> => {
      const call = await work.enter(party);
      for (let slice = 0; slice < 3; slice += 1) {
        await call.turn();
        order.push(name);
      }
      call.end();
    };
    const all = Promise.all([run('a', ann), run('b', bob), run('o', otto)]);
    // Nothing but the first slice runs before the event loop turns.
    await Promise.resolve();
    await setImmediate();
    expect(order.length).toBeLessThanOrEqual(2);
    await all;
    expect(order).toEqual(['a', 'b', 'o', 'a', 'o', 'b', 'o', 'a', 'b']);
  });
});
