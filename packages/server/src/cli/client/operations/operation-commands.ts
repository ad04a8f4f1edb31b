/** All commands that are made from the operations of the contract. */
import { contractDocument } from '../../../openapi/document.js';
import type { OperationObject } from '../../../openapi/openapi-document.js';
import type { OperationName } from '@agentkeep/client';
import { type Route, routes, parameterOf } from '@agentkeep/client/routes';
import type { ClientCommand } from '../../command/command.js';
import { operationInput } from './operation-input.js';
import { operationCommand } from './operation-command.js';
import { type OperationEntry, statedCommands } from './stated-commands.js';

/** Commands that name an operation as the contract does: `agentkeep call readProcedure`. */
const CALL = 'call';

/** Returns the contract's description of an operation. */
function objectOf(operation: OperationName): OperationObject {
  const { method, path }: Route = routes[operation];
  const object = contractDocument.paths[path]?.[method.toLowerCase()];
  if (object === undefined) throw new TypeError(`${operation} is not in the contract.`);
  return object;
}

function commandOf(entry: OperationEntry): ClientCommand {
  const { operation } = entry;
  const { components } = contractDocument;
  const revisionFrom = entry.revisionFrom as OperationName | undefined;
  const revision = revisionFrom && {
    operation: revisionFrom,
    input: operationInput(objectOf(revisionFrom), components),
  };
  const idName = parameterOf(routes[operation].path);
  return operationCommand(entry, { object: objectOf(operation), idName, revision }, components);
}

/** Returns the commands that operations state, and one for each operation below `call`. */
export function operationCommands(): readonly ClientCommand[] {
  const names = Object.keys(routes) as OperationName[];
  const calls = names.map((operation) => ({ name: `${CALL} ${operation}`, operation }));
  return [...statedCommands(), ...calls].map(commandOf);
}
