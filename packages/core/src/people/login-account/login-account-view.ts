/**
 * The two views of login accounts: those of a tenant, for its administrators, and those of the
 * installation, for its master (contract, administration 4).
 *
 * @module
 */
import type { Requires } from '../../runtime/operation.js';

/** Who may use a view, and what the operations have in common. */
export interface LoginAccountView {
  readonly tag: string;
  readonly requires: Pick<Requires<object>, 'capability' | 'global'>;
}

/** Accounts of the caller's tenant. */
export const ofTenant = {
  tag: 'Login accounts',
  requires: { capability: 'credential_admin' },
} as const satisfies LoginAccountView;

/** Accounts of the installation. */
export const ofInstallation = {
  tag: 'Login accounts',
  requires: { global: 'master' },
} as const satisfies LoginAccountView;
