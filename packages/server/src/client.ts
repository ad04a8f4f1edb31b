/** The typed client for a running server, which is a package of its own: `@agentkeep/client`. */
export {
  type AdministratorLogInOptions,
  connect,
  connectAdministrator,
  type ConnectOptions,
  logIn,
  type LogInOptions,
  openSession,
  type ServerAddress,
} from '@agentkeep/client';
