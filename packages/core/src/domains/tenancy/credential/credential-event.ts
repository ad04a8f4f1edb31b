/** Audit events of changed credentials. */
import type { EventSubject } from '../../../kernel/audit/call-events.js';
import type { CredentialAction } from './schema.js';

/** Returns the event of a credential that was issued, rotated, revoked or rescoped. */
export function credentialChanged(
  { id, tenantId }: { readonly id: string; readonly tenantId: string },
  change: CredentialAction,
): EventSubject {
  return {
    type: 'configuration_changed',
    action: 'configuration_changed',
    resource: `credential:${id}`,
    result: 'success',
    metadata: { change, tenant_id: tenantId },
  };
}
