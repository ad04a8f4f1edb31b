/**
 * Local operator command that creates a tenant and its first administrator
 * (docs/contract/operator.md#opr-5).
 */
import { operatorEvent } from '../../../kernel/installation/operator-events.js';
import { credentialChanged } from '../credential/credential-event.js';
import { AgentkeepError } from '../../../contract/errors/agentkeep-error.js';
import { storeNewCredential } from '../credential/new-credential.js';
import type { IssuedCredential } from '../credential/schema.js';
import { refusal } from '../../../kernel/input/input.js';
import type { Runtime } from '../../../kernel/services/runtime.js';
import { isTextId, TEXT_RULE } from '../../../contract/schema/text.js';
import { newTenantAdmin } from './manage-tenants.js';
import { findTenant, insertTenant, updateTenant } from './tenant-store.js';

/** The tenant to create, and the subject of its first administrator. */
export interface NewTenant {
  readonly tenantId: string;
  readonly subjectId: string;
}

/**
 * Creates a tenant and its first administrator, and delivers the secret. A tenant that `agentFor()`
 * created has no administrator yet and gets its first one.
 *
 * @throws {AgentkeepError} `invalid_request` when an id breaks the text rule; `tenant_exists` when
 * the tenant ever had an administrator, even one that is revoked.
 */
export async function bootstrapTenant(
  runtime: Runtime,
  { tenantId, subjectId }: NewTenant,
): Promise<IssuedCredential> {
  const broken = Object.entries({ tenantId, subjectId }).filter(([, id]) => !isTextId(id));
  if (broken.length > 0) throw refusal(broken.map(([path]) => ({ path, expected: TEXT_RULE })));
  const nowMs = runtime.clock.now();
  const made = newTenantAdmin(runtime, { tenantId, subjectId, action: 'bootstrapped', nowMs });
  const change = credentialChanged(made.credential, 'bootstrapped');
  const event = operatorEvent(runtime, tenantId, change);
  return runtime.store.transact((tx) => {
    const initialAdminId = made.credential.id;
    const found = findTenant(tx, tenantId);
    if (found === undefined) {
      insertTenant(tx, { tenantId, createdAtMillis: nowMs, initialAdminId, registered: null });
    } else if (found.initialAdminId === null) {
      updateTenant(tx, { ...found, initialAdminId });
    } else {
      throw new AgentkeepError('tenant_exists');
    }
    runtime.audit.changed(tx, event);
    return storeNewCredential(tx, made);
  });
}
