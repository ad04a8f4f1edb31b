/** The graph over a keep, for one process after the other. */
import type { Keep } from '@agentkeep/core';
import { agentFor } from '@agentkeep/core/operator';
import { approvalGraph } from './approval-graph.js';

const scope = { project_id: 'p', agent_id: 'graph', visibility: 'shared' } as const;

/** Makes the graph; the same thread and scope each time. */
export async function graphOver(keep: Keep) {
  const agent = await agentFor(keep, { tenantId: 'acme', subjectId: 'graph', scopes: [scope] });
  return { ...approvalGraph(agent, scope), config: { configurable: { thread_id: 't' } } };
}
