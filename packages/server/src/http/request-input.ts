/** Reads the input of an operation from an HTTP request. */
import {
  type DocumentRule,
  type InputSource,
  integerMembers,
  type Operation,
  type ParsedJson,
} from '@agentkeep/core/operator';
import { readDocument } from './body.js';
import { readQuery } from './query.js';
import type { Received } from './received.js';

const DIGITS = /^\d+$/;

type ParameterSchema = NonNullable<Operation['input']['parameters']>;

/** The parts of an input that are not read from the request. */
export interface InputSettings {
  /** The id in the path. */
  readonly id: string | undefined;
  /** Gets the document once it has been read. */
  readonly seen?: { sent(document: unknown): void } | undefined;
}

/**
 * Returns the input of an operation, with the id in the path. The other parts are read only when a
 * check needs them.
 */
export function readInput(
  operation: Operation,
  received: Received,
  settings: InputSettings,
): InputSource {
  return new RequestInput(operation, received, settings);
}

/** A class, because an object with an accessor is slow to create. */
class RequestInput implements InputSource {
  readonly id: string | undefined;
  readonly #operation: Operation;
  readonly #received: Received;
  readonly #seen: InputSettings['seen'];

  constructor(operation: Operation, received: Received, { id, seen }: InputSettings) {
    this.id = id;
    this.#seen = seen;
    this.#operation = operation;
    this.#received = received;
  }

  /** Integers of the contract are parsed from decimal digits. */
  get parameters(): Record<string, unknown> | undefined {
    const query = queryOf(this.#received.url);
    return query === undefined ? undefined : parsed(query, this.#operation.input.parameters);
  }

  document(rule: DocumentRule): Promise<ParsedJson | undefined> {
    const reading = readDocument(this.#received, rule);
    const seen = this.#seen;
    return seen === undefined ? reading : shownTo(seen, reading);
  }
}

async function shownTo(
  seen: NonNullable<InputSettings['seen']>,
  reading: Promise<ParsedJson | undefined>,
): Promise<ParsedJson | undefined> {
  const parsed = await reading;
  if (parsed !== undefined) seen.sent(parsed.value);
  return parsed;
}

/** Returns the query of a URL without its `?`, or `undefined` if it has none. */
function queryOf(url: string): string | undefined {
  const question = url.indexOf('?');
  if (question === -1) return undefined;
  const hash = url.indexOf('#', question);
  return url.slice(question + 1, hash === -1 ? undefined : hash);
}

function parsed(query: string, schema: ParameterSchema | undefined): Record<string, unknown> {
  const parameters: Record<string, unknown> = readQuery(query);
  for (const name of integersOf(schema)) {
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
