/** What a person chose on the consent page. */
import { AgentkeepError } from '@agentkeep/core';
import type { PartsOf } from '@agentkeep/core/clients';
import { ACCESS_NAMES } from '@agentkeep/core/operator';
import type { Person } from './asked-consent.js';

/** The part of an approval that the person chose. */
export type ConsentChoice = Pick<
  PartsOf<'approveConnection'>['document'],
  'access' | 'grants' | 'expires_in_days'
>;

/** A scope to give. */
export type Grant = ConsentChoice['grants'][number];

/** Days that a person can choose. */
export const DAYS = [1, 7, 30, 90, 365] as const;

/** The days that are chosen at first. */
export const DAYS_DEFAULT = 30;

/** Returns the scopes that the page lists: the grants of the account, private ones first. */
export function listedScopes({ credential }: Person): readonly Grant[] {
  const grants = credential?.spec.grants ?? [];
  const isPrivate = ({ visibility }: Grant): boolean => visibility === 'private';
  return [...grants.filter(isPrivate), ...grants.filter((each) => !isPrivate(each))];
}

/**
 * Returns what a form states. Whether the account may give it is judged when it is approved.
 *
 * @throws {AgentkeepError} `invalid_request` with what is missing.
 */
export function consentChoice(form: URLSearchParams, person: Person): ConsentChoice {
  const access = ACCESS_NAMES.filter((each) => form.getAll('access').includes(each));
  if (access.length === 0) throw missing('access', 'what the program may do');
  const listed = listedScopes(person);
  const chosen = form.getAll('scope').flatMap((value) => chosenScope(value, listed));
  const grants = [...chosen, ...statedScope(form)];
  if (grants.length === 0) throw missing('grants', 'the memory that the program may use');
  const days = Number(form.get('days'));
  const expires_in_days = DAYS.find((each) => each === days) ?? DAYS_DEFAULT;
  return { access, grants, expires_in_days };
}

/** A scope that the page offered: by its place in the list, or as it is. */
function chosenScope(value: string, listed: readonly Grant[]): Grant[] {
  if (/^\d{1,4}$/.test(value)) return [listed[Number(value)] ?? []].flat();
  try {
    const stated: unknown = JSON.parse(value);
    // Its members are checked with the approval.
    return typeof stated === 'object' && stated !== null ? [stated as Grant] : [];
  } catch {
    return [];
  }
}

/** A scope in words, for accounts whose scopes a policy decides. */
function statedScope(form: URLSearchParams): Grant[] {
  const text = (name: string): string => form.get(name)?.trim() ?? '';
  const [project_id, agent_id, mission] = [text('project'), text('agent'), text('mission')];
  if (project_id === '' && agent_id === '') return [];
  const visibility = text('visibility') === 'shared' ? 'shared' : 'private';
  return [{ project_id, agent_id, mission_id: mission === '' ? null : mission, visibility }];
}

function missing(path: string, expected: string): AgentkeepError {
  const message = `Choose ${expected}.`;
  return new AgentkeepError('invalid_request', { members: [{ path, expected }], message });
}
