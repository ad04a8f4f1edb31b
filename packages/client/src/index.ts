/**
 * A typed client of an Agentkeep server over `fetch`. Its agents and administrators have the same
 * interface as embedded ones, so a program changes one line to move between the two.
 */
export * from '@agentkeep/core/clients';
export type { ClientClock } from './clock.js';
export {
  type AdministratorLogInOptions,
  connect,
  connectAdministrator,
  type ConnectOptions,
  logIn,
  openSession,
} from './connect.js';
export type { LogInOptions } from './proved-calls.js';
export type { RetryOptions, ServerAddress } from './server-address.js';
