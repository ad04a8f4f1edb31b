/** The operations that show the credential of the caller, or of others. */
import { AgentkeepError } from '../../../contract/errors/agentkeep-error.js';
import { exampleId, exampleVersion } from '../../../contract/example-values.js';
import { copyJson } from '../../../contract/schema/json-copy.js';
import { isUuid, uuid } from '../../../contract/schema/uuid.js';
import { CONTRACT_VERSION } from '../../../contract/version.js';
import { cursorOfOlder, HistoryParameters, historyPart } from '../../../kernel/lists/page.js';
import { listDirectory } from '../../../kernel/lists/list-directory.js';
import {
  defineTenantOperation,
  directoryOperation,
} from '../../../kernel/operation/define-operation.js';
import { authorityFirstChecks } from '../../../kernel/operation/orders-of-checks.js';
import { findCredential, listCredentials, showCredential } from './credential-store.js';
import {
  CredentialResponse,
  type CredentialSpec,
  DirectoryTenantCredentialsResponse,
  InspectCredentialResponse,
} from './schema.js';

/**
 * Ids that are unknown or belong to another tenant are both `forbidden`, so ids can't be probed.
 */
export const inspectCredential = defineTenantOperation({
  name: 'inspectCredential',
  summary: 'Show one credential of the tenant, revoked and expired ones included.',
  example: { id: exampleId, parameters: {} },
  command: { name: 'credentials show' },
  tag: 'Identity',
  effect: 'read',
  input: { id: uuid(), parameters: HistoryParameters },
  output: InspectCredentialResponse,
  requires: { capability: 'credential_admin' },
  checks: authorityFirstChecks,
  isHeavy: true,
  handler: ({ runtime, credential: { tenantId }, input: { id, parameters } }) => {
    const owner = { authority: tenantId, id };
    const part = historyPart(owner, parameters);
    return runtime.store.read((tx) => {
      const target = findCredential(tx, tenantId, id);
      if (target === undefined) throw new AgentkeepError('forbidden');
      const credential = showCredential(tx, target, part);
      const older = cursorOfOlder(owner, credential.history);
      return { contract_version: CONTRACT_VERSION, credential, ...older };
    });
  },
});

/** Lists in ascending order of id, forward only. Pages reflect concurrent changes. */
export const listTenantCredentials = defineTenantOperation({
  ...directoryOperation,
  name: 'listTenantCredentials',
  summary: 'List the credentials of the tenant, revoked and expired ones included.',
  example: { parameters: exampleVersion },
  command: {
    name: 'credentials list',
    columns: [
      ...['id', 'spec.subject_id', 'revoked_at_millis', 'revision'],
      ...['previous_secret.ends_at_millis', 'spec.capabilities'],
    ],
  },
  tag: 'Identity',
  output: DirectoryTenantCredentialsResponse,
  requires: { capability: 'credential_admin' },
  handler: ({ runtime, credential: { tenantId }, input }) =>
    listDirectory(runtime.store, input.parameters, {
      identity: { list: 'tenant-credentials', tenantId },
      read: (tx, page) => listCredentials(tx, tenantId, page),
      show: showCredential,
      placeOf: ({ id }) => id,
      isPlace: isUuid,
    }),
});

/** Requires no capability. An account without a bound credential is refused. */
export const whoAmI = defineTenantOperation({
  name: 'whoAmI',
  summary: 'Show the credential that the caller acts with.',
  example: {},
  command: { name: 'whoami', examples: ['agentkeep whoami --profile work'] },
  tag: 'Identity',
  effect: 'read',
  input: {},
  output: CredentialResponse,
  requires: {},
  checks: authorityFirstChecks,
  handler: ({ runtime, credential }) =>
    runtime.store.read((tx) => {
      const { tenantId, id, spec, actingService } = credential;
      const current = findCredential(tx, tenantId, id);
      if (current === undefined) throw new AgentkeepError('storage_inconsistency');
      const shown = showCredential(tx, current);
      const acting =
        actingService === undefined
          ? {}
          : { spec: copyJson(spec) as CredentialSpec, acting_service: { ...actingService } };
      return { contract_version: CONTRACT_VERSION, credential: { ...shown, ...acting } };
    }),
});
