/**
 * Serves the app on a free port of this machine.
 * @module
 */
import type { AgentkeepApp } from '@agentkeep/server';
import {
  startServer,
  type RunningServer,
} from '../../../packages/server/src/lifecycle/start-server.js';

/** Starts a server that tests stop again. */
export function serveOnSocket(app: AgentkeepApp): Promise<RunningServer> {
  return startServer(app, { host: '127.0.0.1', port: 0 });
}
