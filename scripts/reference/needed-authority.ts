/** The authority that an operation needs beside a proof, in words. */
import {
  type AuthenticatedOperation,
  capabilitiesOf,
  needsScope,
} from '../../packages/core/src/kernel/operation/operation.ts';
import { code } from './page.ts';

const parties = {
  account: 'as an account',
  login: 'as an account in a session',
  session: 'as an account in a session',
  self: 'as the account itself or an administrator',
} as const;

/** Returns what a caller needs beside a proof. */
export function authorityOf(operation: AuthenticatedOperation): string[] {
  switch (operation.kind) {
    case 'account': {
      const { role, isInstallation = false, party } = operation.requires;
      if (role === undefined) return [parties[party]];
      return [`the role ${code(role)}${isInstallation ? ' in the installation' : ''}`];
    }
    case 'installation': {
      const { requires } = operation;
      if (requires === 'any') return ['as a credential of the installation'];
      return [requires === 'master' ? 'as the master' : `the capability ${code(requires)}`];
    }
    case 'tenant': {
      const names = capabilitiesOf(operation).map(code);
      return [
        ...(names.length === 0 ? [] : [`the capability ${names.join(' or ')}`]),
        ...(needsScope(operation) ? ['authority over the scope'] : []),
      ];
    }
  }
}
