/** Finds the record that a call means: by its name, or by its id. */
import { AgentkeepError } from '@agentkeep/client';

/** Arguments that name a record. JSON Schemas of tools have no alternatives at their root. */
interface GivenTarget {
  readonly name?: string;
  readonly record_id?: string;
}

/**
 * Returns the one of the two that was given.
 * @throws {AgentkeepError} `invalid_request` unless there is exactly one.
 */
export function targetOf({
  name,
  record_id: recordId,
}: GivenTarget): { readonly name: string } | { readonly recordId: string } {
  if (name !== undefined && recordId === undefined) return { name };
  if (recordId !== undefined && name === undefined) return { recordId };
  throw refusedTarget('either name or record_id');
}

/** Returns the refusal of arguments, with the expected ones. */
export function refusedTarget(expected: string): AgentkeepError {
  return new AgentkeepError('invalid_request', { members: [{ path: '', expected }] });
}
