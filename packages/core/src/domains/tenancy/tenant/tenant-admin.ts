/**
 * Administrators that are appointed from outside a tenant (docs/contract/installation.md#ins-17).
 */
import type { CredentialAction } from '../credential/schema.js';
import { newCredential, type NewCredential } from '../credential/new-credential.js';
import type { Runtime } from '../../../kernel/services/runtime.js';

/** Prepares an administrator outside the transaction. The default actor is itself. */
export function newTenantAdmin(
  runtime: Runtime,
  made: {
    readonly tenantId: string;
    readonly subjectId: string;
    readonly action: CredentialAction;
    readonly actorId?: string;
    readonly nowMs: number;
  },
): NewCredential {
  const { subjectId, ...rest } = made;
  return newCredential(runtime, {
    ...rest,
    spec: {
      subject_id: subjectId,
      capabilities: ['policy_admin', 'credential_admin'],
      grants: [],
      expires_at_millis: null,
    },
  });
}
