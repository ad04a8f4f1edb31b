/**
 * The process under load in the benchmark of neighbours: a tenant with much data, and one whose
 * calls are measured. It sends its parent what to ask.
 */
import { once } from 'node:events';
import { bootstrapTenant } from '@agentkeep/core/operator';
import { createServer, startServer } from '@agentkeep/server';
import { everywhere, keepWithAgent, recordAt, temporaryDirectory } from './fixture.js';
import { inFlight } from './measure.js';

/** The message to the parent. */
export interface ServedNeighbours {
  readonly port: number;
  /** The secret of the agent that causes the load. */
  readonly loud: string;
  /** A secret of the other tenant. */
  readonly quiet: string;
}

const scopeOf = (project_id: string) =>
  ({ project_id, agent_id: 'writer', visibility: 'shared' }) as const;
const [small, large] = process.argv.slice(2).map(Number);
if (small === undefined || large === undefined) throw new Error('Say how many records to make.');

const directory = await temporaryDirectory();
const { keep, agent, secret } = await keepWithAgent({ dataDir: directory.path }, everywhere);
const { secret: quiet } = await bootstrapTenant(keep, { tenantId: 'quiet', subjectId: 'ops' });
await inFlight(64, small, (index) => agent.memory.in(scopeOf('small')).create(recordAt(index)));
// Records of 62 KB, close to the largest document.
const primary = 'The deployment finished after two retries. '.repeat(1_450);
await inFlight(64, large, (index) => {
  const record = recordAt(index);
  return agent.memory.in(scopeOf('large')).create({ ...record, content: { primary } });
});
const app = createServer(keep, { rateLimitPolicies: [] });
const server = await startServer(app, {
  host: '127.0.0.1',
  port: 0,
  release: () => keep.close(),
});
process.send?.({ port: server.port, loud: secret, quiet } satisfies ServedNeighbours);
await once(process, 'message');
await server.stop();
await directory[Symbol.asyncDispose]();
process.exit(0);
