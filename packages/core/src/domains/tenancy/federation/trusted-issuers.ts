/** The operations on trusted issuers of a tenant. */
import { AgentkeepError } from '../../../contract/errors/agentkeep-error.js';
import { exampleVersion } from '../../../contract/example-values.js';
import { isTextId, textId } from '../../../contract/schema/text.js';
import { CONTRACT_VERSION } from '../../../contract/version.js';
import { listDirectory } from '../../../kernel/lists/list-directory.js';
import {
  defineTenantOperation,
  directoryOperation,
} from '../../../kernel/operation/define-operation.js';
import { authorityFirstChecks } from '../../../kernel/operation/orders-of-checks.js';
import { checkedKeys } from './issuer-keys.js';
import { findIssuer, issuersAfter, putIssuerState, showIssuer } from './issuer-store.js';
import { DirectoryIssuersResponse, IssuerResponse, PutIssuerRequest } from './schema.js';

/** Ends the tokens that the revision before vouched for, at the commit. */
export const putTrustedIssuer = defineTenantOperation({
  name: 'putTrustedIssuer',
  summary: 'State an issuer whose assertions prove credentials, or block it.',
  example: {
    id: 'ci',
    document: {
      ...exampleVersion,
      expected_revision: 0,
      issuer: 'https://ci.example.test',
      audience: 'agentkeep',
      keys: {
        mode: 'inline',
        keys: [
          {
            kty: 'OKP',
            crv: 'Ed25519',
            x: '11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo',
            kid: 'k1',
          },
        ],
      },
    },
  },
  command: {
    name: 'issuers put',
    examples: [
      'agentkeep issuers put github --expected-revision 0 --issuer ' +
        'https://token.actions.githubusercontent.com --audience agentkeep --keys ' +
        `'{"mode":"discovery"}' --profile chief`,
    ],
  },
  tag: 'Identity',
  input: { id: textId(), document: PutIssuerRequest },
  whenFull: 'served',
  output: IssuerResponse,
  requires: { capability: 'credential_admin' },
  confirms: 'revision',
  checks: authorityFirstChecks,
  errors: ['revision_conflict'],
  handler: (request) => {
    const { runtime, credential: actor, nowMs } = request;
    const { id: name, document } = request.input;
    const { tenantId } = actor;
    const keys = checkedKeys(document.keys);
    return runtime.store.transact((tx) => {
      request.confirm(tx);
      const revision = findIssuer(tx, tenantId, name)?.revision ?? 0;
      if (revision !== document.expected_revision) throw new AgentkeepError('revision_conflict');
      const { issuer, audience, is_blocked: isBlocked } = document;
      const made = { revision: revision + 1, updatedAtMillis: nowMs, updatedBy: actor.id };
      const stored = { tenantId, name, issuer, audience, keys, isBlocked, ...made };
      putIssuerState(tx, stored);
      request.record(tx, {
        type: 'configuration_changed',
        action: 'configuration_changed',
        resource: `issuer:${name}`,
        result: 'success',
        metadata: { change: isBlocked ? 'blocked' : 'trusted', tenant_id: tenantId },
      });
      return { contract_version: CONTRACT_VERSION, issuer: showIssuer(stored) };
    });
  },
});

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
    runtime.store.read((tx) => {
      const issuer = findIssuer(tx, credential.tenantId, input.id);
      if (issuer === undefined) throw new AgentkeepError('issuer_not_found');
      return { contract_version: CONTRACT_VERSION, issuer: showIssuer(issuer) };
    }),
});

/** Lists in ascending order of name, forward only. Pages reflect concurrent changes. */
export const listTrustedIssuers = defineTenantOperation({
  ...directoryOperation,
  name: 'listTrustedIssuers',
  summary: 'List the issuers whose assertions prove credentials.',
  example: { parameters: exampleVersion },
  command: {
    name: 'issuers list',
    columns: ['name', 'issuer', 'audience', 'is_blocked', 'revision', 'updated_at_millis'],
  },
  tag: 'Identity',
  output: DirectoryIssuersResponse,
  requires: { capability: 'credential_admin' },
  handler: ({ runtime, credential: { tenantId }, input }) =>
    listDirectory(runtime.store, input.parameters, {
      identity: { list: 'issuers', tenantId },
      read: (tx, page) => issuersAfter(tx, tenantId, page),
      show: (_tx, issuer) => showIssuer(issuer),
      placeOf: ({ name }) => name,
      isPlace: isTextId,
    }),
});
