/**
 * Serves the app on a free port of this machine.
 * @module
 */
import { type AgentkeepApp, type RunningServer, startServer } from '@agentkeep/server';

/** Starts a server that tests stop again. */
export function serveOnSocket(app: AgentkeepApp): Promise<RunningServer> {
  return startServer(app, { host: '127.0.0.1', port: 0 });
}
