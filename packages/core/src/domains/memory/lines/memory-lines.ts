/** Lines of memory in exports and imports. */
import * as v from 'valibot';
import { isUuid } from '../../../contract/schema/uuid.js';
import { branchOf, type Namespace } from '../../../kernel/access/namespace.js';
import { asBuffer } from '../../../storage/store/bytes.js';
import { partsOfKey } from '../../../storage/store/key.js';
import type { Entry, HeldState } from '../../../storage/store/store.js';
import type { DomainLines, OwnLine } from '../../../upkeep/lines/domain-lines.js';
import { Revision } from '../../../upkeep/lines/line-schemas.js';
import { ANY, type PlainLine } from '../../../upkeep/lines/stored-line.js';
import { entriesBetween } from '../../../upkeep/lines/state-slices.js';
import { memorySources } from '../record/source-store.js';
import { basesBetween, branchLines } from './branch-lines.js';
import { RecordLine, RevisionLine, ShownSpaces } from './line-schemas.js';
import {
  type BesideRecords,
  recordLine,
  recordWrite,
  revisionLine,
  revisionWrite,
  sourcesIn,
} from './record-lines.js';

const record: OwnLine<RecordLine> = {
  name: 'record',
  isOfHistory: false,
  show: async (state, scope, entries, withHistory) => {
    const beside = await besideRecords(state, scope, entries);
    const lines = entries.map((entry) => recordLine(entry, { ...beside, withHistory }));
    return lines.filter((line) => line !== undefined);
  },
  schema: RecordLine,
  prepare: recordWrite,
};

const revision: OwnLine<RevisionLine> = {
  name: 'revision',
  isOfHistory: true,
  show: async (state, scope, entries) => {
    const beside = await besideRecords(state, scope, entries);
    return entries.map((entry) => revisionLine(entry, beside));
  },
  schema: RevisionLine,
  prepare: revisionWrite,
};

const redactedSource: PlainLine = {
  name: 'redacted_source',
  form: 'document',
  schema: v.null(),
  keyOf: () => [ANY, ANY],
  isKey: ([id, number]) => isUuid(id) && v.is(Revision, number),
};

const embeddingSpaces: PlainLine = {
  name: 'embedding_spaces',
  form: ['spaces'],
  schema: ShownSpaces,
  keyOf: () => [],
};

/** The lines of memory. */
export const memoryLines: DomainLines = {
  plain: [redactedSource, embeddingSpaces],
  own: [record, revision] as readonly OwnLine[],
  branches: branchLines,
};

/** Returns what other families have of the records that entries are of. */
async function besideRecords(
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
