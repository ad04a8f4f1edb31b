/** Searches a whole store for texts, knowing nothing of what its entries are. */
import { inflateRawSync } from 'node:zlib';
import type { Fixture } from '../harness/fixture.js';

/** Where the content of a deflated value begins: behind its version and its mark. */
const DEFLATED_AT = 2;

/** Returns the texts that occur in any key or value, with one of the places where. */
export async function textsLeftIn(
  { store }: Pick<Fixture, 'store'>,
  texts: readonly string[],
): Promise<string[]> {
  return store.read((tx) => {
    const found = new Set<string>();
    const range = { from: new Uint8Array(), to: Buffer.alloc(64, 0xff) };
    for (const { key, value } of tx.range(range)) {
      const where = [Buffer.from(key).toString(), Buffer.from(value).toString(), inflated(value)];
      for (const text of texts) if (where.some((each) => each.includes(text))) found.add(text);
    }
    return [...found];
  });
}

function inflated(value: Uint8Array): string {
  try {
    return inflateRawSync(Buffer.from(value.subarray(DEFLATED_AT))).toString('utf8');
  } catch {
    return '';
  }
}
