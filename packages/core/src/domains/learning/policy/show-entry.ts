/** Converts a stored policy or context to its document. */
import type { StoredEntry } from './entry-store.js';

/** A policy or context in the form of its document. */
export interface ShownEntry<P> {
  readonly schema_version: 1;
  readonly tenant: string;
  readonly id: string;
  readonly payload: P;
  readonly payload_digest: string;
  readonly registered_by: string;
  readonly recorded_at_millis: number;
}

/** Returns the document of an entry. The payload is a copy, because decoded entries are cached. */
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
