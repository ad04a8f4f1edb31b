/** Reads the parts of an input and checks each against its schema. */
import * as v from 'valibot';
import {
  AgentkeepError,
  MEMBERS_MAX,
  type RefusedMember,
} from '../../contract/errors/agentkeep-error.js';
import { DOCUMENT_BYTES_MAX } from '../../contract/limits.js';
import { InvalidJsonError, JSON_DEPTH_MAX, type ParsedJson } from '../../contract/schema/json.js';
import { jsonDocument } from '../../contract/schema/json-assert.js';
import { memberNamed, refusedMember } from '../../contract/schema/refused-member.js';
import type { Settled } from '../../storage/store/store.js';
import type { DocumentRule } from './input-rules.js';

/** The parts of an input as a caller or a transport provides them. */
export interface InputSource {
  readonly id?: unknown;
  readonly parameters?: unknown;
  /**
   * Returns the parameters as {@link typedPart} does, for a source that refuses more. Default:
   * `parameters` are checked.
   *
   * @throws {AgentkeepError} `invalid_request` as `typedPart` does.
   */
  readonly typedParameters?: (schema: v.GenericSchema) => TypedPart;
  /**
   * Read only when the order of checks reaches it, so that a call without a proof never reads a
   * body.
   */
  readonly document?: (
    rule: DocumentRule,
  ) => ParsedJson | undefined | Promise<ParsedJson | undefined>;
}

/** Returns the input of an embedded caller. */
export function embeddedInput(parts: {
  readonly id?: unknown;
  readonly parameters?: unknown;
  readonly document?: unknown;
}): InputSource {
  const { id, parameters, document } = parts;
  return {
    id,
    parameters,
    typedParameters: (schema) => {
      refuseHalfPairs(parameters ?? {});
      return typedPart(schema, parameters ?? {});
    },
    document: ({ presence, bytesMax = 0 }) =>
      presence !== undefined && document === undefined
        ? undefined
        : { value: jsonDocument(document, Math.max(bytesMax, DOCUMENT_BYTES_MAX)) },
  };
}

/** Refuses texts that no address can have; documents are checked as JSON. */
function refuseHalfPairs(parameters: object): void {
  const half = Object.entries(parameters).find(
    ([, value]) => typeof value === 'string' && !value.isWellFormed(),
  );
  if (half === undefined) return;
  throw refusal([memberNamed(half[0], 'a text without half of a surrogate pair')]);
}

const notJson: RefusedMember = {
  path: '',
  expected: `one JSON value in UTF-8, at most ${JSON_DEPTH_MAX} levels deep, with finite numbers`,
};

/**
 * Reads the document of an input.
 *
 * @throws {AgentkeepError} `invalid_request` when it is not strict JSON.
 */
export function readDocument(
  source: InputSource,
  rule: DocumentRule,
): Settled<ParsedJson | undefined> {
  try {
    const read = source.document?.(rule);
    return read instanceof Promise ? read.catch(refuseNoJson) : read;
  } catch (cause) {
    return refuseNoJson(cause);
  }
}

function refuseNoJson(cause: unknown): never {
  throw cause instanceof InvalidJsonError ? refusal([cause.member ?? notJson], cause) : cause;
}

/** A part of the right shape, with the rules that it breaks. */
export interface TypedPart {
  readonly output: unknown;
  /** Text rules and bounds; paths begin at the top of the part. */
  readonly broken: readonly RefusedMember[];
}

/**
 * Checks shape and types of a part, and returns the rules that it breaks. `name` is the path of the
 * part itself.
 *
 * @throws {AgentkeepError} `invalid_request` when shape or types are wrong.
 */
export function typedPart(schema: v.GenericSchema, value: unknown, name = ''): TypedPart {
  const memberOf = (issue: v.BaseIssue<unknown>): RefusedMember => {
    const member = refusedMember(issue);
    return member.path === '' ? { ...member, path: name } : member;
  };
  const result = v.safeParse(schema, value);
  if (result.success) return { output: result.output, broken: [] };
  const shape = result.issues.filter((issue) => issue.kind !== 'validation');
  if (shape.length > 0 || !result.typed) throw refusal(shape.slice(0, MEMBERS_MAX).map(memberOf));
  return {
    output: result.output,
    broken: result.issues.map(memberOf),
  };
}

/** Returns the error for members that break shape or rules. */
export function refusal(members: readonly RefusedMember[], cause?: unknown): AgentkeepError {
  return new AgentkeepError('invalid_request', { members, cause });
}
