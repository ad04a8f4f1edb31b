/** Which record a call is meant for: that of a name, or that of an id. */
import { AgentkeepError } from '@agentkeep/client';

/** Arguments that name a record. JSON Schemas of tools have no alternatives at their root. */
interface GivenTarget {
  readonly name?: string;
  readonly record_id?: string;
}

/**
 * Returns the one of both that was given.
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

/** Returns the refusal of arguments, with what is expected in their place. */
export function refusedTarget(expected: string): AgentkeepError {
  return new AgentkeepError('invalid_request', { members: [{ path: '', expected }] });
}
