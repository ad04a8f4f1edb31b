/** The spec of a new credential, from the texts of its form. */
import type { Agent, Capability } from '@agentkeep/client';
import { millisOfTime } from '../../parts/local-time.js';
import { scopeOfQuery } from '../../scopes/scope-query.js';
import { texts } from '../../texts/en/english.js';
import { rightNames } from './credential-facts.js';
import { selectorOf } from './selector.js';

/** A spec as callers write it. */
export type NewSpec = Parameters<Agent['credentials']['issue']>[0];

/** Which scopes a new credential may act in. */
export type Authority = 'none' | 'some' | 'all';

type NewScopes = Pick<NewSpec, 'grants' | 'scope_policy'>;

/** Every right, in the order in which the server shows them. */
export const allRights = Object.keys(rightNames) as Capability[];

/** Returns the spec of a form, or what is wrong with it. */
export function specOf(
  form: Readonly<Record<string, string>>,
  capabilities: readonly Capability[],
  scopes: NewScopes,
): { readonly spec: NewSpec } | { readonly problem: string } {
  const { subject = '', expires } = form;
  const actFor = selectorOf(form, 'act_for');
  const end = expires === undefined ? null : millisOfTime(expires);
  if (end === undefined) return { problem: texts.noTime(texts.issue.expires) };
  const spec = {
    subject_id: subject,
    capabilities: [...capabilities],
    ...scopes,
    expires_at_millis: end,
    ...(actFor === undefined ? {} : { act_for: actFor }),
  };
  return { spec };
}

/** Returns the scopes of a form, which has the fields of a scope once for each. */
export function newScopes(authority: Authority, form: FormData): NewScopes {
  if (authority === 'all') return { grants: [], scope_policy: everyScope };
  return { grants: authority === 'some' ? grantsOf(form) : [] };
}

/** Returns the scopes of a form, which has the fields of a scope once for each. */
export function grantsOf(form: FormData): NewSpec['grants'] {
  return form.getAll('project').flatMap((_project, at) => {
    const names = new URLSearchParams();
    for (const field of ['project', 'agent', 'mission', 'visibility']) {
      const text = form.getAll(field)[at];
      if (typeof text === 'string' && text !== '') names.set(field, text);
    }
    const shown = scopeOfQuery(names);
    return shown === undefined ? [] : [shown.scope];
  });
}

const everyScope: NonNullable<NewSpec['scope_policy']> = {
  version: 'company_scopes_v1',
  projects: { mode: 'all' },
  agents: { mode: 'all' },
  missions: { mode: 'all' },
  allow_unassigned_mission: true,
  visibilities: ['private', 'shared'],
};
