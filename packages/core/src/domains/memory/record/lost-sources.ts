/** The sources that a record lost (docs/contract/lineage.md#lin-9). */
import { baseOf, branchOf, type Namespace } from '../../../kernel/access/namespace.js';
import type { ReadTx } from '../../../storage/store/store.js';
import type { LostSource } from '../documents/lineage-schema.js';
import type { RevisedKey } from './keyed-record.js';
import { findRecord, findRecordState } from './memory-store.js';
import type { StoredRecord } from './record-layout.js';
import { findSources, isKept, isNotedRedacted, type KnownSource } from './source-store.js';

/** Returns a record with what it lost of its sources; the record itself if it states none. */
export function withLostSources<R extends StoredRecord>(
  tx: ReadTx,
  namespace: Namespace,
  recordId: string,
  record: R,
): R {
  const stated = record.payload?.derived_from;
  if (stated === undefined) return record;
  const { tenantId } = namespace;
  const sources = sourcesOf(tx, namespace, { recordId, revision: record.revision });
  const lostSources = stated.flatMap((each, index): LostSource[] => {
    const source = sources[index];
    const reason = source && lossOf(tx, tenantId, source);
    return reason === undefined ? [] : [{ ...each, reason }];
  });
  return lostSources.length === 0 ? record : { ...record, lostSources };
}

/** Returns the sources of a record; one that a branch has not copied is as it is outside of it. */
function sourcesOf(
  tx: ReadTx,
  namespace: Namespace,
  revised: Omit<RevisedKey, 'digest'>,
): readonly KnownSource[] {
  const { tenantId, digest, parts } = namespace;
  const found = findSources(tx, tenantId, { digest, ...revised });
  if (found.length > 0 || branchOf(parts) === undefined) return found;
  return findSources(tx, tenantId, { digest: baseOf(namespace).digest, ...revised });
}

function lossOf(
  tx: ReadTx,
  tenantId: string,
  source: KnownSource,
): LostSource['reason'] | undefined {
  if (!isKept(source)) return 'erased';
  if (isNotedRedacted(tx, tenantId, source)) return 'redacted';
  const { digest, recordId } = source;
  const state = findRecordState(tx, { tenantId, digest }, recordId)?.value;
  return state?.isDeleted === true ? 'deleted' : undefined;
}

/** Returns the record or tombstone with this id as answers show it, or `undefined`. */
export function findShownRecord(
  tx: ReadTx,
  namespace: Namespace,
  recordId: string,
): StoredRecord | undefined {
  const record = findRecord(tx, namespace, recordId);
  return record && withLostSources(tx, namespace, recordId, record);
}
