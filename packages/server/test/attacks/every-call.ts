/** A valid call of every operation in the scope of the tests; only the caller varies. */
import { type OperationName, operations } from '@agentkeep/core';
import type { Operation } from '@agentkeep/core/operator';
import { type CallParts, callOf as callIn } from '@agentkeep/testkit/operations';
import { scope } from '@agentkeep/contract-cases/documents';

export { everyName } from '@agentkeep/testkit/operations';

/** Returns the valid call of an operation. */
export function callOf(name: OperationName): CallParts {
  return callIn(name, scope);
}

/** Returns an operation in the form that the tables of access use. */
export function operationOf(name: OperationName): Operation {
  return operations[name];
}
