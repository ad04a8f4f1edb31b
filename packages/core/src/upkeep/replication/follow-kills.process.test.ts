/**
 * What a standby has after each kill of the process that follows, while its primary goes on. The
 * variable AGENTKEEP_KILLS sets the number of kills.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { cp, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { randomFrom } from '@agentkeep/testkit/random';
import { afterAll, expect, inject, test } from 'vitest';
import { contentOf, ReplicatedStore } from '../../../test/replicated-store.js';
import { openKeep } from '../../keep/open-keep.js';
import { agentFor, followReplica } from '../../operator.js';
import { framePointIn } from '../../storage/lmdb-store/frame-point.js';
import { slotName } from './log/replica-slot.js';

const KILLS = Number(process.env['AGENTKEEP_KILLS'] ?? '6');

/** Follows, and prints a line at the start and after each change. */
const FOLLOWER = `
const [, module, target, dataDir] = process.argv;
const { followReplica } = await import(module);
console.log('started');
await followReplica({ target, dataDir, pollMs: 100, onChange: () => console.log('changed') });
console.log('reached');
`;

const module = new URL('../../../dist/operator.js', import.meta.url).href;

const home = await mkdtemp(join(tmpdir(), 'agentkeep-follow-kills-'));
const [target, dataDir] = [join(home, 'target'), join(home, 'standby')];
afterAll(() => rm(home, { recursive: true }));

/** Lets a process follow until it has printed a line, and kills it so many milliseconds later. */
async function killed(line: string, delayMs: number, meanwhile: () => Promise<void>) {
  const flags = ['--input-type=module', '--eval', FOLLOWER];
  const child = spawn(process.execPath, [...flags, module, target, dataDir], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const exit = once(child, 'exit');
  for await (const printed of createInterface({ input: child.stdout })) {
    if (printed === line) break;
  }
  const writing = meanwhile();
  await new Promise((resolve) => setTimeout(resolve, delayMs));
  child.kill('SIGKILL');
  await Promise.all([exit, writing]);
}

// docs/contract/replication.md#rep-70
test(
  'a standby has the state of one commit after each kill, and goes on from it',
  { timeout: 300_000 + KILLS * 60_000 },
  async () => {
    const next = randomFrom(Number(inject('seed')) + 55);
    const source = await ReplicatedStore.open(join(home, 'data'), target);
    const keep = await openKeep({ store: source.store, dataDir: join(home, 'beside') });
    const agent = await agentFor(keep, { tenantId: 'acme', subjectId: 'ann' });
    const write = async (): Promise<void> => {
      for (let step = 0; step < 30; step += 1) {
        await agent.memory.remember(`${step} `.repeat(1 + next(400)), { name: `fact-${next(40)}` });
        if (next(3) === 0) await source.ship(1 + next(5));
      }
      await source.ship();
    };
    await write();
    const positions: number[] = [];
    for (let round = 0; round < KILLS; round += 1) {
      // Every third round begins with a whole copy, because the target removed what follows.
      if (round % 3 === 2) {
        await write();
        const { slot = 1 } = source.log.tip ?? {};
        await source.base();
        for (let at = 1; at < slot; at += 1) await source.target.remove(slotName(at));
      }
      await killed(
        round % 2 === 0 ? 'started' : 'reached',
        next(round % 3 === 2 ? 1_500 : 300),
        write,
      );
      if (!existsSync(join(dataDir, 'data.mdb'))) continue;
      const copy = join(home, 'copy');
      await cp(dataDir, copy, { recursive: true });
      await rm(join(copy, 'lock.mdb'), { force: true });
      const { position = 0 } = (await framePointIn(copy)) ?? {};
      expect(await contentOf(copy)).toEqual(source.contentAt(position));
      positions.push(position);
      await rm(copy, { recursive: true });
    }
    await source.ship();
    const follower = await followReplica({ target, dataDir });
    await follower.close();
    expect(follower.status.position).toBe(source.log.tip?.last.position);
    expect(positions).toEqual(positions.toSorted((a, b) => a - b));
    expect(await contentOf(dataDir)).toEqual(source.contentAt(follower.status.position));
    await keep.close();
  },
);
