/**
 * One row for each operation: its refusals, and the links of the fuzzer. The calls of tests and
 * attacks are the examples of the operations. Type checking fails for an operation without a row.
 */
import { type OperationName, operations } from '@agentkeep/core';
import { credentialRows } from './credential-rows.js';
import { experienceRows } from './experience-rows.js';
import { installationRows } from './installation-rows.js';
import { invitationRows } from './invitation-rows.js';
import { learningRows } from './learning-rows.js';
import { loginAccountRows } from './login-account-rows.js';
import { branchRows } from './branch-rows.js';
import { memoryRows } from './memory-rows.js';
import { sessionRows } from './session-rows.js';
import { toolRows } from './tool-rows.js';
import { userRows } from './user-rows.js';
import { webhookRows } from './webhook-rows.js';
import type { Links } from './link.js';
import type { OperationRow } from './operation-row.js';

/** The password that examples of accounts begin with. */
export const { password } = operations.createUser.example.document;

/** The password that examples change it to. */
export const { new_password: newPassword } = operations.changeOwnPassword.example.document;

/** The rows by operation. */
export const operationRows: { readonly [N in OperationName]: OperationRow } = {
  ...credentialRows,
  ...branchRows,
  ...memoryRows,
  ...webhookRows,
  ...userRows,
  ...invitationRows,
  ...sessionRows,
  ...learningRows,
  ...toolRows,
  ...experienceRows,
  ...installationRows,
  ...loginAccountRows,
};

/** The names of all operations. */
export const everyName = Object.keys(operationRows) as OperationName[];

/** The row of an id in `openapi.json`. The contract itself is no operation and has none. */
function rowOf(id: string): Partial<OperationRow> {
  return (operationRows as Readonly<Record<string, OperationRow>>)[id] ?? {};
}

/** Returns what links an operation to others, by its id. */
export function linksOf(id: string): Links {
  return rowOf(id);
}

/** Returns whether answers of an operation deliver a secret, by its id. */
export function givesSecret(id: string): boolean {
  return rowOf(id).givesSecret === true;
}

/** Returns whether contract cases state an operation in full, so that no history plays it. */
export function isStatedByCases(name: OperationName): boolean {
  return rowOf(name).isStatedByCases === true;
}

/** The parts of a call, whatever its operation. */
export interface CallParts {
  readonly id?: unknown;
  readonly parameters?: unknown;
  readonly document?: unknown;
}

/** Returns the valid call of an operation, in another scope where one is given. */
export function callOf(name: OperationName, scope?: object): CallParts {
  const { example }: { readonly example: CallParts } = operations[name];
  return scope === undefined ? structuredClone(example) : (inScope(example, scope) as CallParts);
}

/** Replaces the scope of the examples, also where its members are among others. */
function inScope(value: unknown, scope: object): unknown {
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map((each) => inScope(each, scope));
  const members = Object.entries(value).map(([name, each]) => [name, inScope(each, scope)]);
  const copy: object = Object.fromEntries(members);
  return 'project_id' in copy ? { ...copy, ...scope } : copy;
}
