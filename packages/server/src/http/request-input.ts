/** Reads the input of an operation from an HTTP request. */
import { type InputSource, integerMembers, type Operation } from '@agentkeep/core/transport';
import { readDocument } from './body.js';
import { readQuery } from './query.js';
import type { Received } from './received.js';

const DIGITS = /^\d+$/;

type ParameterSchema = NonNullable<Operation['input']['parameters']>;

/**
 * Returns the input of an operation, with the id in the path. The other parts are read only when a
 * check needs them.
 */
export function readInput(
  operation: Operation,
  received: Received,
  id: string | undefined,
): InputSource {
  return {
    id,
    get parameters() {
      return parametersOf(operation, received.url);
    },
    document: (rule) => readDocument(received, rule),
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
