/** Two clients write what they learn into one knowledge graph. */
import { inMemoryStore, openKeep } from '@agentkeep/core';
import { bootstrapTenant } from '@agentkeep/core/operator';
import { mcpHandler } from '@agentkeep/mcp';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';

/** An entity of the graph. */
interface Entity {
  readonly name: string;
  readonly entityType: string;
  readonly observations: readonly string[];
}

const scope = {
  project_id: 'shop',
  mission_id: null,
  agent_id: 'desk',
  visibility: 'shared',
} as const;
const url = 'http://localhost/mcp?profile=graph&project_id=shop&agent_id=desk&visibility=shared';

/** Lets two clients observe a customer at once, and returns what the graph then knows. */
export async function shareGraph(): Promise<readonly Entity[]> {
  await using keep = await openKeep({ store: inMemoryStore() });
  const endpoint = mcpHandler({ authenticate: (secret) => keep.authenticate(secret) });
  const { secret } = await bootstrapTenant(keep, { tenantId: 'acme', subjectId: 'ops' });
  const admin = await keep.authenticate(secret);

  const connect = async (subjectId: string): Promise<Client> => {
    const issued = await admin.credentials.issue({
      subject_id: subjectId,
      capabilities: ['memory_read', 'memory_write'],
      grants: [scope],
    });
    const client = new Client({ name: subjectId, version: '1.0.0' });
    const transport = new StreamableHTTPClientTransport(new URL(url), {
      fetch: (address, init) => endpoint.fetch(new Request(address, init)),
      requestInit: { headers: { Authorization: `Bearer ${issued.secret}` } },
    });
    await client.connect(transport);
    return client;
  };
  const [scout, clerk] = [await connect('scout'), await connect('clerk')];

  const ann = { name: 'Ann', entityType: 'customer', observations: [] };
  await scout.callTool({ name: 'create_entities', arguments: { entities: [ann] } });
  const observe = (client: Client, fact: string) =>
    client.callTool({
      name: 'add_observations',
      arguments: { observations: [{ entityName: 'Ann', contents: [fact] }] },
    });
  await Promise.all([
    observe(scout, 'Prefers French.'),
    observe(clerk, 'Collects on Fridays.'),
    observe(scout, 'Has two dogs.'),
    observe(clerk, 'Pays in cash.'),
  ]);

  const { structuredContent } = await clerk.callTool({ name: 'read_graph', arguments: {} });
  await Promise.all([scout.close(), clerk.close()]);
  return (structuredContent as { readonly entities: readonly Entity[] }).entities;
}
