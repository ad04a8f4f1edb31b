/** The spec of a new credential, from the texts of its form. */
import type { Agent, Capability } from '@agentkeep/client';
import { scopeOfQuery } from '../../scopes/scope-query.js';

/** A spec as callers write it. */
export type NewSpec = Parameters<Agent['credentials']['issue']>[0];

/** Which scopes a new credential may act in. */
export type Authority = 'none' | 'one' | 'all';

const rights: Readonly<Record<Capability, true>> = {
  memory_read: true,
  memory_write: true,
  memory_propose: true,
  memory_review: true,
  procedure_propose: true,
  procedure_evaluate: true,
  experience_read: true,
  experience_write: true,
  experience_report: true,
  tool_read: true,
  tool_develop: true,
  tool_report: true,
  tool_admin: true,
  policy_admin: true,
  credential_admin: true,
  act_for: true,
};

/** Every right, in the order in which the server shows them. */
export const allRights = Object.keys(rights) as Capability[];

/** Returns the spec of a form, whose members are named as those of a scope. */
export function specOf(
  form: Readonly<Record<string, string>>,
  capabilities: readonly Capability[],
  authority: Authority,
): NewSpec {
  const { subject = '', expires } = form;
  const scope = scopeOfQuery(new URLSearchParams(form))?.scope;
  const spec: NewSpec = {
    subject_id: subject,
    capabilities: [...capabilities],
    grants: authority === 'one' && scope !== undefined ? [scope] : [],
    expires_at_millis: expires === undefined ? null : new Date(expires).getTime(),
  };
  return authority === 'all' ? { ...spec, scope_policy: everyScope } : spec;
}

const everyScope: NonNullable<NewSpec['scope_policy']> = {
  version: 'company_scopes_v1',
  projects: { mode: 'all' },
  agents: { mode: 'all' },
  missions: { mode: 'all' },
  allow_unassigned_mission: true,
  visibilities: ['private', 'shared'],
};
