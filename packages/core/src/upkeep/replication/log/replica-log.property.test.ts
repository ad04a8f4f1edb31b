/** Random histories of writers of one log, in all orders of their calls, against what must hold. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { FrameChain } from '../../../../test/frames-kit.js';
import { MemoryObjects, MemoryTarget } from '../../../../test/replica-kit.js';
import { AgentkeepError } from '../../../contract/errors/agentkeep-error.js';
import { digestOfFrame } from '../../../storage/frames/frame.js';
import { framesOf } from './replica-slot.js';
import { ReplicaLog } from './replica-log.js';
import { slotsAfter } from './verify-slots.js';

/** What a writer does next. */
type Step = 'append' | 'take over' | 'begin' | 'restart';

/** A data directory that appends to the log, and what must be in the log for it. */
class Writer {
  readonly #shared: MemoryObjects;
  readonly #directory: string;
  readonly #chain: FrameChain;
  #log: ReplicaLog | undefined;
  #isFenced = false;
  /** Digests of frames whose append was answered. */
  readonly acknowledged: string[] = [];

  constructor(shared: MemoryObjects, directory: string, name: string) {
    this.#shared = shared;
    this.#directory = directory;
    this.#chain = new FrameChain(name);
  }

  async run(steps: readonly Step[]): Promise<void> {
    for (const step of steps) {
      try {
        await this.#take(step);
      } catch (error) {
        if (!(error instanceof AgentkeepError)) throw error;
        if (error.code === 'replica_fenced') this.#isFenced = true;
        else expect(['replica_unavailable', 'replica_behind']).toContain(error.code);
      }
    }
  }

  async #take(step: Step): Promise<void> {
    if (this.#log === undefined || step === 'restart') {
      const target = new MemoryTarget(this.#shared);
      this.#log = await ReplicaLog.open({ target, store: 'store', directory: this.#directory });
      // A copy whose frames still continue the log may write again.
      this.#isFenced = false;
    }
    const log = this.#log;
    if (step === 'append' && log.tip !== undefined) await this.#append(log);
    if (step === 'begin') {
      await this.#begin(log);
      // Its base copy has the frames up to here.
      this.#continue();
    } else if (step === 'take over' && log.tip !== undefined && !log.isOurs) {
      const { last } = log.tip;
      await log.claim({ last, generation: 'same' });
      this.#chain.follow(last);
      this.#continue();
    }
  }

  /** Repeats a claim until it is answered, as a shipper does. */
  async #begin(log: ReplicaLog): Promise<void> {
    try {
      await log.claim({ last: this.#chain.last, generation: 'next' });
    } catch (error) {
      if (!(error instanceof AgentkeepError && error.retryable)) throw error;
      await this.#begin(log);
    }
  }

  async #append(log: ReplicaLog): Promise<void> {
    this.#chain.add(2);
    await log.append(this.#chain.frames);
    expect(this.#isFenced).toBe(false);
    this.acknowledged.push(...this.#chain.frames.map(digestOfFrame));
  }

  #continue(): void {
    this.#chain.follow(this.#chain.last);
    this.#isFenced = false;
  }
}

const stepsOf = fc.array(
  fc.oneof(
    { weight: 6, arbitrary: fc.constant<Step>('append') },
    { weight: 2, arbitrary: fc.constant<Step>('take over') },
    { weight: 1, arbitrary: fc.constant<Step>('begin') },
    { weight: 1, arbitrary: fc.constant<Step>('restart') },
  ),
  { maxLength: 12 },
);

/** Fails the accesses with these numbers, before they happen or after a creation. */
function failAt(shared: MemoryObjects, numbers: ReadonlySet<number>): void {
  let count = 0;
  shared.onAccess = () => {
    count += 1;
    if (numbers.has(count)) throw new Error('the connection broke');
  };
}

async function digestsIn(shared: MemoryObjects): Promise<string[]> {
  const found: string[] = [];
  for await (const slot of slotsAfter(new MemoryTarget(shared), 0, 'store')) {
    found.push(...(await framesOf(slot)).map(digestOfFrame));
  }
  return found;
}

test('REP-45 writers in any order, with lost answers: what is answered is there, once, and no fenced one appends', async () => {
  let appends = 0;
  await fc.assert(
    fc.asyncProperty(
      fc.scheduler(),
      fc.tuple(stepsOf, stepsOf, stepsOf),
      fc.uniqueArray(fc.nat({ max: 60 }), { maxLength: 8 }),
      async (scheduler, scripts, failures) => {
        const shared = new MemoryObjects();
        shared.turn = () => scheduler.schedule(Promise.resolve());
        failAt(shared, new Set(failures));
        // The last one is a copy of the directory of the first one.
        const writers = ['a', 'b', 'a'].map(
          (directory, at) => new Writer(shared, directory, `${directory}${at}`),
        );
        const runs = writers.map((writer, at) => writer.run(['begin', ...(scripts[at] ?? [])]));
        await scheduler.waitFor(Promise.all(runs));
        shared.turn = () => Promise.resolve();
        shared.onAccess = () => undefined;
        const found = await digestsIn(shared);
        expect(new Set(found).size).toBe(found.length);
        for (const { acknowledged } of writers) {
          expect(acknowledged.filter((digest) => !found.includes(digest))).toEqual([]);
          appends += acknowledged.length;
        }
      },
    ),
    { numRuns: 300 },
  );
  expect(appends).toBeGreaterThan(100);
});

test('REP-46 a log that was changed in any one place gives the frames before it, then an error', async () => {
  const codes = new Set<unknown>();
  await fc.assert(
    fc.asyncProperty(
      fc.integer({ min: 1, max: 6 }),
      fc.constantFrom('cut', 'flip', 'remove', 'replace'),
      fc.nat(),
      async (slot, change, place) => {
        const shared = new MemoryObjects();
        const target = new MemoryTarget(shared);
        const log = await ReplicaLog.open({ target, store: 'store', directory: 'a' });
        const chain = new FrameChain('a');
        await log.claim({ last: chain.last, generation: 'next' });
        for (let at = 0; at < 6; at += 1) await log.append(chain.add(1));
        const before = await digestsIn(shared);
        const names = [...shared.objects.keys()].sort();
        const name = names[slot - 1] ?? '';
        const bytes = shared.objects.get(name)!;
        const other = names[(slot + (place % 5)) % 6] ?? '';
        if (change === 'remove') shared.objects.delete(name);
        else if (change === 'cut')
          shared.objects.set(name, bytes.subarray(0, place % bytes.length));
        else if (change === 'replace') shared.objects.set(name, shared.objects.get(other)!);
        else bytes[place % bytes.length]! ^= 1 << (place % 8);
        const found: string[] = [];
        const read = async (): Promise<void> => {
          for await (const each of slotsAfter(target, 0, 'store')) {
            found.push(...(await framesOf(each)).map(digestOfFrame));
          }
        };
        const error: unknown = await read().catch((thrown: unknown) => thrown);
        expect(error).toBeInstanceOf(AgentkeepError);
        codes.add((error as AgentkeepError).code);
        expect(found).toEqual(before.slice(0, slot === 1 ? 0 : slot - 2));
      },
    ),
    { numRuns: 300 },
  );
  expect([...codes].sort()).toEqual(['replica_damaged', 'replica_doubled', 'replica_missing']);
});
