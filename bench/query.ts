/**
 * Compares queries that examine 10,000 records, without and with the segment cache, with a raw
 * range over the same folded texts and a search of them in memory. Measures words among many.
 */
import { keepWithAgent, openRaw, recordAt, scope, temporaryDirectory } from './fixture.js';
import { compare, type Comparison, type Contender, inFlight, type Reading } from './measure.js';
import { searchBenchmarks } from './search.js';

const RECORDS = 10_000;
/** Starts with common letters: rare first letters would flatter any search. */
const NEEDLE = 'retry timeouts';
/** Is in no text, but all its parts of four bytes are, so that no signature excludes it. */
const SPREAD_NEEDLE = 'picked the queue';

export async function* queryBenchmarks(): AsyncGenerator<Comparison | Reading, void> {
  yield* await comparisons();
  yield* searchBenchmarks();
}

async function comparisons(): Promise<Comparison[]> {
  await using plainDirectory = await temporaryDirectory();
  await using directory = await temporaryDirectory();
  await using rawDirectory = await temporaryDirectory();
  const plain = await keepWithAgent({ dataDir: plainDirectory.path, queryCacheBytes: 0 });
  const cached = await keepWithAgent({ dataDir: directory.path });
  const raw = openRaw(rawDirectory.path, 'binary');
  const texts: Buffer[] = [];
  await inFlight(64, RECORDS, async (index) => {
    const record = recordAt(index);
    const options = { idempotencyKey: String(index) };
    const receipt = await plain.agent.memory.in(scope).create(record, options);
    await cached.agent.memory.in(scope).create(record, options);
    const { primary, secondary, context } = record.content;
    const folded = Buffer.from([primary, secondary, context].join('\u0000').toLowerCase());
    texts.push(folded);
    await raw.put(Buffer.from(receipt.record_id.replaceAll('-', ''), 'hex'), folded);
  });
  const memory = Buffer.concat(texts);
  const range: Contender = once(() => {
    let bytes = 0;
    for (const { value } of raw.getRange()) bytes += (value as Buffer).length;
    return bytes > 0;
  });
  const search: Contender = once(() => memory.indexOf(SPREAD_NEEDLE) === -1);
  const compared = [
    await compare('query of 10,000 without cache', 0.75, queryOf(plain, NEEDLE), range),
    await compare('query of 10,000 with cache', 0.5, queryOf(cached, SPREAD_NEEDLE), search),
  ];
  await plain.keep.close();
  await cached.keep.close();
  await raw.close();
  return compared;
}

function queryOf(
  { agent }: Pick<Awaited<ReturnType<typeof keepWithAgent>>, 'agent'>,
  text: string,
): Contender {
  return {
    operations: 1,
    round: async () => {
      const page = await agent.memory.in(scope).queryPage({ text_contains: text });
      if (page.scanned_records !== RECORDS) throw new Error('The query examined too little.');
    },
  };
}

function once(work: () => boolean): Contender {
  return {
    operations: 1,
    round: () => (work() ? Promise.resolve() : Promise.reject(new Error('The work was wrong.'))),
  };
}
