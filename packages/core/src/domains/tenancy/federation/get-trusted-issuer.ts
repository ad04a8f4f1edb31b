/** `getTrustedIssuer`: shows an issuer that the tenant trusts. */
import { AgentkeepError } from '../../../contract/errors/agentkeep-error.js';
import { textId } from '../../../contract/schema/text.js';
import { CONTRACT_VERSION } from '../../../contract/version.js';
import { defineTenantOperation } from '../../../kernel/operation/define-operation.js';
import { authorityFirstChecks } from '../../../kernel/operation/orders-of-checks.js';
import { readAtOnce } from '../../../storage/store/read-at-once.js';
import { findIssuer, showIssuer } from './issuer-store.js';
import { IssuerResponse } from './schema.js';

/** Shows blocked ones too. */
export const getTrustedIssuer = defineTenantOperation({
  name: 'getTrustedIssuer',
  summary: 'Show an issuer whose assertions prove credentials.',
  example: { id: 'ci' },
  command: { name: 'issuers show' },
  tag: 'Identity',
  effect: 'read',
  input: { id: textId() },
  output: IssuerResponse,
  requires: { capability: 'credential_admin' },
  checks: authorityFirstChecks,
  errors: ['issuer_not_found'],
  handler: ({ runtime, credential, input }) =>
    readAtOnce(runtime.store, (tx) => {
      const issuer = findIssuer(tx, credential.tenantId, input.id);
      if (issuer === undefined) throw new AgentkeepError('issuer_not_found');
      return { contract_version: CONTRACT_VERSION, issuer: showIssuer(issuer) };
    }),
});
