/** The retention of namespaces that a sweep finds by their digests. */
import { findNamespace } from '../../../kernel/access/namespace-store.js';
import type { Namespace } from '../../../kernel/access/namespace.js';
import { AgentkeepError } from '../../../contract/errors/agentkeep-error.js';
import { keyText } from '../../../storage/store/bytes.js';
import type { ReadTx } from '../../../storage/store/store.js';
import type { Retention } from '../retention/retention-policy.js';
import { retentionOf } from '../retention/retention-store.js';

/** A namespace with its retention. */
export interface KeptNamespace {
  readonly namespace: Namespace;
  readonly retention: Retention;
}

/** Returns a look-up of the namespaces of a tenant in one transaction, each read once. */
export function namespacesIn(tx: ReadTx, tenantId: string): (digest: Uint8Array) => KeptNamespace {
  const known = new Map<string, KeptNamespace>();
  return (digest) => {
    const name = keyText(digest);
    const found = known.get(name) ?? read(tx, tenantId, digest);
    known.set(name, found);
    return found;
  };
}

function read(tx: ReadTx, tenantId: string, digest: Uint8Array): KeptNamespace {
  const parts = findNamespace(tx, tenantId, digest);
  if (parts === undefined) throw new AgentkeepError('storage_inconsistency');
  const namespace = { tenantId, digest, parts };
  return { namespace, retention: retentionOf(tx, namespace) };
}
