/**
 * Agentkeep over HTTP: an app that mounts a keep as `/api/v1`.
 * @module
 */
export {
  type AgentkeepApp,
  createServer,
  type ServerBindings,
  type ServerOptions,
} from './http/create-server.js';
export { contractRoute, type Route, routes } from './routes.js';
