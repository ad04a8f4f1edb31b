/** Health, the caller's identity and the credentials of a tenant. */
import { id, revision, scope, version } from './documents.js';
import { changed, cursor, end, historyOf, learnedResource, revised, use } from './link.js';
import type { OperationRows } from './operation-row.js';

const credential = revised('credential', 'credential');

/** The key of RFC 8037, appendix A.2. */
const publicKey = {
  kty: 'OKP',
  crv: 'Ed25519',
  x: '11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo',
} as const;

/** The rows by operation. */
export const credentialRows = {
  getHealth: {
    failures: [],
    call: {},
  },
  whoAmI: {
    failures: [400, 401, 403],
    call: {},
  },
  issueCredential: {
    failures: [400, 401, 403, 409, 413],
    call: {
      document: {
        ...version,
        spec: {
          subject_id: 'helper',
          capabilities: ['memory_read', 'memory_write'],
          grants: [scope],
        },
      },
    },
    givesSecret: true,
    teaches: [credential],
  },
  listTenantCredentials: {
    failures: [400, 401, 403, 409, 413],
    call: { parameters: version },
    ...cursor('credentials', 'answer.page'),
  },
  inspectCredential: {
    failures: [400, 401, 403],
    call: { id, parameters: {} },
    ...historyOf('credential', {
      uses: [use('credential', { 'path.id': 'id' })],
      teaches: [credential],
    }),
  },
  rotateCredential: {
    failures: [400, 401, 403, 409, 413],
    call: { id, document: revision },
    givesSecret: true,
    uses: [changed('credential')],
    teaches: [credential],
  },
  revokeCredential: {
    failures: [400, 401, 403, 409, 413],
    call: { id, document: revision },
    uses: [changed('credential')],
    teaches: [end('credential', 'path.id')],
  },
  issueKeyCredential: {
    failures: [400, 401, 403, 409, 413],
    call: {
      document: {
        ...version,
        spec: { subject_id: 'helper', capabilities: ['memory_read'], grants: [scope] },
        public_key: publicKey,
      },
    },
    teaches: [credential],
  },
  getKeyRequirement: {
    failures: [400, 401, 403],
    call: {},
  },
  putKeyRequirement: {
    failures: [400, 401, 403, 409, 413],
    call: { document: { ...version, expected_revision: 0, requires_keys: false } },
  },
  replaceCredentialKey: {
    failures: [400, 401, 403, 409, 413],
    call: { id, document: { ...revision, public_key: publicKey } },
    uses: [changed('credential')],
    teaches: [credential],
  },
  issueFederatedToken: {
    failures: [400, 401, 413, 503],
    call: { document: { ...version, credential_id: id, assertion: 'e30.e30.AA' } },
  },
  issueFederatedCredential: {
    failures: [400, 401, 403, 404, 409, 413],
    call: {
      document: {
        ...version,
        spec: { subject_id: 'deployer', capabilities: ['memory_read'], grants: [scope] },
        federation: { issuer: 'ci', sub: { mode: 'prefix', prefix: 'repo:acme/' } },
      },
    },
    teaches: [credential],
  },
  listTrustedIssuers: {
    failures: [400, 401, 403, 409, 413],
    call: { parameters: version },
    ...cursor('issuers', 'answer.page'),
  },
  getTrustedIssuer: {
    failures: [400, 401, 403, 404],
    call: { id: 'ci' },
  },
  putTrustedIssuer: {
    failures: [400, 401, 403, 409, 413],
    call: {
      id: 'ci',
      document: {
        ...version,
        expected_revision: 0,
        issuer: 'https://ci.example.test',
        audience: 'agentkeep',
        keys: { mode: 'inline', keys: [{ ...publicKey, kid: 'k1' }] },
      },
    },
  },
  issueSubjectToken: {
    failures: [400, 401, 403, 413],
    call: { document: { ...version, subject_id: 'user-1' } },
    givesSecret: true,
  },
  listSubjects: {
    failures: [400, 401, 403, 409, 413],
    call: { parameters: version },
    ...cursor('subjects', 'answer.page'),
  },
  getSubject: {
    failures: [400, 401, 403, 404],
    call: { id: 'user-1' },
  },
  putSubject: {
    failures: [400, 401, 403, 409, 413],
    call: { id: 'user-1', document: { ...version, expected_revision: 0, is_blocked: false } },
  },
  startErasure: {
    failures: [400, 401, 403, 409, 413],
    call: { document: { ...version, target: { kind: 'subject', subject_id: 'user-9' } } },
    teaches: [learnedResource('erasure', 'answer.erasure.id')],
  },
  getErasure: {
    failures: [400, 401, 403, 404],
    call: { id },
    uses: [use('erasure', { 'path.id': 'id' })],
  },
  listErasures: {
    failures: [400, 401, 403, 409, 413],
    call: { parameters: version },
    ...cursor('erasures', 'answer.page'),
  },
  listScopes: {
    failures: [400, 401, 403, 409, 413],
    call: { parameters: version },
    ...cursor('scopes', 'answer.page'),
  },
  listKnownSubjects: {
    failures: [400, 401, 403, 409, 413],
    call: { parameters: version },
    ...cursor('known-subjects', 'answer.page'),
  },
  listScopeHolders: {
    failures: [400, 401, 403, 413],
    call: { document: { ...version, scope } },
  },
  previewReach: {
    failures: [400, 401, 403, 413],
    call: { document: { ...version, subject_id: 'user-1' } },
  },
  changeScopeAuthority: {
    failures: [400, 401, 403, 409, 413],
    call: { id, document: { ...revision, authority: { grants: [scope] } } },
    uses: [changed('credential')],
    teaches: [credential],
  },
} satisfies OperationRows;
