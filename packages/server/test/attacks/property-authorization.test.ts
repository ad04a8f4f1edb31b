/**
 * Property-level authorization (OWASP API3:2023): extra members, put into every object of every
 * document and into every query, are refused rather than applied or ignored, and nothing is
 * written.
 */
import type { OperationName } from '@agentkeep/core';
import { expect, test } from 'vitest';
import { outcome, type Parts, refused } from '@agentkeep/contract-cases/answer';
import { drivers } from '@agentkeep/contract-cases/drivers';
import { callOf, everyName, operationOf } from './every-call.js';
import { open } from './every-caller.js';

/** Members that an attacker would like to set. */
const SMUGGLED: Readonly<Record<string, unknown>> = {
  tenant_id: 'other',
  subject_id: 'root',
  id: '01900000-0000-7000-8000-000000000001',
  is_master: true,
  roles: ['SuperAdmin'],
  role: 'SuperAdmin',
  capabilities: ['credential_admin'],
  revision: 1,
  author: { credential_id: 'x', subject_id: 'root' },
  actor_id: 'root',
  created_at_millis: 0,
  created_by: 'system',
  is_active: true,
  password_hash: '$argon2id$',
  expires_at_millis: null,
  constructor: { prototype: { isAdmin: true } },
};

/** Members of documents whose content is up to the caller. */
const FREE = new Set(['metadata', 'data', 'tools', 'input_schema', 'output_schema']);

type Object_ = Record<string, unknown>;

const isObject = (value: unknown): value is Object_ =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Returns every object of a document, with the path to it. */
function objectsOf(value: unknown, way: readonly string[] = []): (readonly string[])[] {
  if (!isObject(value)) return [];
  const inner = Object.entries(value).flatMap(([name, member]) =>
    FREE.has(name) ? [] : objectsOf(member, [...way, name]),
  );
  return [way, ...inner];
}

/** Copies a document with one more member in the object at a path. */
function withMember(document: unknown, way: readonly string[], name: string): unknown {
  const copy = structuredClone(document) as Object_;
  const target = way.reduce<Object_>((at, step) => at[step] as Object_, copy);
  if (Object.hasOwn(target, name)) return undefined;
  target[name] = SMUGGLED[name];
  return copy;
}

/** Members that some documents have legitimately. */
const LEGITIMATE = new Set([
  'authLogin tenant_id',
  'createUser roles',
  'issueCredential spec.expires_at_millis',
  'issueFederatedCredential spec.expires_at_millis',
  'issueGlobalCredential spec.expires_at_millis',
  'issueKeyCredential spec.expires_at_millis',
  'listScopeHolders subject_id',
  'putSubject capabilities',
  'updateUser roles',
  'updateUser is_active',
]);

/**
 * Returns every call of an operation with one smuggled member, with names for the test's messages.
 */
function smuggling(name: OperationName): [string, Parts][] {
  const parts = callOf(name);
  const { input, document: rule } = operationOf(name);
  const inDocument =
    input.document === undefined || rule?.presence === 'ignored' ? [] : objectsOf(parts.document);
  const bodies = inDocument.flatMap((way) =>
    Object.keys(SMUGGLED).map((member): [string, unknown] => [
      `${name} ${[...way, member].join('.')}`,
      withMember(parts.document, way, member),
    ]),
  );
  return bodies
    .filter(([what, document]) => document !== undefined && !LEGITIMATE.has(what))
    .map(([what, document]) => [what, { ...parts, document }]);
}

for (const driver of drivers) {
  test(`a member that the caller may not send is refused (${driver.name})`, async () => {
    const { t, taken, tokenFor } = await open(driver);
    let attacks = 0;
    for (const name of everyName) {
      for (const [what, parts] of smuggling(name)) {
        taken();
        const answer = await t.transport(name, tokenFor(name), parts);
        expect(outcome(answer), what).toBe(refused.invalid);
        expect(taken().writes, what).toBe(0);
        attacks += 1;
      }
    }
    expect(attacks).toBeGreaterThan(1_000);
    await t.keep.close();
  });

  test(`a parameter that the operation does not have is refused (${driver.name})`, async () => {
    const { t, taken, tokenFor } = await open(driver);
    for (const name of everyName) {
      const parts = callOf(name);
      const { checks, document } = operationOf(name);
      // Operations that read no input ignore queries too, and a logout ends its session in any
      // case.
      if (checks.length === 0 || document?.presence === 'ignored') continue;
      for (const member of ['subject_id', 'role', 'is_master', 'access_token', 'api_key', 'x']) {
        const parameters = { ...(parts.parameters as object | undefined), [member]: 'root' };
        taken();
        const answer = await t.transport(name, tokenFor(name), { ...parts, parameters });
        expect(outcome(answer), `${name}?${member}`).toBe(refused.invalid);
        expect(taken().writes, `${name}?${member}`).toBe(0);
      }
    }
    await t.keep.close();
  });
}
