/** The kinds of access of programs, as OAuth's `scope` names them. */
import { ProgramAccess } from '@agentkeep/core/operator';

/** All of them, in the order of the consent page. */
export const ACCESS_NAMES: readonly ProgramAccess[] = ProgramAccess.options;

/** Returns the kinds of access in a `scope`; all for one that names none, others are ignored. */
export function requestedAccess(scope: string | null | undefined): readonly ProgramAccess[] {
  const named = (scope ?? '').split(' ');
  const known = ACCESS_NAMES.filter((each) => named.includes(each));
  return known.length === 0 ? ACCESS_NAMES : known;
}
