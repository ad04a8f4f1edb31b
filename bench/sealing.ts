/** Compares an encrypted keep with a plain one: commands, reads by id, queries and recall. */
import { join } from 'node:path';
import { encryptionKeys } from '@agentkeep/core/operator';
import type { Agent, Keep } from '@agentkeep/core';
import { keepWithAgent, recordAt, scope, temporaryDirectory } from './fixture.js';
import { compare, type Comparison, type Contender, inFlight } from './measure.js';

/** Encryption may take this part of the speed. */
const TARGET = 0.85;
const RECORDS = 2_000;

interface Case {
  readonly name: string;
  readonly operations: number;
  readonly callers: number;
  run(work: Work, index: number): Promise<unknown>;
}

/** One of the two keeps. */
interface Work {
  readonly keep: Keep;
  readonly agent: Agent;
  readonly ids: readonly string[];
}

const idAt = ({ ids }: Work, index: number): string => ids[(index * 7) % ids.length] ?? '';

const cases: readonly Case[] = [
  ...[1, 64].map((callers) => ({
    name: `command, ${callers} callers`,
    operations: callers === 1 ? 200 : 2_000,
    callers,
    run: ({ agent }: Work, index: number) =>
      agent.memory.in(scope).create(recordAt(index), { idempotencyKey: `bench-${index}` }),
  })),
  {
    name: 'read by id',
    operations: 20_000,
    callers: 1,
    run: (work, index) => work.agent.memory.in(scope).read(idAt(work, index)),
  },
  {
    name: 'recall',
    operations: 100,
    callers: 1,
    run: ({ agent }, index) =>
      agent.memory.in(scope).recall(recordAt(index % 100).content.primary.slice(0, 60)),
  },
];

/** One comparison for each case; the plain keep stands for the raw part. */
export async function* sealingBenchmarks(): AsyncGenerator<Comparison, void> {
  await using directory = await temporaryDirectory();
  const encryption = {
    keysDir: join(directory.path, 'keys'),
    rootKey: { file: join(directory.path, 'root.key') },
  };
  await encryptionKeys.make(encryption);
  const sealed = await filled(
    await keepWithAgent({ dataDir: join(directory.path, 'sealed'), encryption }),
  );
  const plain = await filled(await keepWithAgent({ dataDir: join(directory.path, 'plain') }));
  for (const each of cases) {
    const { name } = each;
    const ours = contender(each, sealed);
    const result = await compare(`${name}, encrypted`, TARGET, ours, contender(each, plain));
    yield { ...result, against: 'not encrypted' };
  }
  await sealed.keep.close();
  await plain.keep.close();
}

async function filled({ keep, agent }: { keep: Keep; agent: Agent }): Promise<Work> {
  const ids: string[] = [];
  await inFlight(64, RECORDS, async (index) => {
    const options = { idempotencyKey: String(index) };
    const receipt = await agent.memory.in(scope).create(recordAt(index), options);
    ids.push(receipt.record_id);
  });
  return { keep, agent, ids };
}

function contender(each: Case, work: Work): Contender {
  const { operations, callers } = each;
  const first = (cases.indexOf(each) + 1) * 1_000_000;
  return {
    operations,
    round: async (index) => {
      await inFlight(callers, operations, async (at) => {
        await each.run(work, first + index * operations + at);
      });
    },
  };
}
