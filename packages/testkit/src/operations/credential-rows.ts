/** Health, the caller's identity and the credentials of a tenant. */
import { changed, cursor, end, historyOf, learnedResource, revised, use } from './link.js';
import type { OperationRows } from './operation-row.js';

const credential = revised('credential', 'credential');
/** The lesson of an answer with a document whose id the path chose. */
const put = (kind: string, member: string) =>
  learnedResource(kind, 'path.id', { revision: `answer.${member}.revision` });

/** The rows by operation. */
export const credentialRows = {
  getHealth: {
    failures: [],
  },
  whoAmI: {
    failures: [400, 401, 403],
  },
  issueCredential: {
    failures: [400, 401, 403, 409, 413],
    givesSecret: true,
    teaches: [credential],
  },
  listTenantCredentials: {
    failures: [400, 401, 403, 409, 413],
    ...cursor('credentials', 'answer.page'),
  },
  inspectCredential: {
    failures: [400, 401, 403],
    ...historyOf('credential', {
      uses: [use('credential', { 'path.id': 'id' })],
      teaches: [credential],
    }),
  },
  rotateCredential: {
    failures: [400, 401, 403, 409, 413],
    givesSecret: true,
    uses: [changed('credential')],
    teaches: [credential],
  },
  revokeCredential: {
    failures: [400, 401, 403, 409, 413],
    uses: [changed('credential')],
    teaches: [end('credential', 'path.id')],
  },
  issueKeyCredential: {
    failures: [400, 401, 403, 409, 413],
    teaches: [credential],
  },
  getKeyRequirement: {
    failures: [400, 401, 403],
  },
  putKeyRequirement: {
    failures: [400, 401, 403, 409, 413],
  },
  replaceCredentialKey: {
    failures: [400, 401, 403, 409, 413],
    uses: [changed('credential')],
    teaches: [credential],
  },
  issueFederatedToken: {
    failures: [400, 401, 413, 503],
    givesSecret: true,
    uses: [use('federated credential', { 'document.credential_id': 'id' })],
  },
  issueFederatedCredential: {
    failures: [400, 401, 403, 404, 409, 413],
    uses: [use('issuer', { 'document.federation.issuer': 'id' })],
    teaches: [credential, learnedResource('federated credential', 'answer.credential.id')],
  },
  listTrustedIssuers: {
    failures: [400, 401, 403, 409, 413],
    ...cursor('issuers', 'answer.page'),
  },
  getTrustedIssuer: {
    failures: [400, 401, 403, 404],
    uses: [use('issuer', { 'path.id': 'id' })],
  },
  putTrustedIssuer: {
    failures: [400, 401, 403, 409, 413],
    uses: [changed('issuer')],
    teaches: [put('issuer', 'issuer')],
  },
  issueSubjectToken: {
    failures: [400, 401, 403, 413],
    givesSecret: true,
  },
  listSubjects: {
    failures: [400, 401, 403, 409, 413],
    ...cursor('subjects', 'answer.page'),
  },
  getSubject: {
    failures: [400, 401, 403, 404],
    uses: [use('subject', { 'path.id': 'id' })],
  },
  putSubject: {
    failures: [400, 401, 403, 409, 413],
    uses: [changed('subject')],
    teaches: [put('subject', 'subject')],
  },
  startErasure: {
    failures: [400, 401, 403, 409, 413],
    teaches: [learnedResource('erasure', 'answer.erasure.id')],
  },
  getErasure: {
    failures: [400, 401, 403, 404],
    uses: [use('erasure', { 'path.id': 'id' })],
  },
  listErasures: {
    failures: [400, 401, 403, 409, 413],
    ...cursor('erasures', 'answer.page'),
  },
  listScopes: {
    failures: [400, 401, 403, 409, 413],
    ...cursor('scopes', 'answer.page'),
  },
  listKnownSubjects: {
    failures: [400, 401, 403, 409, 413],
    ...cursor('known-subjects', 'answer.page'),
  },
  listScopeHolders: {
    failures: [400, 401, 403, 413],
  },
  previewReach: {
    failures: [400, 401, 403, 413],
  },
  changeScopeAuthority: {
    failures: [400, 401, 403, 409, 413],
    uses: [changed('credential')],
    teaches: [credential],
  },
} satisfies OperationRows;
