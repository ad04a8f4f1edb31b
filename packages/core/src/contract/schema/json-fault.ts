/** Refuses the document of a program that JSON cannot write, and names the member at fault. */
import { AgentkeepError, type RefusedMember } from '../errors/agentkeep-error.js';
import { assertJson } from './json-assert.js';
import { EXACT_NUMBER, InvalidJsonError, JSON_DEPTH_MAX, type JsonValue } from './json-value.js';
import { pathTo } from './refused-member.js';

const PLAIN =
  'a plain JSON value: a text, a finite number, true, false, null, an array or an object';

/**
 * Returns the document of a program in this process or behind a network, as `assertJson` checks it,
 * so that nothing becomes another value on the way.
 *
 * @throws {AgentkeepError} `invalid_request` with the member that JSON cannot write.
 */
export function jsonDocument(document: unknown, unitsMax: number): JsonValue {
  try {
    return assertJson(document, unitsMax);
  } catch (cause) {
    if (!(cause instanceof InvalidJsonError)) throw cause;
    const members = [cause.member ?? jsonFault(document, unitsMax)];
    throw new AgentkeepError('invalid_request', { members, cause });
  }
}

/** Returns the member at fault of a value that `assertJson` refuses, but not for its depth. */
function jsonFault(value: unknown, unitsMax: number): RefusedMember {
  const keys: string[] = [];
  let at = value;
  // A cycle can be too large before it is too deep, and has no end.
  while (keys.length < JSON_DEPTH_MAX) {
    const inner = childrenOf(at).find(([, child]) => refusalOf(child, unitsMax) !== undefined);
    if (inner === undefined) break;
    keys.push(inner[0]);
    at = inner[1];
  }
  const isLarge = refusalOf(at, unitsMax)?.isTooLarge === true;
  const kind = typeof at === 'number' ? EXACT_NUMBER : PLAIN;
  const expected = isLarge ? `at most ${unitsMax} bytes of JSON in all` : kind;
  return { path: pathTo(value, keys), expected };
}

function childrenOf(value: unknown): [key: string, child: unknown][] {
  const isPlain =
    Array.isArray(value) || Object.prototype.toString.call(value) === '[object Object]';
  return isPlain ? Object.entries(value as object) : [];
}

function refusalOf(value: unknown, unitsMax: number): InvalidJsonError | undefined {
  // What is left out is no fault.
  if (value === undefined) return undefined;
  try {
    assertJson(value, unitsMax);
    return undefined;
  } catch (error) {
    if (error instanceof InvalidJsonError) return error;
    throw error;
  }
}
