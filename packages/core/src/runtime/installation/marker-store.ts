/**
 * Markers in the store: small named values that the installation remembers about itself.
 * @module
 */
import type { JsonValue } from '../../contract/schema/json-value.js';
import { INSTALLATION, keyspace } from '../../storage/store/keyspace.js';
import type { ReadTx, WriteTx } from '../../storage/store/store.js';
import { Subspace } from '../../storage/store/subspace.js';
import { fieldsLayout } from '../../storage/store/value.js';

/** What is remembered, by name. Names are part of the stored format. */
export type MarkerName = 'master' | 'rate_limit_revision' | 'security_settings';

const markers = new Subspace(
  keyspace.markers,
  fieldsLayout<JsonValue, [value: JsonValue]>(
    1,
    (value) => [value],
    ([value]) => value,
  ),
);

/** The subspace of this file, by its name in the key space. */
export const markerSubspaces = { markers };

/** What is remembered under a name; `undefined` when nothing is. */
export function findMarker(tx: ReadTx, name: MarkerName): JsonValue | undefined {
  return markers.get(tx, INSTALLATION, name);
}

/** Remembers a value under a name, in place of an earlier one. */
export function putMarker(tx: WriteTx, name: MarkerName, value: JsonValue): void {
  markers.put(tx, value, INSTALLATION, name);
}
