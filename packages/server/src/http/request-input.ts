/** Reads the input of an operation from an HTTP request. */
import type { IncomingMessage } from 'node:http';
import { type InputSource, integerMembers, type Operation } from '@agentkeep/core/transport';
import { readDocument } from './body.js';
import { readQuery } from './query.js';

const DIGITS = /^\d+$/;

type ParameterSchema = NonNullable<Operation['input']['parameters']>;

/** The parts of a request that form the input. */
export interface RequestParts {
  readonly request: Request;
  /** The Node.js request, if the app runs on a socket. */
  readonly incoming: IncomingMessage | undefined;
  /** The last variable segment of the path. */
  readonly id: string | undefined;
}

/** Returns the input of an operation. Each part is read only when a check needs it. */
export function readInput(
  operation: Operation,
  { request, incoming, id }: RequestParts,
): InputSource {
  return {
    id,
    get parameters() {
      return parametersOf(operation, request.url);
    },
    document: (rule) => readDocument(request, incoming, rule),
  };
}

/** Returns the query parameters. Integers of the contract are parsed from decimal digits. */
function parametersOf({ input }: Operation, url: string): Record<string, unknown> | undefined {
  const question = url.indexOf('?');
  if (question === -1) return undefined;
  const hash = url.indexOf('#', question);
  const parameters: Record<string, unknown> = readQuery(
    url.slice(question + 1, hash === -1 ? undefined : hash),
  );
  for (const name of integersOf(input.parameters)) {
    const text = parameters[name];
    if (typeof text === 'string' && DIGITS.test(text)) parameters[name] = Number(text);
  }
  return parameters;
}

/** Caches the integer members of each schema. */
const integers = new WeakMap<ParameterSchema, readonly string[]>();

function integersOf(schema: ParameterSchema | undefined): readonly string[] {
  if (schema === undefined) return [];
  const known = integers.get(schema);
  if (known !== undefined) return known;
  const found = integerMembers(schema);
  integers.set(schema, found);
  return found;
}
