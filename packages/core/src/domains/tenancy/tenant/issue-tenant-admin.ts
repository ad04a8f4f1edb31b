/**
 * `issueTenantAdmin`: appoints one more administrator of a tenant, on behalf of the installation.
 * Existing ones stay.
 */
import { exampleVersion } from '../../../contract/example-values.js';
import { credentialChanged } from '../credential/credential-event.js';
import { storeNewCredential } from '../credential/new-credential.js';
import { IssuedCredential } from '../credential/schema.js';
import { AgentkeepError } from '../../../contract/errors/agentkeep-error.js';
import { defineInstallationOperation } from '../../../kernel/operation/define-operation.js';
import { installationChecks } from '../../../kernel/operation/orders-of-checks.js';
import { textId } from '../../../contract/schema/text.js';
import { TenantAdminRequest } from './schema.js';
import { newTenantAdmin } from './tenant-admin.js';
import { findTenant } from './tenant-store.js';

/** Not idempotent: a repeat appoints another administrator. */
export const issueTenantAdmin = defineInstallationOperation({
  name: 'issueTenantAdmin',
  summary: 'Appoint an administrator of a tenant; its secret is delivered once.',
  example: { id: 'acme', document: { ...exampleVersion, subject_id: 'ops' } },
  command: {
    name: 'tenants appoint',
    examples: ['agentkeep tenants appoint acme --subject-id ops-2 --write-secret ./acme-ops-2'],
  },
  tag: 'Administration',
  input: { id: textId(), document: TenantAdminRequest },
  output: IssuedCredential,
  requires: 'tenant_admin',
  checks: installationChecks,
  errors: ['tenant_not_found', 'revision_conflict', 'subject_erased'],
  handler: (request) => {
    const { runtime, nowMs, credential } = request;
    const { id: tenantId, document } = request.input;
    const made = newTenantAdmin(runtime, {
      tenantId,
      subjectId: document.subject_id,
      action: 'admin_issued_by_global_authority',
      actorId: credential.id,
      nowMs,
    });
    return runtime.store.transact((tx) => {
      request.confirm(tx);
      if (findTenant(tx, tenantId) === undefined) throw new AgentkeepError('tenant_not_found');
      const event = credentialChanged(made.credential, made.event.action);
      request.record(tx, event);
      request.recordIn(tx, tenantId, event);
      return storeNewCredential(tx, made);
    });
  },
});
