/** What a caller is offered to do in a scope. The server decides each call all the same. */
import { type Caller, may } from '../session/caller.js';
import { isSameScope, type ShownScope } from './scope-query.js';

/** Returns whether scopes are listed to a caller. */
export function mayList(caller: Caller): boolean {
  return may(caller, 'memory_read') || may(caller, 'credential_admin');
}

/**
 * Returns whether a caller may open a scope that was listed to it. Administrators of credentials
 * are listed all of the tenant, others those that their credential covers.
 */
export function mayOpen(caller: Caller, { scope, subjectId }: ShownScope): boolean {
  const spec = caller.credential?.spec;
  const isOthers = subjectId !== undefined && subjectId !== spec?.subject_id;
  if (isOthers && !mayActFor(caller, subjectId)) return false;
  const isCovered = spec?.grants.some((grant) => isSameScope(grant, scope)) === true;
  return isCovered || !may(caller, 'credential_admin');
}

/** Returns whether a caller may change the records of a scope, or propose to. */
export function mayChange(caller: Caller, { scope }: ShownScope): boolean {
  const isShared = scope.visibility === 'shared';
  return may(caller, 'memory_write') || (may(caller, 'memory_propose') && isShared);
}

/** Only a credential by itself acts for subjects (docs/contract/delegation.md#dlg-11). */
function mayActFor(caller: Caller, subjectId: string): boolean {
  const selector = caller.credential?.spec.act_for ?? undefined;
  if (caller.accountId !== undefined || selector === undefined) return false;
  if (selector.mode === 'all') return true;
  return selector.mode === 'prefix'
    ? subjectId.startsWith(selector.prefix)
    : selector.ids.includes(subjectId);
}
