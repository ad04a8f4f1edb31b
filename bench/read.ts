/**
 * Compares a read by id, including proof and checks, with a raw get that decodes the same record,
 * and the check of a credential with a digest and a get written by hand.
 */
import { createHash } from 'node:crypto';
import { keepWithAgent, openRaw, recordAt, scope, temporaryDirectory } from './fixture.js';
import { compare, type Comparison, inFlight } from './measure.js';

const RECORDS = 5_000;
const READS = 50_000;
const CHECKS = 20_000;

export async function* readBenchmarks(): AsyncGenerator<Comparison, void> {
  await using directory = await temporaryDirectory();
  await using rawDirectory = await temporaryDirectory();
  const { keep, agent, secret } = await keepWithAgent({ dataDir: directory.path });
  const raw = openRaw(rawDirectory.path, 'msgpack');
  const ids: string[] = [];
  await inFlight(64, RECORDS, async (index) => {
    const options = { idempotencyKey: String(index) };
    const receipt = await agent.memory.in(scope).create(recordAt(index), options);
    const record = await agent.memory.in(scope).read(receipt.record_id);
    await raw.put(rawKey(receipt.record_id), record);
    ids.push(receipt.record_id);
  });
  const keys = ids.map(rawKey);
  yield await compare(
    'read by id',
    0.4,
    {
      operations: READS,
      round: async () => {
        for (let at = 0; at < READS; at++)
          await agent.memory.in(scope).read(ids[at % RECORDS] ?? '');
      },
    },
    {
      operations: READS,
      round: async () => {
        for (let at = 0; at < READS; at++) await raw.get(keys[at % RECORDS] ?? Buffer.alloc(0));
      },
    },
  );
  await raw.put(digestOf(secret), await agent.whoAmI());
  yield await compare(
    'credential check, 1 caller',
    0.25,
    {
      operations: CHECKS,
      round: async () => {
        for (let at = 0; at < CHECKS; at++) await (await keep.authenticate(secret)).whoAmI();
      },
    },
    {
      operations: CHECKS,
      round: async () => {
        for (let at = 0; at < CHECKS; at++) await raw.get(digestOf(secret));
      },
    },
  );
  await keep.close();
  await raw.close();
}

function rawKey(id: string): Buffer {
  return Buffer.from(id.replaceAll('-', ''), 'hex');
}

function digestOf(secret: string): Buffer {
  return createHash('sha256').update(secret).digest();
}
