/** The part of the changes of a tenant that a credential may read. */
import { coveredScope } from '../../../kernel/access/covered-scope.js';
import { branchOf } from '../../../kernel/access/namespace.js';
import { findNamespace } from '../../../kernel/access/namespace-store.js';
import type { ActingCredential } from '../../../kernel/access/principal.js';
import type { MemoryScope } from '../../../kernel/access/scope.js';
import { keyText } from '../../../storage/store/bytes.js';
import type { ReadTx } from '../../../storage/store/store.js';
import type { RecordAction } from '../documents/record-action.js';
import type { PositionedChange } from '../journal/change-store.js';

/** A change of a record with the scope that it is in. */
export interface VisibleChange extends PositionedChange {
  readonly scope: MemoryScope;
  readonly action: RecordAction;
}

/**
 * Returns the changes in scopes that the credential covers, and in the one namespace that is
 * wanted, if one is. A private scope shows its own subject only, and a branch only if it is wanted.
 */
export function visibleChanges(
  tx: ReadTx,
  credential: ActingCredential,
  changes: readonly PositionedChange[],
  wanted: Uint8Array | undefined,
): VisibleChange[] {
  const scopes = new Map<string, MemoryScope | undefined>();
  const scopeOf = (digest: Uint8Array): MemoryScope | undefined => {
    const name = keyText(digest);
    if (!scopes.has(name)) {
      const parts = findNamespace(tx, credential.tenantId, digest);
      const isHidden = parts !== undefined && branchOf(parts) !== undefined && wanted === undefined;
      scopes.set(name, parts && !isHidden ? coveredScope(credential, parts) : undefined);
    }
    return scopes.get(name);
  };
  return changes.flatMap((change) => {
    if (wanted !== undefined && Buffer.compare(wanted, change.digest) !== 0) return [];
    const scope = scopeOf(change.digest);
    if (scope === undefined) return [];
    // Changes of proposals are in no namespace.
    return [{ ...change, scope, action: change.action as RecordAction }];
  });
}
