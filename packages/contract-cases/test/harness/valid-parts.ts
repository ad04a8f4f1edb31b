/** Calls without faults; only the caller varies. */
import type { OperationName } from '@agentkeep/core';
import type { Parts } from './answer.js';
import { minimalRecord, minimalSpec, scope, unknownId } from './documents.js';
import { attempt, SHA } from '../experiences/experience-fixture.js';
import { minimalGlobalSpec } from './global-caller.js';
import { context, definition, proposal, submission } from '../learning/learning-documents.js';
import { profile, proposal as artifact, request } from '../tools/tool-fixture.js';

const version = { contract_version: 1 };
const revision = { ...version, expected_revision: 1 };
const placed = { ...version, scope };
const password = 'Correct-Horse-7';
const account = { ...version, username: 'ann', password, credential_id: unknownId };

/** One valid call for each operation that acts with a credential. */
export const validParts: { readonly [N in OperationName]?: Parts } = {
  whoAmI: {},
  issueCredential: { document: { ...version, spec: minimalSpec } },
  listTenantCredentials: { parameters: { ...version } },
  inspectCredential: { id: unknownId },
  rotateCredential: { id: unknownId, document: revision },
  revokeCredential: { id: unknownId, document: revision },
  changeScopeAuthority: { id: unknownId, document: { ...revision, authority: { grants: [] } } },
  executeMemoryCommand: {
    document: {
      ...version,
      idempotency_key: 'k',
      scope,
      operation: { type: 'create', record: minimalRecord },
    },
  },
  executeMemoryBatch: {
    document: {
      ...version,
      idempotency_key: 'k',
      commands: [{ scope, operation: { type: 'create', record: minimalRecord } }],
    },
  },
  readMemoryRecord: { id: unknownId, parameters: { ...version, ...scope } },
  listMemoryChanges: { parameters: { ...version, ...scope } },
  listMemoryRevisions: { id: unknownId, parameters: { ...version, ...scope } },
  getMemoryRetention: { parameters: { ...version } },
  setMemoryRetention: { document: { ...version, expected_revision: 0, retention: {} } },
  readNamedRecord: { parameters: { ...version, ...scope, name: 'n' } },
  queryMemory: { document: { ...version, scope } },
  attachEmbeddings: {
    document: {
      ...version,
      scope,
      embeddings: [{ record_id: unknownId, revision: 1, values: [1] }],
    },
  },
  searchMemory: { document: { ...version, scopes: [scope] } },
  createWebhook: { document: { ...version, name: 'w', url: 'https://hooks.example.com/' } },
  listWebhooks: { parameters: { ...version } },
  getWebhook: { id: unknownId, parameters: { ...version } },
  updateWebhook: {
    id: unknownId,
    document: { ...revision, name: 'w', url: 'https://hooks.example.com/' },
  },
  deleteWebhook: { id: unknownId, parameters: { ...version } },
  rotateWebhookSecret: { id: unknownId, document: revision },
  listWebhookDeadLetters: { id: unknownId, parameters: { ...version } },
  replayWebhookDeadLetters: { id: unknownId, document: { ...version } },
  createTenantLoginAccount: { document: account },
  inspectTenantLoginAccount: { id: unknownId },
  changePasswordTenantLoginAccount: { id: unknownId, document: { ...revision, password } },
  disableTenantLoginAccount: { id: unknownId, document: revision },
  listTenantLoginAccounts: { parameters: { ...version } },
  createGlobalLoginAccount: { document: account },
  inspectGlobalLoginAccount: { id: unknownId },
  changePasswordGlobalLoginAccount: { id: unknownId, document: { ...revision, password } },
  disableGlobalLoginAccount: { id: unknownId, document: revision },
  listGlobalLoginAccounts: { parameters: { ...version } },
  registerLearningPolicy: { document: { ...version, id: 'pol', definition: definition() } },
  registerLearningContext: { document: { ...version, id: 'ctx', context: context() } },
  getLearningPolicy: { id: 'pol' },
  getLearningContext: { id: 'ctx' },
  proposeProcedure: { document: { ...placed, proposal: proposal() } },
  readProcedure: { document: { ...placed, procedure_id: 'c1' } },
  admitEvaluation: {
    document: { ...placed, procedure_id: 'c1', submission: submission('case') },
  },
  readEvaluationAdmission: { document: { ...placed, procedure_id: 'c1', case_id: 'case' } },
  selectProcedure: {
    document: {
      ...placed,
      policy_id: 'pol',
      context_id: 'ctx',
      max_instruction_bytes: 65_536,
    },
  },
  registerToolExecutor: { document: { ...version, profile } },
  readToolExecutor: { id: 'w1' },
  registerToolArtifact: { document: { ...placed, artifact } },
  readToolArtifact: { document: { ...placed, artifact_id: 't1' } },
  requestToolDevelopment: { document: { ...placed, request } },
  readToolDevelopment: { document: { ...placed, request_id: 'r1' } },
  readToolDevelopmentEvent: { document: { ...placed, request_id: 'r1', event_id: 'e1' } },
  recordToolDevelopmentEvent: {
    document: {
      ...placed,
      request_id: 'r1',
      command: {
        event_id: 'e1',
        expected_revision: 1,
        action: {
          type: 'report',
          report: {
            executor_profile_digest: SHA,
            outcome: 'succeeded',
            evidence_ref: 'log',
            artifact,
          },
        },
      },
    },
  },
  registerExperience: { document: { ...placed, request: attempt } },
  readExperience: { document: { ...placed, attempt_id: 'a1' } },
  readExperienceEvent: { document: { ...placed, attempt_id: 'a1', event_id: 'e1' } },
  readExperienceHistory: { document: { ...placed, attempt_id: 'a1', query: { limit: 1 } } },
  recordExperienceEvent: {
    document: {
      ...placed,
      attempt_id: 'a1',
      command: {
        event_id: 'e1',
        expected_revision: 1,
        context_digest: SHA,
        outcome: 'unknown',
        evidence: { reference: 'log', sha256: SHA },
      },
    },
  },
  globalIdentity: {},
  issueGlobalCredential: { document: { ...version, spec: minimalGlobalSpec } },
  listGlobalCredentials: { parameters: { ...version } },
  inspectGlobalCredential: { id: unknownId },
  rotateGlobalCredential: { id: unknownId, document: revision },
  revokeGlobalCredential: { id: unknownId, document: revision },
  registerTenant: { document: { ...version, tenant_id: 'new', subject_id: 's' } },
  listTenants: { parameters: { ...version } },
  inspectTenant: { id: 'acme' },
  issueTenantAdmin: { id: 'acme', document: { ...version, subject_id: 's' } },
  getStorageQuota: { id: 'acme' },
  setStorageQuota: { id: 'acme', document: { ...version, max_entries: null, max_bytes: null } },
};
