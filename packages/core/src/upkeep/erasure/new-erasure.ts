/** Makes the stored state of an erasure that is asked for. */
import { sha256Text } from '../../contract/digest.js';
import type { Runtime } from '../../kernel/services/runtime.js';
import type { StoredErasure } from '../stored/erasure-store.js';
import type { StoredTarget } from '../stored/target.js';
import { pseudonymOf, targetDigest, targetKeyFrom } from '../stored/target.js';

/** Who asked for what, and when. */
interface Asked {
  /** The tenant, or `INSTALLATION` for the erasure of a tenant. */
  readonly tenantId: string;
  readonly target: StoredTarget;
  /** Id of a credential. */
  readonly requestedBy: string;
  readonly nowMs: number;
}

/** What is counted before the first slice. */
export const uncounted = {
  names: [],
  step: 0,
  from: null,
  counts: {},
  keysDigest: sha256Text('agentkeep erasure 1', 'hex'),
  dependents: 0,
  finishedAtMillis: null,
  certificate: null,
  refusedIds: [],
} as const;

/** Returns an erasure that has not begun, with a key and an id of its own. */
export function newErasure(
  { entropy, newId }: Pick<Runtime, 'entropy' | 'newId'>,
  { tenantId, target, requestedBy, nowMs }: Asked,
): StoredErasure {
  const targetKey = targetKeyFrom((length) => entropy.bytes(length));
  return {
    id: newId(),
    tenantId,
    kind: target.kind,
    target,
    targetKey,
    targetDigest: targetDigest(targetKey, tenantId, target),
    pseudonym:
      target.kind === 'subject' ? pseudonymOf(targetKey, tenantId, target.subject_id) : null,
    requestedBy,
    requestedAtMillis: nowMs,
    keys: null,
    ...uncounted,
  };
}
