/** Reads the parts of an input and checks each against its schema. */
import * as v from 'valibot';
import { AgentkeepError } from '../contract/errors/agentkeep-error.js';
import { assertJson, InvalidJsonError, type ParsedJson } from '../contract/schema/json.js';
import type { DocumentRule } from './input-rules.js';

/** The parts of an input as a caller or a transport provides them. */
export interface InputSource {
  readonly id?: unknown;
  readonly parameters?: unknown;
  /**
   * Read when the order of checks reaches it, so that a call without a proof never reads a body.
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
    document: ({ presence }) =>
      presence !== undefined && document === undefined
        ? undefined
        : { value: assertJson(document) },
  };
}

/**
 * Reads the document of an input.
 *
 * @throws {AgentkeepError} `invalid_request` when it is not strict JSON.
 */
export async function readDocument(
  source: InputSource,
  rule: DocumentRule,
): Promise<ParsedJson | undefined> {
  try {
    return await source.document?.(rule);
  } catch (cause) {
    if (cause instanceof InvalidJsonError) throw new AgentkeepError('invalid_request', { cause });
    throw cause;
  }
}

/** A part of the right shape, with the rules that it breaks. */
export interface TypedPart {
  readonly output: unknown;
  readonly broken: readonly BrokenRule[];
}

/** A text rule or bound that a member breaks. */
export interface BrokenRule {
  /** The member, as a dotted path from the top of its part. */
  readonly member: string;
}

/**
 * Checks shape and types of a part, and returns the rules that it breaks.
 *
 * @throws {AgentkeepError} `invalid_request` when shape or types are wrong.
 */
export function typedPart(schema: v.GenericSchema, value: unknown): TypedPart {
  const result = v.safeParse(schema, value);
  if (result.success) return { output: result.output, broken: [] };
  const shape = result.issues.filter((issue) => issue.kind !== 'validation');
  if (shape.length > 0 || !result.typed) throw refusal(shape.map(memberOf));
  return {
    output: result.output,
    broken: result.issues.map((issue) => ({ member: memberOf(issue) })),
  };
}

/** Returns the error for members that break shape or rules. */
export function refusal(members: readonly string[]): AgentkeepError {
  return new AgentkeepError('invalid_request', { members });
}

function memberOf(issue: v.BaseIssue<unknown>): string {
  return v.getDotPath(issue) ?? '';
}
