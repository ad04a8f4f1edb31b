/** Markers in the store: small named values about the installation itself. */
import type { JsonValue } from '../../contract/schema/json-value.js';
import { defineFamily } from '../../storage/store/family.js';
import { INSTALLATION } from '../../storage/store/key.js';
import type { ReadTx, WriteTx } from '../../storage/store/store.js';
import { jsonLayout } from '../../storage/store/fields.js';

/** The names of markers, which are part of the stored format. */
export type MarkerName =
  | 'change_cursors'
  | 'level'
  | 'master'
  | 'rate_limit_revision'
  | 'security_settings'
  | 'snapshot_schedule'
  | 'storage_quota_revision';

/** Installation: small values about the installation itself, by name. */
export const markers = defineFamily({
  name: 'markers',
  number: 30,
  key: ['text'],
  layout: jsonLayout<JsonValue>(1),
  sealedBy: null,
  owner: 'installation',
  exported: { not: 'working' },
  erased: 'kept',
  counts: null,
  committedFor: () => INSTALLATION,
});

/** Returns the value of a marker, or `undefined`. */
export function findMarker(tx: ReadTx, name: MarkerName): JsonValue | undefined {
  return markers.get(tx, INSTALLATION, name);
}

/** Sets the value of a marker. */
export function putMarker(tx: WriteTx, name: MarkerName, value: JsonValue): void {
  markers.put(tx, value, INSTALLATION, name);
}
