/** The examples in the contract: the schemas accept them, and so does a server. */
import { openKeep, type OperationName, operations } from '@agentkeep/core';
import { bootstrapMaster, bootstrapTenant, type Operation } from '@agentkeep/core/operator';
import { createConfig, lintFromString } from '@redocly/openapi-core';
import { fillPath, parameterOf, routes } from '@agentkeep/client/routes';
import { testStore } from '@agentkeep/testkit/test-store';
import * as v from 'valibot';
import { expect, test } from 'vitest';
import { contractText } from '../src/openapi/contract-text.js';
import { contractDocument } from '../src/openapi/document.js';
import type { OperationObject } from '../src/openapi/openapi-document.js';
import { unknownId } from '@agentkeep/contract-cases/documents';
import { appOf } from '@agentkeep/contract-cases/http-driver';

const described = Object.values(contractDocument.paths)
  .flatMap((methods) => Object.values(methods))
  .filter(({ requestBody }) => requestBody !== undefined)
  .map((operation) => [operation.operationId as OperationName, operation] as const);

function exampleIn({ requestBody }: OperationObject): unknown {
  return requestBody?.content['application/json']?.example;
}

test.each(described)('the example of %s is a document without faults', (name, operation) => {
  const { document } = operations[name].input as { readonly document?: v.GenericSchema };
  expect(v.safeParse(document!, exampleIn(operation)).issues).toBeUndefined();
});

test('a server accepts the form of every example', async () => {
  await using keep = await openKeep({ store: testStore() });
  const app = appOf(keep);
  const ops = await bootstrapTenant(keep, { tenantId: 'acme', subjectId: 'ops' });
  const { secret: master } = await bootstrapMaster(keep, 'root');
  const admin = await keep.authenticate(ops.secret);
  const everything = await admin.credentials.issue({
    subject_id: 'judge',
    capabilities: [...capabilities],
    grants: (['private', 'shared'] as const).map((visibility) => ({
      ...{ project_id: 'support', agent_id: 'helper' },
      visibility,
    })),
  });
  const person = { username: 'bob', password: 'Correct-Horse-7' };
  await admin.users.create(person);
  const { tokens } = await keep.logIn({ ...person, tenantId: 'acme' });
  const proofOf = (operation: Operation): string => {
    if (operation.kind === 'tenant') return everything.secret;
    if (operation.kind !== 'account') return master;
    const { party, isInstallation } = operation.requires;
    if (party === 'account' || party === 'login') return tokens.access_token;
    return isInstallation === true ? master : ops.secret;
  };
  // They end proofs of other calls, whose forms would not be looked at.
  const last: readonly OperationName[] = ['changeOwnPassword', 'eraseTenant'];
  const inTurn = described.toSorted(([one], [other]) => last.indexOf(one) - last.indexOf(other));
  for (const [name, operation] of inTurn) {
    const { method, path } = routes[name];
    const response = await app.request(fillPath(path, idIn(path)), {
      method,
      headers: {
        Authorization: `Bearer ${proofOf(operations[name])}`,
        'Content-Type': 'application/json',
      },
      body: JSON.stringify(exampleIn(operation)),
    });
    const text = await response.text();
    // No example can be a token or a cursor that is still valid.
    const refusal = REFUSALS[name];
    if (refusal !== undefined) expect(text).toContain(refusal);
    else expect([400, 401], `${name}: ${text}`).not.toContain(response.status);
  }
});

/** All that a credential of a tenant can have, so that no check ends before the rules. */
const capabilities = [
  ...(['memory_read', 'memory_write', 'memory_propose', 'memory_review'] as const),
  ...(['procedure_propose', 'procedure_evaluate'] as const),
  ...(['experience_read', 'experience_write', 'experience_report', 'tool_read'] as const),
  ...(['tool_develop', 'tool_report', 'tool_admin', 'policy_admin', 'credential_admin'] as const),
];

/** Operations of the examples whose proof or cursor no server knows, and what it answers. */
const REFUSALS: Partial<Record<OperationName, string>> = {
  revokeToken: 'invalid_token',
  receiveIssuerLogout: 'logout_token_refused',
  commitConsumer: '"path":"cursor"',
  issueFederatedToken: 'assertion_refused',
  completeSignIn: 'sign_in_refused',
  authRefresh: 'unauthorized',
  loginGlobal: 'invalid_login',
};

/** A value of the parameter in a path: a name where it takes names. */
function idIn(path: string): string {
  const name = parameterOf(path);
  return name === 'tenant' ? 'acme' : name === 'username' ? 'ann' : unknownId;
}

test('a linter for OpenAPI has nothing to say', async () => {
  const config = await createConfig({ extends: ['recommended'] });
  const problems = await lintFromString({
    source: await contractText(),
    absoluteRef: 'openapi.json',
    config,
  });
  expect(problems.map(({ ruleId, message }) => `${ruleId}: ${message}`)).toEqual([]);
});
