/**
 * Compares a read by id, including proof and checks, with a raw get that decodes the same record.
 */
import { keepWithAgent, openRaw, recordAt, scope, temporaryDirectory } from './fixture.js';
import { compare, type Comparison, inFlight } from './measure.js';

const RECORDS = 5_000;
const READS = 50_000;

export async function* readBenchmarks(): AsyncGenerator<Comparison, void> {
  await using directory = await temporaryDirectory();
  await using rawDirectory = await temporaryDirectory();
  const { keep, agent } = await keepWithAgent({ dataDir: directory.path });
  const raw = openRaw(rawDirectory.path, 'msgpack');
  const ids: string[] = [];
  await inFlight(64, RECORDS, async (index) => {
    const options = { idempotencyKey: String(index) };
    const receipt = await agent.memory.create(scope, recordAt(index), options);
    const record = await agent.memory.read(scope, receipt.record_id);
    await raw.put(rawKey(receipt.record_id), record);
    ids.push(receipt.record_id);
  });
  const keys = ids.map(rawKey);
  yield await compare(
    'read by id',
    0.6,
    {
      operations: READS,
      round: async () => {
        for (let at = 0; at < READS; at++) await agent.memory.read(scope, ids[at % RECORDS] ?? '');
      },
    },
    {
      operations: READS,
      round: async () => {
        for (let at = 0; at < READS; at++) await raw.get(keys[at % RECORDS] ?? Buffer.alloc(0));
      },
    },
  );
  await keep.close();
  await raw.close();
}

function rawKey(id: string): Buffer {
  return Buffer.from(id.replaceAll('-', ''), 'hex');
}
