/** Compares a query that examines 10,000 records with a raw range over the same folded texts. */
import { keepWithAgent, openRaw, recordAt, scope, temporaryDirectory } from './fixture.js';
import { compare, type Comparison, inFlight } from './measure.js';

const RECORDS = 10_000;
/** Starts with common letters: rare first letters would flatter any search. */
const NEEDLE = 'retry timeouts';

export async function* queryBenchmarks(): AsyncGenerator<Comparison, void> {
  await using directory = await temporaryDirectory();
  await using rawDirectory = await temporaryDirectory();
  const { keep, agent } = await keepWithAgent({ dataDir: directory.path });
  const raw = openRaw(rawDirectory.path, 'binary');
  await inFlight(64, RECORDS, async (index) => {
    const record = recordAt(index);
    const receipt = await agent.memory.create(scope, record, { idempotencyKey: String(index) });
    const { primary, secondary, context } = record.content;
    const folded = [primary, secondary, context].join('\u0000').toLowerCase();
    await raw.put(Buffer.from(receipt.record_id.replaceAll('-', ''), 'hex'), Buffer.from(folded));
  });
  yield await compare(
    'query over 10,000 records',
    0.67,
    {
      operations: 1,
      round: async () => {
        const page = await agent.memory.queryPage(scope, { textContains: NEEDLE });
        if (page.scanned_records !== RECORDS) throw new Error('The query examined too little.');
      },
    },
    {
      operations: 1,
      round: () => {
        let bytes = 0;
        for (const { value } of raw.getRange()) bytes += (value as Buffer).length;
        return bytes > 0 ? Promise.resolve() : Promise.reject(new Error('The range was empty.'));
      },
    },
  );
  await keep.close();
  await raw.close();
}
