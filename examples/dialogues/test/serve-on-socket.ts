/** Serves the app on a free port of this machine. */
import { type AgentkeepApp, type RunningServer, startServer } from '@agentkeep/server';

/** Starts a server, which the test stops. */
export function serveOnSocket(app: AgentkeepApp): Promise<RunningServer> {
  return startServer(app, { host: '127.0.0.1', port: 0 });
}
