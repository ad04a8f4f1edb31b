/** The log of a target: who may append, what is refused, and what to do then. */
import { beforeEach, describe, expect, test } from 'vitest';
import { FrameChain } from '../../../../test/frames-kit.js';
import { MemoryObjects, MemoryTarget } from '../../../../test/replica-kit.js';
import { sha256Text } from '../../../contract/digest.js';
import { NO_FRAME } from '../../../storage/frames/frame.js';
import { decodeSlot, encodeSegment, framesOf, slotName, slotOfName } from './replica-slot.js';
import { ReplicaLog } from './replica-log.js';
import { slotsAfter } from './verify-slots.js';

let shared: MemoryObjects;
let chain: FrameChain;

beforeEach(() => {
  shared = new MemoryObjects();
  chain = new FrameChain('a');
});

const logOf = (directory: string, store = 'store'): Promise<ReplicaLog> =>
  ReplicaLog.open({ target: new MemoryTarget(shared), store, directory });

async function begun(directory = 'a'): Promise<ReplicaLog> {
  const log = await logOf(directory);
  await log.claim({ last: NO_FRAME, generation: 'next' });
  return log;
}

/** A slot whose head a later version wrote. */
function laterSlot(): Uint8Array {
  const rest = Buffer.from('....{"format":2}');
  rest.writeUInt32BE(rest.length - 4);
  return Buffer.concat([
    Buffer.from('AKSLOT1\n'),
    Buffer.from(sha256Text(rest, 'hex'), 'hex'),
    rest,
  ]);
}

async function framesIn(after = 0): Promise<Uint8Array[]> {
  const frames: Uint8Array[] = [];
  const target = new MemoryTarget(shared);
  for await (const slot of slotsAfter(target, after, 'store'))
    frames.push(...(await framesOf(slot)));
  return frames.map((frame) => Uint8Array.from(frame));
}

describe('appending', () => {
  test('REP-44 a log has the frames that were appended, each once and in order', async () => {
    const log = await begun();
    await log.append(chain.add(3));
    await log.append(chain.add(2, 100_000));
    await log.append(chain.frames);
    await log.append([]);
    expect(await framesIn()).toEqual(chain.frames);
    expect(log.tip).toMatchObject({ slot: 3, epoch: 1, generation: 1, last: chain.last });
    const reopened = await logOf('a');
    expect([reopened.isOurs, reopened.tip]).toEqual([true, log.tip]);
  });

  test('REP-44 an append whose answer was lost is not made twice', async () => {
    const log = await begun();
    const first = chain.add(2);
    shared.onAccess = (name, after) => {
      if (name === slotName(2) && after) throw new Error('the connection broke');
    };
    await expect(log.append(first)).rejects.toMatchObject({ code: 'replica_unavailable' });
    shared.onAccess = () => undefined;
    await log.append([...first, ...chain.add(1)]);
    expect(await framesIn()).toEqual(chain.frames);
    expect(log.tip?.slot).toBe(3);
  });

  test('a writer that starts again recognises its frames in a slot that came late', async () => {
    await begun();
    const again = await logOf('a');
    const late = await logOf('a');
    await late.append(chain.add(2));
    await again.append([...chain.frames, ...chain.add(1)]);
    expect(await framesIn()).toEqual(chain.frames);
  });
});

describe('REP-45 two writers', () => {
  test('of two primaries exactly one appends, and the other one never again', async () => {
    const old = await begun('a');
    await old.append(chain.add(2));
    const revived = await logOf('a');
    const promoted = await logOf('b');
    await promoted.claim({ last: chain.last, generation: 'same' });
    const other = new FrameChain('b', chain.last);
    const outcomes = await Promise.allSettled([
      old.append(chain.add(1)),
      revived.append(chain.frames),
      promoted.append(other.add(1)),
    ]);
    expect(outcomes.map(({ status }) => status)).toEqual(['rejected', 'rejected', 'fulfilled']);
    for (const log of [old, revived]) {
      const refused: unknown = await log.append(chain.frames).catch((error: unknown) => error);
      expect(refused).toMatchObject({
        code: 'replica_fenced',
        retryable: false,
        message:
          'The data directory b writes to this replication target, since slot 3 in epoch 2, so ' +
          'this one writes nothing more to it. Serve only one of the two: stop this server, or ' +
          'name another target for it.',
      });
      expect(log.isOurs).toBe(false);
    }
    expect(await framesIn()).toEqual([...chain.frames.slice(0, 2), ...other.frames]);
    expect((await logOf('a')).isOurs).toBe(false);
  });

  test('REP-79 a writer whose place a later version took is fenced by a slot that it cannot read', async () => {
    const old = await begun();
    await old.append(chain.add(1));
    shared.objects.set(slotName(3), laterSlot());
    const fenced = {
      code: 'replica_fenced',
      message: expect.stringContaining('A later version of Agentkeep writes') as unknown,
    };
    await expect(old.append(chain.add(1))).rejects.toMatchObject(fenced);
    await expect(old.append(chain.add(1))).rejects.toMatchObject(fenced);
    await expect(logOf('b')).rejects.toMatchObject({ code: 'store_incompatible' });
  });

  test('of two copies of one directory exactly one appends', async () => {
    const one = await begun('a');
    await one.append(chain.add(1));
    const copy = await logOf('a');
    const copied = new FrameChain('copy', chain.last);
    await one.append(chain.add(1));
    await expect(copy.append(copied.add(1))).rejects.toMatchObject({
      code: 'replica_fenced',
      message: expect.stringContaining('A copy of this data directory writes'),
    });
    await one.append(chain.add(1));
    expect(await framesIn()).toEqual(chain.frames);
  });

  test('a directory that lacks frames of the log cannot take it over', async () => {
    const old = await begun('a');
    await old.append(chain.add(1));
    const behind = chain.last;
    const follower = await logOf('b');
    await old.append(chain.add(1));
    for (const log of [follower, await logOf('b')]) {
      const refused = log.claim({ last: behind, generation: 'same' });
      await expect(refused).rejects.toMatchObject({ code: 'replica_behind' });
    }
    await old.append(chain.add(1));
    expect(await framesIn()).toEqual(chain.frames);
  });

  test('a directory begins a generation of its own after any frame', async () => {
    const old = await begun('a');
    await old.append(chain.add(3));
    const other = new FrameChain('b');
    other.add(1);
    const restored = await logOf('b');
    await restored.claim({ last: other.last, generation: 'next' });
    await restored.append(other.add(1));
    expect(restored.tip).toMatchObject({ epoch: 2, generation: 2, last: { position: 2 } });
    expect(await framesIn(2)).toEqual(other.frames.slice(1));
    await expect(old.append(chain.add(1))).rejects.toMatchObject({ code: 'replica_fenced' });
  });

  test('a claim whose answer was lost is repeated', async () => {
    const log = await logOf('a');
    shared.onAccess = (_name, after) => {
      if (after) throw new Error('the connection broke');
    };
    const claim = { last: NO_FRAME, generation: 'next' } as const;
    await expect(log.claim(claim)).rejects.toMatchObject({ code: 'replica_unavailable' });
    shared.onAccess = () => undefined;
    await log.claim(claim);
    await log.append(chain.add(1));
    expect(await framesIn()).toEqual(chain.frames);
  });
});

describe('REP-46 refuses', () => {
  const tampered = async (tamper: () => void | Promise<void>, after = 0): Promise<unknown> => {
    const log = await begun();
    for (let slot = 2; slot <= 5; slot += 1) await log.append(chain.add(2));
    await tamper();
    return framesIn(after).catch((error: unknown) => error);
  };
  const move = (from: string, to: string): void => {
    shared.objects.set(to, shared.objects.get(from)!);
  };

  test('a damaged slot, whichever bit of it', async () => {
    const name = slotName(3);
    const size = await begun()
      .then((log) => log.append(chain.add(1)))
      .then(() => shared.objects.get(slotName(2))!.length);
    for (let at = 0; at < size; at += 7) {
      [shared, chain] = [new MemoryObjects(), new FrameChain('a')];
      const refused = await tampered(() => {
        shared.objects.get(name)![at]! ^= 1 << (at % 8);
      });
      expect(refused).toMatchObject({
        code: 'replica_damaged',
        message:
          'Part of the replication target does not verify. Restore a moment before it, or put a ' +
          'copy of that part back.',
        cause: { message: expect.stringContaining(name) },
      });
    }
  });

  test.each([0, 20, 44, 60, 400])('a slot that is cut to %d bytes', async (length) => {
    const refused = await tampered(() => {
      move(slotName(3), slotName(3));
      shared.objects.set(slotName(3), shared.objects.get(slotName(3))!.subarray(0, length));
    });
    expect(refused).toMatchObject({ code: 'replica_damaged' });
  });

  test('a log without one of its slots, and a start that is not there', async () => {
    const lost = { code: 'replica_missing', message: expect.stringContaining('is missing') };
    expect(await tampered(() => void shared.objects.delete(slotName(3)))).toMatchObject(lost);
    await expect(framesIn(3)).rejects.toMatchObject(lost);
    expect(await framesIn(4)).toEqual(chain.frames.slice(6));
  });

  test('a base copy without its log', async () => {
    shared.objects.set('base/1', new Uint8Array());
    await expect(logOf('a')).rejects.toMatchObject({ code: 'replica_missing' });
  });

  test('a slot that is there twice', async () => {
    const refused = await tampered(() => {
      move(slotName(3), slotName(4));
    });
    expect(refused).toMatchObject({
      code: 'replica_doubled',
      cause: { message: expect.stringContaining('is a copy of log/0000000000000003') },
    });
  });

  test('a slot of another store', async () => {
    const mine = shared;
    [shared, chain] = [new MemoryObjects(), new FrameChain('a')];
    const log = await logOf('a', 'other');
    await log.claim({ last: NO_FRAME, generation: 'next' });
    await log.append(chain.add(2));
    const foreign = shared.objects.get(slotName(2))!;
    [shared, chain] = [mine, new FrameChain('a')];
    const refused = await tampered(() => void shared.objects.set(slotName(2), foreign));
    expect(refused).toMatchObject({ code: 'replica_foreign' });
    await expect(logOf('a', 'other')).rejects.toMatchObject({ code: 'replica_foreign' });
  });

  test('a slot of another history of the same store', async () => {
    const before = await tampered(() => undefined);
    expect(before).toHaveLength(8);
    const kept = shared.objects.get(slotName(4))!;
    [shared, chain] = [new MemoryObjects(), new FrameChain('b')];
    const refused = await tampered(() => void shared.objects.set(slotName(4), kept));
    expect(refused).toMatchObject({ code: 'replica_damaged' });
  });

  test('a slot that was written in an epoch that had ended', async () => {
    const old = await begun('a');
    await old.append(chain.add(1));
    const promoted = await logOf('b');
    await promoted.claim({ last: chain.last, generation: 'same' });
    const late = chain.add(1);
    const { digest } = decodeSlot(3, shared.objects.get(slotName(3))!);
    const { bytes } = await encodeSegment(
      { slot: 4, epoch: 1, generation: 1, store: 'store', directory: 'a', previous: digest },
      late,
    );
    shared.objects.set(slotName(4), bytes);
    await expect(framesIn()).rejects.toMatchObject({
      code: 'replica_epoch',
      message: expect.stringContaining('Restore a moment before it'),
      cause: { message: expect.stringContaining('of epoch 1 of the directory a, where epoch 2') },
    });
  });
});

describe('REP-46 reading ahead', () => {
  test('slots are read before they are asked for, at most 16, and come in order', async () => {
    const log = await begun();
    for (let slot = 0; slot < 60; slot += 1) await log.append(chain.add(1));
    let read = 0;
    shared.onAccess = (name) => {
      if (name !== 'list') read = Math.max(read, slotOfName(name));
    };
    const ahead: number[] = [];
    for await (const { head } of slotsAfter(new MemoryTarget(shared), 0, 'store')) {
      ahead.push(read - head.slot);
    }
    expect(ahead).toHaveLength(61);
    // One, then twice as many with each slot that was there.
    expect(ahead.slice(0, 7)).toEqual([0, 1, 3, 7, 15, 15, 15]);
    expect(Math.max(...ahead)).toBe(15);
  });

  test('a slot that is written while earlier ones are read is read too', async () => {
    const log = await begun();
    await log.append(chain.add(1));
    await log.append(chain.add(1));
    const found: number[] = [];
    for await (const { head } of slotsAfter(new MemoryTarget(shared), 0, 'store')) {
      found.push(head.slot);
      if (head.slot < 10) await log.append(chain.add(1));
    }
    expect(found).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12]);
  });

  test('what lies behind the slots that are asked for need not be readable', async () => {
    const log = await begun();
    for (let slot = 0; slot < 9; slot += 1) await log.append(chain.add(1));
    shared.objects.set(slotName(8), Buffer.from('damaged'));
    shared.onAccess = (name) => {
      if (name === slotName(9)) throw new Error('the disk fails');
    };
    for await (const { head } of slotsAfter(new MemoryTarget(shared), 0, 'store')) {
      if (head.slot === 7) break;
    }
    await expect(framesIn()).rejects.toMatchObject({ code: 'replica_damaged' });
  });
});
