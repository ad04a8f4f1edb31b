/** The flags of a scope. */
import type { ScopeInput } from '@agentkeep/client';
import type { OwnFlag } from './command.js';
import type { GivenFlags } from './given-flags.js';
import { UsageError } from './usage-error.js';

const VISIBILITIES = ['private', 'shared'] as const;

/** The members of a scope, as flags. */
export const scopeFlags: readonly OwnFlag[] = [
  { name: 'project-id', placeholder: '<id>', summary: 'Project of the scope.' },
  { name: 'mission-id', placeholder: '<id>', summary: 'Mission of the scope, if it has one.' },
  { name: 'agent-id', placeholder: '<id>', summary: 'Agent of the scope.' },
  {
    name: 'visibility',
    placeholder: '<v>',
    summary: 'Default: private.',
    choices: VISIBILITIES,
  },
];

/**
 * Returns the scope of the flags, or `undefined` if none is given.
 * @throws {UsageError} when only a part of it is given.
 */
export function scopeOf(flags: GivenFlags): ScopeInput | undefined {
  const [project, agent] = [flags.text('project-id'), flags.text('agent-id')];
  const [mission, chosen] = [flags.text('mission-id'), flags.text('visibility')];
  if ([project, agent, mission, chosen].every((each) => each === undefined)) return undefined;
  if (project === undefined || agent === undefined) {
    throw new UsageError('A scope needs both --project-id and --agent-id.');
  }
  const visibility = VISIBILITIES.find((each) => each === chosen) ?? 'private';
  const members = { project_id: project, agent_id: agent, visibility };
  return mission === undefined ? members : { ...members, mission_id: mission };
}
