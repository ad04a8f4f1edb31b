/**
 * The operations that register, show and list tenants, and give one a new administrator.
 *
 * `issueTenantAdmin`: appoints one more administrator of a tenant, on behalf of the installation.
 * Existing ones stay.
 */
import { AgentkeepError } from '../../../contract/errors/agentkeep-error.js';
import { exampleVersion } from '../../../contract/example-values.js';
import { isTextId, textId } from '../../../contract/schema/text.js';
import { CONTRACT_VERSION } from '../../../contract/version.js';
import { listDirectory } from '../../../kernel/lists/list-directory.js';
import {
  defineInstallationOperation,
  directoryOperation,
} from '../../../kernel/operation/define-operation.js';
import { installationChecks } from '../../../kernel/operation/orders-of-checks.js';
import type { Runtime } from '../../../kernel/services/runtime.js';
import { INSTALLATION } from '../../../storage/store/key.js';
import { credentialChanged } from '../credential/credential-event.js';
import {
  newCredential,
  type NewCredential,
  storeNewCredential,
} from '../credential/new-credential.js';
import { type CredentialAction, IssuedCredential } from '../credential/schema.js';
import {
  DirectoryTenantsResponse,
  RegisteredTenantResponse,
  RegisterTenantRequest,
  TenantAdminRequest,
  TenantResponse,
} from './schema.js';
import {
  findTenant,
  insertTenant,
  listTenantsAfter,
  showRegistration,
  type StoredTenant,
} from './tenant-store.js';

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

/** A tenant that a local command created has no registration. */
export const inspectTenant = defineInstallationOperation({
  name: 'inspectTenant',
  summary: 'Show one tenant.',
  example: { id: 'acme' },
  command: { name: 'tenants show' },
  tag: 'Administration',
  effect: 'read',
  input: { id: textId() },
  output: TenantResponse,
  requires: 'tenant_inspect',
  checks: installationChecks,
  errors: ['tenant_not_found'],
  handler: ({ runtime, input }) =>
    runtime.store.read((tx) => {
      const tenant = findTenant(tx, input.id);
      if (tenant === undefined) throw new AgentkeepError('tenant_not_found');
      return {
        contract_version: CONTRACT_VERSION,
        tenant_id: tenant.tenantId,
        registration: showRegistration(tenant),
      };
    }),
});

/** Lists in the order of JSON-encoded ids, forward only. Pages reflect concurrent changes. */
export const listTenants = defineInstallationOperation({
  ...directoryOperation,
  name: 'listTenants',
  summary: 'List the tenants of the installation.',
  example: { parameters: exampleVersion },
  command: {
    name: 'tenants list',
    columns: ['tenant_id', 'registration.created_at_millis', 'registration.display_name'],
  },
  tag: 'Administration',
  output: DirectoryTenantsResponse,
  requires: 'tenant_inspect',
  handler: ({ runtime, input }) =>
    listDirectory(runtime.store, input.parameters, {
      identity: { list: 'tenants', tenantId: INSTALLATION },
      read: listTenantsAfter,
      show: (_tx, tenant) => ({
        tenant_id: tenant.tenantId,
        registration: showRegistration(tenant),
      }),
      placeOf: ({ tenantId }) => tenantId,
      isPlace: isTextId,
    }),
});

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
