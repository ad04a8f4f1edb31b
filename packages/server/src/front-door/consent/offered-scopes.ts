/** The scopes that the consent page offers: those that the account has, with what is in them. */
import { AgentkeepError } from '@agentkeep/core';
import { isGivableScope } from '@agentkeep/core/operator';
import type { DoorRequest } from '../request/door-request.js';
import type { Person } from './asked-consent.js';
import { type Grant, listedScopes } from './consent-choice.js';

/** Most scopes that are looked for, and most that are offered. */
const FOUND_MAX = 100;
const OFFERED_MAX = 32;

/** A scope to choose. */
export interface OfferedScope {
  /** What the form states for it. */
  readonly value: string;
  readonly scope: Grant;
  /** Records in it; absent where they cannot be counted. */
  readonly records: number | undefined;
}

/** Returns the scopes of an account: its private ones first, those with most records first. */
export async function offeredScopes(
  request: DoorRequest,
  person: Person,
  session: string,
): Promise<readonly OfferedScope[]> {
  const found = await countedScopes(request, person, session);
  const granted = listedScopes(person).map((scope, index) => ({ value: String(index), scope }));
  const known = new Set(granted.map(({ scope }) => nameOf(scope)));
  const further = [...found.values()]
    .filter(({ scope }) => !known.has(nameOf(scope)))
    .map(({ scope }) => ({ value: JSON.stringify(scope), scope }));
  return [...granted, ...further]
    .map((each) => ({ ...each, records: recordsOf(each.scope, found) }))
    .toSorted((left, right) => rankOf(right) - rankOf(left))
    .slice(0, OFFERED_MAX);
}

type Found = ReadonlyMap<string, { readonly scope: Grant; readonly records: number }>;

/** Finds the scopes in which something is stored, if the account may list them. */
async function countedScopes(
  { calls }: DoorRequest,
  { credential }: Person,
  session: string,
): Promise<Found> {
  const capabilities = credential?.spec.capabilities ?? [];
  if (credential === null || !capabilities.includes('memory_read')) return new Map();
  try {
    const parameters = { contract_version: 1, limit: FOUND_MAX } as const;
    const listed = await calls.invoke('listScopes', { parameters }, session);
    const own = listed.page.items.filter(
      ({ scope, subject_id: subject }) =>
        (subject === null || subject === credential.spec.subject_id) &&
        isGivableScope(credential, scope),
    );
    return new Map(own.map(({ scope, records }) => [nameOf(scope), { scope, records }]));
  } catch (error) {
    // The page is of use without counts, too.
    if (error instanceof AgentkeepError && error.kind !== 'internal') return new Map();
    throw error;
  }
}

/** Where some were counted, a scope without an entry has none. */
function recordsOf(scope: Grant, found: Found): number | undefined {
  return found.size === 0 ? undefined : (found.get(nameOf(scope))?.records ?? 0);
}

const PRIVATE_FIRST = 1e15;

function rankOf({ scope, records = 0 }: OfferedScope): number {
  return records + (scope.visibility === 'private' ? PRIVATE_FIRST : 0);
}

function nameOf({ project_id, mission_id, agent_id, visibility }: Grant): string {
  return JSON.stringify([project_id, mission_id, agent_id, visibility]);
}
