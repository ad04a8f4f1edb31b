/**
 * `registerTenant`: creates a tenant and its first administrator, on behalf of the installation.
 */
import { exampleVersion } from '../../../contract/example-values.js';
import { credentialChanged } from '../credential/credential-event.js';
import { storeNewCredential } from '../credential/new-credential.js';
import { AgentkeepError } from '../../../contract/errors/agentkeep-error.js';
import { defineInstallationOperation } from '../../../kernel/operation/define-operation.js';
import { installationChecks } from '../../../kernel/operation/orders-of-checks.js';
import { RegisteredTenantResponse, RegisterTenantRequest } from './schema.js';
import { newTenantAdmin } from './tenant-admin.js';
import { findTenant, insertTenant, showRegistration, type StoredTenant } from './tenant-store.js';

/** Works once per id, also if a local command created the tenant. */
export const registerTenant = defineInstallationOperation({
  name: 'registerTenant',
  summary: 'Register a tenant; the secret of its first administrator is delivered once.',
  example: {
    document: { ...exampleVersion, tenant_id: 'globex', subject_id: 'ops', display_name: 'Globex' },
  },
  command: {
    name: 'tenants register',
    examples: [
      'agentkeep tenants register --tenant-id acme --subject-id ops --write-secret ' + './acme-ops',
    ],
  },
  tag: 'Administration',
  input: { document: RegisterTenantRequest },
  output: RegisteredTenantResponse,
  requires: 'tenant_create',
  checks: installationChecks,
  firstRules: ['display_name'],
  errors: ['revision_conflict', 'erasure_in_progress'],
  handler: (request) => {
    const { runtime, nowMs } = request;
    const { id: actorId } = request.credential;
    const { tenant_id, subject_id, display_name } = request.input.document;
    const made = newTenantAdmin(runtime, {
      tenantId: tenant_id,
      subjectId: subject_id,
      action: 'tenant_registered_by_global_authority',
      actorId,
      nowMs,
    });
    const tenant: StoredTenant = {
      tenantId: tenant_id,
      createdAtMillis: nowMs,
      initialAdminId: made.credential.id,
      registered: { by: actorId, displayName: display_name },
    };
    return runtime.store.transact((tx) => {
      request.confirm(tx);
      if (findTenant(tx, tenant_id) !== undefined) throw new AgentkeepError('revision_conflict');
      insertTenant(tx, tenant);
      const event = credentialChanged(made.credential, made.event.action);
      request.record(tx, event);
      request.recordIn(tx, tenant_id, event);
      const registration = showRegistration(tenant);
      if (registration === null) throw new AgentkeepError('internal_error');
      return { ...storeNewCredential(tx, made), tenant: registration };
    });
  },
});
