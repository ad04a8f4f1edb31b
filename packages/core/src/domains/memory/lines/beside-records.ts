/** Reads what other families have of the records of a slice. */
import { branchOf, type Namespace } from '../../../kernel/access/namespace.js';
import { asBuffer } from '../../../storage/store/bytes.js';
import { partsOfKey } from '../../../storage/store/key.js';
import type { Entry, HeldState } from '../../../storage/store/store.js';
import { entriesBetween } from '../../../upkeep/lines/state-slices.js';
import { memorySources } from '../record/source-store.js';
import { basesBetween } from './branch-lines.js';
import { type BesideRecords, sourcesIn } from './record-lines.js';

/** Returns what other families have of the records that entries are of. */
export async function besideRecords(
  state: HeldState,
  { tenantId, digest, parts }: Namespace,
  entries: readonly Entry[],
): Promise<BesideRecords> {
  const namespace = asBuffer(digest).toString('base64url');
  const ids = [entries[0], entries.at(-1)].flatMap((entry) =>
    entry === undefined ? [] : [String(partsOfKey(['digest', 'uuid'], entry.key)[1])],
  );
  const [first, last] = ids;
  if (first === undefined || last === undefined) throw new TypeError('A slice has entries.');
  const part = { tenantId, family: memorySources };
  const sources = sourcesIn(await entriesBetween(state, part, [digest, first], [digest, last]));
  const branch = branchOf(parts);
  if (branch === undefined) return { namespace, sources, bases: new Map() };
  const bases = await basesBetween(state, { tenantId, digest, branch }, { first, last });
  return { namespace, sources, bases };
}
