/** The commands that operations state, and the order of their groups in the help. */
import { operations } from '@agentkeep/core';
import type { OperationName } from '@agentkeep/client';
import { routes } from '@agentkeep/client/routes';

/** How an operation appears on the command line. */
export type OperationCommand = NonNullable<(typeof operations)[OperationName]['command']>;

/** A command and the operation that it calls. */
export interface OperationEntry extends OperationCommand {
  readonly operation: OperationName;
}

/** The first words of commands, in the order of the help; others come behind them. */
const GROUPS = [
  ...['whoami', 'tenants', 'credentials', 'subjects', 'access', 'erasures', 'issuers'],
  ...['key-requirement', 'global-credentials', 'people', 'sign-in', 'login-accounts', 'keys'],
  ...['connections', 'lockouts', 'rate-limits', 'memory', 'learning', 'experiences', 'tools'],
  ...['webhooks', 'audit', 'snapshots', 'stats'],
];

/** Returns the commands that operations state, group by group. */
export function statedCommands(): readonly OperationEntry[] {
  const names = Object.keys(routes) as OperationName[];
  const stated = names.flatMap((operation) => {
    const { command } = operations[operation];
    return command === undefined ? [] : [{ ...command, operation }];
  });
  return stated.toSorted((one, other) => placeOf(one) - placeOf(other));
}

function placeOf({ name }: OperationCommand): number {
  const place = GROUPS.indexOf(name.split(' ')[0] ?? name);
  return place === -1 ? GROUPS.length : place;
}
