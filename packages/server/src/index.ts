/** Agentkeep over HTTP: an app that serves a keep under `/api/v1`, and a server to run it. */
export {
  type AgentkeepApp,
  createServer,
  type ServerBindings,
  type ServerOptions,
} from './http/create-server.js';
export type { ServedApp } from './lifecycle/adapted-answers.js';
export { ListenError } from './lifecycle/listen-error.js';
export {
  type ClientLimits,
  type RunningServer,
  type StartOptions,
  startServer,
} from './lifecycle/start-server.js';
export { jsonLogger, type Logger, silentLogger } from './log/logger.js';
export { contractDocument } from './openapi/document.js';
export { contractRoute, type Route, routes } from './routes.js';
