/**
 * The parties that work while a fault happens: administrator, writer and judge of one tenant, and
 * an administrator of the installation.
 */
import type { Agent, ScopeInput } from '@agentkeep/core';

/** The scopes of the work. */
export const workScopes: readonly [ScopeInput, ScopeInput] = [
  { project_id: 'p', agent_id: 'a', visibility: 'private' },
  { project_id: 'p', agent_id: 'a', mission_id: 'm', visibility: 'shared' },
];

/** The secrets of all parties. */
export interface Secrets {
  readonly admin: string;
  readonly writer: string;
  readonly judge: string;
  readonly root: string;
}

/** All parties, over HTTP or in process. */
export type Parties = Readonly<Record<keyof Secrets, Agent>> & {
  /** Returns the agent of a secret. */
  readonly as: (secret: string) => Agent | Promise<Agent>;
};

/** Authenticates all parties. */
export async function partiesOf(secrets: Secrets, as: Parties['as']): Promise<Parties> {
  const { admin, writer, judge, root } = secrets;
  const [one, two, three, four] = [
    await as(admin),
    await as(writer),
    await as(judge),
    await as(root),
  ];
  return { admin: one, writer: two, judge: three, root: four, as };
}
