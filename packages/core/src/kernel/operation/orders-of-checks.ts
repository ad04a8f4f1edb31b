/**
 * The orders in which calls are checked (docs/contract/order-of-checks.md#ord-1). Each has steps
 * for every part that an input can have, and an operation takes those for the parts that it has.
 */
import type { Check, InputSchemas } from '../input/input-rules.js';
import type { CheckedOperation } from './stated-operation.js';

/** An order of checks. Authority comes last where an order doesn't state it. */
export type OrderOfChecks = readonly Check[];

/** The account surface (docs/contract/sessions.md#ses-28): the role, then each part by itself. */
export const accountChecks: OrderOfChecks = [
  'authority',
  'id',
  'parameters',
  'rules',
  'tenant',
  'document',
  'rules',
];

/**
 * What belongs to a whole tenant (docs/contract/learning.md#lrn-36), and audit logs: authority
 * before the input.
 */
export const authorityFirstChecks: OrderOfChecks = [
  'authority',
  'parameters',
  'document',
  'version',
  'id',
  'rules',
];

/**
 * The installation and login accounts (docs/contract/installation.md#ins-102): authority after the
 * document and the id, before queries (docs/contract/installation.md#ins-103) and rules.
 */
export const installationChecks: OrderOfChecks = [
  'document',
  'version',
  'id',
  'first rules',
  'authority',
  'parameters',
  'rules',
];

/** What acts in scopes (docs/contract/learning.md#lrn-37): authority once the scope is readable. */
export const scopedChecks: OrderOfChecks = [
  'parameters',
  'document',
  'version',
  'first rules',
  'authority',
  'id',
  'rules',
];

/** Lists (docs/contract/directory.md#dir-23), and what else checks all of its input first. */
export const inputFirstChecks: OrderOfChecks = [
  'parameters',
  'document',
  'version',
  'id',
  'rules',
  'authority',
];

/** Reads nothing of a call: any input is ignored. */
export const noChecks: OrderOfChecks = [];

/** The members that name a scope: in documents, and in queries. */
const SCOPE_MEMBERS = [
  ...['scope', 'scopes'],
  ...['project_id', 'mission_id', 'agent_id', 'visibility'],
];

/** Returns the members of an input whose rules `first rules` checks. */
export function firstMembersOf({
  input,
  firstRules = [],
}: Pick<CheckedOperation, 'input' | 'firstRules'>): string[] {
  const first = [...SCOPE_MEMBERS, ...firstRules];
  return inputMembers(input).filter((name) => first.includes(name));
}

/** What decides which steps an operation takes. */
export type CheckedParts = Pick<CheckedOperation, 'kind' | 'input' | 'document' | 'firstRules'>;

/** Returns the steps of an order that an operation takes. */
export function stepsOf(order: OrderOfChecks, operation: CheckedParts): Check[] {
  return order.filter((step, index) => isTaken(step, operation, order.slice(0, index)));
}

function isTaken(step: Check, operation: CheckedParts, before: OrderOfChecks): boolean {
  const { kind, input, document } = operation;
  const readsDocument = input.document !== undefined && document?.presence !== 'ignored';
  switch (step) {
    case 'authority':
      return kind !== 'public';
    case 'tenant':
      return kind === 'account' && membersOf(input.parameters).includes('tenant_id');
    case 'id':
    case 'parameters':
      return input[step] !== undefined;
    case 'document':
      return input.document !== undefined || document?.presence === 'ignored';
    case 'version':
      return inputMembers(input).includes('contract_version');
    case 'first rules':
      return firstMembersOf(operation).length > 0;
    case 'rules': {
      // Where an order has this step twice, it comes after each part.
      const part = before.slice(before.lastIndexOf('rules') + 1);
      return (
        (part.includes('parameters') && input.parameters !== undefined) ||
        (part.includes('document') && readsDocument)
      );
    }
  }
}

function inputMembers({ parameters, document }: InputSchemas): string[] {
  return [...membersOf(parameters), ...membersOf(document)];
}

/** Returns the names of the members of a schema, of all its options. */
function membersOf(schema: object | undefined): string[] {
  const { entries = {}, options = [] } = Object(schema) as {
    readonly entries?: object;
    readonly options?: readonly object[];
  };
  return [...Object.keys(entries), ...options.flatMap(membersOf)];
}
