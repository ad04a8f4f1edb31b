/**
 * Who does the work that a fault interrupts: one tenant with its administrator, a writer and a
 * judge, and an administrator of the installation.
 * @module
 */
import type { Agent, ScopeInput } from '@agentkeep/core';

/** The scopes that are worked in. */
export const workScopes: readonly [ScopeInput, ScopeInput] = [
  { project_id: 'p', agent_id: 'a', visibility: 'private' },
  { project_id: 'p', agent_id: 'a', mission_id: 'm', visibility: 'shared' },
];

/** Everybody's secret. */
export interface Secrets {
  readonly admin: string;
  readonly writer: string;
  readonly judge: string;
  readonly root: string;
}

/** Everybody, over HTTP or in process. */
export type Parties = Readonly<Record<keyof Secrets, Agent>> & {
  /** Whoever a secret stands for. */
  readonly as: (secret: string) => Agent | Promise<Agent>;
};

/** Proves all secrets. */
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
