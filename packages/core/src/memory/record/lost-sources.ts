/** The sources that a record lost (docs/contract/lineage.md#lin-9). */
import type { Namespace } from '../../access/namespace.js';
import { keyspace } from '../../storage/store/keyspace.js';
import type { ReadTx } from '../../storage/store/store.js';
import { Subspace } from '../../storage/store/subspace.js';
import type { LostSource } from '../documents/lineage-schema.js';
import type { RevisedKey } from './keyed-record.js';
import { recordStateLayout, type StoredRecord } from './record-layout.js';
import { findSources, isNotedRedacted } from './source-store.js';

const states = new Subspace(keyspace.memoryRecords, recordStateLayout);

/** Returns a record with what it lost of its sources; the record itself if it states none. */
export function withLostSources<R extends StoredRecord>(
  tx: ReadTx,
  { tenantId, digest }: Namespace,
  recordId: string,
  record: R,
): R {
  const stated = record.payload?.derived_from;
  if (stated === undefined) return record;
  const sources = findSources(tx, tenantId, { digest, recordId, revision: record.revision });
  const lostSources = stated.flatMap((each, index): LostSource[] => {
    const source = sources[index];
    const reason = source && lossOf(tx, tenantId, source);
    return reason === undefined ? [] : [{ ...each, reason }];
  });
  return lostSources.length === 0 ? record : { ...record, lostSources };
}

function lossOf(
  tx: ReadTx,
  tenantId: string,
  source: RevisedKey,
): LostSource['reason'] | undefined {
  if (isNotedRedacted(tx, tenantId, source)) return 'redacted';
  return states.get(tx, tenantId, source.digest, source.recordId)?.isDeleted
    ? 'deleted'
    : undefined;
}
