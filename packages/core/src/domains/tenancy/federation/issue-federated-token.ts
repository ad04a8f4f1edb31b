/** The operations that make a federation rule, and exchange an assertion for a token. */
import { AgentkeepError } from '../../../contract/errors/agentkeep-error.js';
import { exampleId, exampleScope, exampleVersion } from '../../../contract/example-values.js';
import { isTextId } from '../../../contract/schema/text.js';
import { CONTRACT_VERSION } from '../../../contract/version.js';
import type { AuditMetadata } from '../../../kernel/audit/audit.js';
import type { EventActor } from '../../../kernel/audit/call-events.js';
import {
  definePublicOperation,
  defineTenantOperation,
} from '../../../kernel/operation/define-operation.js';
import {
  authorityFirstChecks,
  inputFirstChecks,
} from '../../../kernel/operation/orders-of-checks.js';
import type { PublicRequest } from '../../../kernel/operation/requests.js';
import { assertions } from '../../../kernel/ports/assertions.js';
import type { ReadTx } from '../../../storage/store/store.js';
import { credentialChanged } from '../credential/credential-event.js';
import { insertCredential, showCredential } from '../credential/credential-store.js';
import {
  FEDERATED_DOCUMENT_BYTES_MAX,
  type FederationRule,
} from '../credential/federation-rule.js';
import { checkedSpec, newCredentialState } from '../credential/new-credential.js';
import { CredentialResponse, type CredentialSpec } from '../credential/schema.js';
import { findLimits } from '../delegation/subject-store.js';
import {
  type Federated,
  federatedPin,
  federatedVerifier,
  findFederated,
} from './authenticate-federated.js';
import {
  type AssertionClaims,
  beyondMaker,
  claimAt,
  matchesRule,
  mayBeActedFor,
} from './federation-policy.js';
import { findIssuer } from './issuer-store.js';
import { FederatedTokenRequest, FederatedTokenResponse, IssueFederatedRequest } from './schema.js';

type Request = PublicRequest<{ readonly document: typeof FederatedTokenRequest }>;

/** Stores nothing. The assertion may be used again until it expires. */
export const issueFederatedToken = definePublicOperation({
  name: 'issueFederatedToken',
  summary: 'Exchange the assertion of a trusted issuer for a token of minutes.',
  example: { document: { ...exampleVersion, credential_id: exampleId, assertion: 'e30.e30.AA' } },
  command: {
    name: 'credentials federated-token',
    examples: ['agentkeep credentials federated-token --credential-id <id> --assertion "$JWT"'],
  },
  tag: 'Identity',
  ignoresProof: true,
  input: { document: FederatedTokenRequest },
  document: { bytesMax: FEDERATED_DOCUMENT_BYTES_MAX },
  output: FederatedTokenResponse,
  checks: inputFirstChecks,
  errors: ['assertion_refused', 'issuer_unavailable', 'storage_inconsistency'],
  async handler(request: Request) {
    const { runtime, nowMs } = request;
    const { credential_id: credentialId, assertion } = request.input.document;
    const { store, tokens } = runtime;
    const found = await store.read((tx) => findFederated(tx, credentialId, nowMs));
    if (found === undefined) throw refuse(request, undefined, 'credential');
    const { credential, rule, issuer } = found;
    const check = await assertions.of(runtime).verify(assertion, issuer, nowMs);
    if (check.kind === 'unavailable') throw unavailable(request, found, check.reason);
    if (check.kind === 'refused') throw refuse(request, undefined, check.reason);
    const subjectId = provedSubject(found, check.claims);
    if (subjectId === undefined) throw refuse(request, found, 'rule');
    // The issuer may have answered slowly, and what it vouches for may have ended meanwhile.
    const pin = await store.read((tx) => pinNow(tx, found, subjectId, nowMs));
    if (pin === undefined) throw refuse(request, found, 'subject');
    observe(request, found, {
      type: 'access_granted',
      result: 'success',
      metadata: { subject: subjectId },
    });
    const { token, expiresInSecs } = await tokens.issueDelegated(
      {
        tenantId: credential.tenantId,
        credentialId,
        pin,
        subjectId,
        service: credential.spec.subject_id,
        jti: runtime.newId(),
      },
      nowMs,
      rule.token_seconds,
    );
    return {
      contract_version: CONTRACT_VERSION,
      access_token: token,
      token_type: 'Bearer' as const,
      expires_in: expiresInSecs,
    };
  },
});

function provedSubject(
  { rule, credential }: Federated,
  claims: AssertionClaims,
): string | undefined {
  return matchesRule(rule, claims) ? statedSubject(credential.spec, rule, claims) : undefined;
}

/** Returns the pin of a token for a subject, or `undefined` if it may not have one any more. */
function pinNow(
  tx: ReadTx,
  { credential, issuer }: Federated,
  subjectId: string,
  nowMs: number,
): string | undefined {
  const { id, tenantId } = credential;
  const current = findFederated(tx, id, nowMs);
  if (current?.issuer.revision !== issuer.revision) return undefined;
  const limits = findLimits(tx, tenantId, subjectId);
  if (!mayBeActedFor(current, subjectId, limits)) return undefined;
  return federatedPin(credential, issuer, limits);
}

/**
 * Only what a trusted issuer has signed gets into the log of the tenant: any caller can send the
 * rest.
 */
function refuse(request: Request, found: Federated | undefined, reason: string): AgentkeepError {
  const metadata = { reason };
  const failed = { type: 'permission_denied', result: 'unauthorized', metadata } as const;
  observe(request, found, failed);
  return new AgentkeepError('assertion_refused');
}

function unavailable(request: Request, found: Federated, reason: string): AgentkeepError {
  const metadata = { reason, issuer: found.issuer.name };
  observe(request, undefined, { type: 'permission_denied', result: 'error', metadata });
  return new AgentkeepError('issuer_unavailable');
}

function observe(
  request: Request,
  found: Federated | undefined,
  event: {
    readonly type: 'access_granted' | 'permission_denied';
    readonly result: 'success' | 'unauthorized' | 'error';
    readonly metadata: AuditMetadata;
  },
): void {
  const { type, result, metadata } = event;
  request.observe({
    ...{ type, action: 'federation', result },
    resource: `credential:${request.input.document.credential_id}`,
    metadata: {
      ...(found === undefined ? {} : { issuer: found.issuer.name }),
      ...metadata,
    },
    ...(found === undefined ? {} : { actor: actorOf(found) }),
  });
}

function actorOf({ credential: { tenantId, id, spec } }: Federated): EventActor {
  return { tenantId, userId: id, username: spec.subject_id };
}

/** Returns the subject that a token is for; `undefined` if the claim is no subject id. */
function statedSubject(
  { subject_id: own }: CredentialSpec,
  { subject_claim: path }: FederationRule,
  claims: AssertionClaims,
): string | undefined {
  if (path === null) return own;
  const stated = claimAt(claims, path);
  return typeof stated === 'string' && isTextId(stated) ? stated : undefined;
}

/** Not idempotent: a repeat issues another credential. */
export const issueFederatedCredential = defineTenantOperation({
  name: 'issueFederatedCredential',
  summary: 'Issue a credential that a trusted issuer proves; it has no secret.',
  example: {
    document: {
      ...exampleVersion,
      spec: { subject_id: 'deployer', capabilities: ['memory_read'], grants: [exampleScope] },
      federation: { issuer: 'ci', sub: { mode: 'prefix', prefix: 'repo:acme/' } },
    },
  },
  command: { name: 'credentials issue-federated' },
  tag: 'Identity',
  input: { document: IssueFederatedRequest },
  output: CredentialResponse,
  requires: { capability: 'credential_admin' },
  confirms: 'revision',
  checks: authorityFirstChecks,
  errors: ['issuer_not_found', 'revision_conflict', 'subject_erased'],
  handler: (request) => {
    const { runtime, credential: actor, nowMs } = request;
    const { spec: requested, federation } = request.input.document;
    const { tenantId } = actor;
    const spec = checkedSpec(requested, nowMs);
    const message = beyondMaker(spec, actor);
    if (message !== undefined) throw new AgentkeepError('forbidden', { message });
    const id = runtime.newId();
    const { credential, event } = newCredentialState(
      { id, tenantId, spec, verifier: federatedVerifier(id), federation },
      { action: 'issued', actorId: actor.id, nowMs },
    );
    return runtime.store.transact((tx) => {
      request.confirm(tx);
      if (findIssuer(tx, tenantId, federation.issuer) === undefined) {
        throw new AgentkeepError('issuer_not_found');
      }
      request.record(tx, credentialChanged(credential, 'issued'));
      insertCredential(tx, credential, event);
      return { contract_version: CONTRACT_VERSION, credential: showCredential(tx, credential) };
    });
  },
});
