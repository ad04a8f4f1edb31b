/** Samples of stored credentials and subjects. */
import { keyRequirements } from '../../src/domains/tenancy/credential/require-secrets.js';
import {
  credentialEvents,
  credentialLocators,
  credentials,
} from '../../src/domains/tenancy/credential/credential-store.js';
import { trustedIssuers } from '../../src/domains/tenancy/federation/issuer-store.js';
import type { ConnectedProgram } from '../../src/domains/tenancy/credential/connected-program.js';
import type { FederationRule } from '../../src/domains/tenancy/credential/federation-rule.js';
import { subjects } from '../../src/domains/tenancy/delegation/subject-store.js';
import {
  globalCredentialEvents,
  globalCredentials,
} from '../../src/domains/tenancy/global-credential/global-credential-store.js';
import { programCredentials } from '../../src/domains/tenancy/program-credential/program-credential-store.js';
import { ID, OTHER_ID } from './sample-documents.js';
import { sample } from './sample.js';

const scope = { project_id: 'p', mission_id: null, agent_id: 'a', visibility: 'shared' } as const;

const credentialState = { id: ID, revision: 3, verifier: 'verifier' };

const event = { action: 'issued', actor_id: OTHER_ID, at_millis: 5 } as const;

const federation: FederationRule = {
  issuer: 'ci',
  sub: { mode: 'prefix', prefix: 'repo:acme/' },
  claims: [{ path: ['ref'], value: 'main' }],
  subject_claim: ['actor'],
  token_seconds: 600,
};

const program: ConnectedProgram = {
  client_id: 'https://notes.example.test/client.json',
  client_name: 'Notes',
  client_host: 'notes.example.test',
  account_id: OTHER_ID,
  access: ['read'],
};

/** The samples of the subspaces of credentials and subjects. */
export const identitySamples = {
  credentialLocators: [sample(credentialLocators, 'acme', '', ID)],
  credentials: (
    [
      [null, null, null],
      [{ verifier: 'before', endsAtMillis: 9, lastUsedMillis: 8 }, null, null],
      [null, federation, null],
      [null, null, program],
    ] as const
  ).map(([previous, rule, connected]) =>
    sample(
      credentials,
      {
        ...credentialState,
        tenantId: 'acme',
        spec: {
          subject_id: 'worker',
          capabilities: ['memory_read'],
          grants: [scope],
          expires_at_millis: 99,
        },
        revokedAtMillis: null,
        previous,
        federation: rule,
        program: connected,
      },
      'acme',
      ID,
    ),
  ),
  credentialEvents: [sample(credentialEvents, { revision: 1, ...event }, 'acme', ID, 1)],
  trustedIssuers: [
    sample(
      trustedIssuers,
      {
        tenantId: 'acme',
        name: 'ci',
        revision: 2,
        issuer: 'https://ci.example.test',
        audience: 'agentkeep',
        keys: { mode: 'discovery' },
        isBlocked: false,
        updatedAtMillis: 5,
        updatedBy: OTHER_ID,
      },
      'acme',
      'ci',
    ),
  ],
  programCredentials: [sample(programCredentials, ID, 'acme', 'worker')],
  subjects: [null, 'limits'].map((limits) =>
    sample(
      subjects,
      {
        tenantId: 'acme',
        subjectId: 'user-1',
        revision: 2,
        isBlocked: limits === null,
        capabilities: limits === null ? null : ['memory_read'],
        scopePolicy:
          limits === null
            ? null
            : {
                version: 'company_scopes_v1',
                projects: { mode: 'all' },
                agents: { mode: 'only', ids: ['a'] },
                missions: { mode: 'all' },
                allow_unassigned_mission: true,
                visibilities: ['private'],
              },
        updatedAtMillis: 7,
        updatedBy: ID,
        admission: limits === null ? null : OTHER_ID,
        reason: limits === null ? 'Left the company.' : null,
      },
      'acme',
      'user-1',
    ),
  ),
  keyRequirements: [
    sample(
      keyRequirements,
      { tenantId: 'acme', revision: 1, requiresKeys: true, updatedAtMillis: 7, updatedBy: ID },
      'acme',
    ),
  ],
  globalCredentials: [
    sample(
      globalCredentials,
      {
        ...credentialState,
        isMaster: false,
        spec: {
          subject_id: 'root',
          capabilities: ['global_credential_admin'],
          expires_at_millis: null,
        },
        revokedAtMillis: 6,
        previous: null,
      },
      '',
      ID,
    ),
  ],
  globalCredentialEvents: [sample(globalCredentialEvents, { revision: 1, ...event }, '', ID, 1)],
} as const;
