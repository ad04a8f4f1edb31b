/** A running server of Agentkeep with MCP, and programs that speak MCP over standard input. */
import { fileURLToPath } from 'node:url';
import { createServer, type ServerOptions, startServer } from '@agentkeep/server';
import { mcpMount, type McpMountOptions } from '../src/http/mcp-mount.js';
import type { ServerTarget } from './clients.js';
import { type KeepFixture, keepFixture, scope, type Way } from './keep-fixture.js';

const cli = fileURLToPath(new URL('../../server/dist/cli.js', import.meta.url));
const embedded = fileURLToPath(new URL('embedded-stdio.mjs', import.meta.url));

/** A server on a socket, stopped at the end of an `await using` block. */
export interface Served extends AsyncDisposable {
  readonly url: string;
  readonly fixture: KeepFixture;
}

/** Starts a server of a keep in memory, on a free port of the loopback interface. */
export async function served(
  mcp: McpMountOptions = {},
  options: Omit<ServerOptions, 'mcp'> = {},
): Promise<Served> {
  const fixture = await keepFixture('embedded');
  const app = createServer(fixture.keep, { ...options, mcp: mcpMount(mcp) });
  const running = await startServer(app, { host: '127.0.0.1', port: 0, stopGraceMs: 100 });
  return {
    url: running.url,
    fixture,
    [Symbol.asyncDispose]: async () => {
      await running.stop();
      await fixture[Symbol.asyncDispose]();
    },
  };
}

/** Returns the program that serves a keep of its own, or that calls a server. */
export async function stdioProgram(
  way: Way,
  { url, fixture }: Served,
  profile: 'agentkeep' | 'graph',
): Promise<ServerTarget> {
  const node = process.execPath;
  const path = process.env['PATH'] ?? '';
  if (way === 'embedded') {
    return { command: [node, embedded, profile, JSON.stringify(scope)], env: { PATH: path } };
  }
  const { project_id: project, agent_id: agent, visibility } = scope;
  const of = ['--project-id', project, '--agent-id', agent, '--visibility', visibility];
  const secret = await fixture.issue('helper');
  return {
    command: [node, cli, 'mcp', '--url', url, '--profile', profile, ...of],
    env: { PATH: path, AGENTKEEP_SECRET: secret },
  };
}
