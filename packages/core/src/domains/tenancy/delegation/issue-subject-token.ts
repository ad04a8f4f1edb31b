/** `issueSubjectToken`: gives a service a token that acts for one of its subjects. */
import { exampleVersion } from '../../../contract/example-values.js';
import { thumbprintIn } from '../../../kernel/access/key-thumbprint.js';
import { CONTRACT_VERSION } from '../../../contract/version.js';
import { defineTenantOperation } from '../../../kernel/operation/define-operation.js';
import { authorityFirstChecks } from '../../../kernel/operation/orders-of-checks.js';
import { requireDelegation, requireSecret } from './hold-delegation.js';
import { SubjectTokenRequest, SubjectTokenResponse } from './schema.js';

/** Stores nothing, so it may be repeated, and thousands of subjects cost nothing. */
export const issueSubjectToken = defineTenantOperation({
  name: 'issueSubjectToken',
  summary: 'Get a token of minutes that acts for a subject.',
  example: { document: { ...exampleVersion, subject_id: 'user-1' } },
  command: {
    name: 'subjects token',
    examples: ['agentkeep subjects token --subject-id user-1 --json --profile support'],
  },
  tag: 'Identity',
  whenFull: 'served',
  input: { document: SubjectTokenRequest },
  output: SubjectTokenResponse,
  requires: { capability: 'act_for' },
  checks: authorityFirstChecks,
  errors: ['subject_erased'],
  handler: async (request) => {
    const { runtime, principal, credential, nowMs } = request;
    const { subject_id: subjectId, expires_in_seconds: lifetimeSecs } = request.input.document;
    const { tenantId, id: credentialId } = credential;
    const { verifier } = requireSecret(principal.held);
    const pin = await runtime.store.read((tx) =>
      requireDelegation(tx, { tenantId, credentialId, subjectId, verifier }),
    );
    request.observe({
      type: 'access_granted',
      action: 'act_for',
      resource: `subject:${subjectId}`,
      result: 'success',
      metadata: { lifetime_seconds: lifetimeSecs },
    });
    const thumbprint = thumbprintIn(verifier);
    const claims = {
      tenantId,
      credentialId,
      pin,
      subjectId,
      service: credential.spec.subject_id,
      jti: runtime.newId(),
      thumbprint,
    };
    const { token, expiresInSecs } = await runtime.tokens.issueDelegated(
      claims,
      nowMs,
      lifetimeSecs,
    );
    return {
      contract_version: CONTRACT_VERSION,
      access_token: token,
      token_type: thumbprint === undefined ? ('Bearer' as const) : ('DPoP' as const),
      expires_in: expiresInSecs,
    };
  },
});
