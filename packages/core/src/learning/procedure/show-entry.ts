/**
 * Policies and contexts as answers show them.
 *
 * @module
 */
import type { StoredEntry } from './entry-store.js';

/** An entry in the form of its documents. */
export interface ShownEntry<P> {
  readonly schema_version: 1;
  readonly tenant: string;
  readonly id: string;
  readonly payload: P;
  readonly payload_digest: string;
  readonly registered_by: string;
  readonly recorded_at_millis: number;
}

/** Shows an entry; its payload is a copy, because what is stored is remembered. */
export function showEntry<P>(tenantId: string, id: string, entry: StoredEntry<P>): ShownEntry<P> {
  return {
    schema_version: 1,
    tenant: tenantId,
    id,
    payload: structuredClone(entry.payload),
    payload_digest: entry.payloadDigest,
    registered_by: entry.registeredBy,
    recorded_at_millis: entry.recordedAtMillis,
  };
}
