/**
 * Turns an HTTP request into the input of an operation.
 * @module
 */
import type { IncomingMessage } from 'node:http';
import { describedType, type InputSource, type Operation } from '@agentkeep/core';
import { readDocument } from './body.js';
import { readQuery } from './query.js';

const DIGITS = /^\d+$/;

/** The parts of a request that an input is made of. */
export interface BoundRequest {
  readonly request: Request;
  /** The Node.js request, when the app runs on a socket. */
  readonly incoming: IncomingMessage | undefined;
  /** The last variable segment of the path. */
  readonly id: string | undefined;
}

/** The input of an operation, each part read when the order of checks asks for it. */
export function bind(operation: Operation, { request, incoming, id }: BoundRequest): InputSource {
  return {
    id,
    get parameters() {
      return parametersOf(operation, request.url);
    },
    document: () => readDocument(request, incoming),
  };
}

/** Query parameters; those that the contract calls integers are read as decimal digits. */
function parametersOf({ input }: Operation, url: string): Record<string, unknown> | undefined {
  const question = url.indexOf('?');
  if (question === -1) return undefined;
  const parameters: Record<string, unknown> = readQuery(
    url.slice(question + 1).split('#', 1)[0] ?? '',
  );
  const schema = 'parameters' in input ? input.parameters : undefined;
  if (schema === undefined) return parameters;
  for (const [name, value] of Object.entries(parameters)) {
    const isInteger = describedType(schema, name) === 'integer';
    if (isInteger && DIGITS.test(String(value))) parameters[name] = Number(value);
  }
  return parameters;
}
