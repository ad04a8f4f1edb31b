/** Reads the kinds of access that a program asks for in OAuth's `scope`. */
import { ACCESS_NAMES, type ProgramAccess } from '@agentkeep/core/operator';

/** Returns the kinds of access in a `scope`; all for one that names none, others are ignored. */
export function requestedAccess(scope: string | null | undefined): readonly ProgramAccess[] {
  const named = (scope ?? '').split(' ');
  const known = ACCESS_NAMES.filter((each) => named.includes(each));
  return known.length === 0 ? ACCESS_NAMES : known;
}
