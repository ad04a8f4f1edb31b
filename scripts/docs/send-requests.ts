/**
 * Sends the curl commands of the pages to a server in this process, one server per page. Pages that
 * tests follow in a shell are left to them.
 */
import { inMemoryStore, openKeep } from '../../packages/core/src/index.ts';
import { bootstrapMaster, bootstrapTenant } from '../../packages/core/src/operator.ts';
import { type AgentkeepApp, createServer } from '../../packages/server/src/index.ts';
import { type CurlRequest, readCurls } from './curl.ts';
import { followedPages } from './followed-pages.ts';
import { blocksOf, documentationPages } from './page-blocks.ts';

/** The address of the server in the pages. */
const ADDRESS = 'http://127.0.0.1:7474';

const followed: ReadonlySet<string> = new Set(Object.values(followedPages).flat());

/** Returns the number of requests sent, and one problem for each that did not succeed. */
export async function sendRequests(): Promise<{ sent: number; problems: string[] }> {
  const problems: string[] = [];
  let sent = 0;
  for (const { path, text } of documentationPages()) {
    if (followed.has(path)) continue;
    const blocks = blocksOf(text).filter(
      (block) => block.info === 'sh' && /^curl\b/mu.test(block.text),
    );
    if (blocks.length === 0) continue;
    await using keep = await openKeep({ store: inMemoryStore() });
    const app = createServer(keep);
    const variables = await demoSecrets(keep);
    for (const { line, text: shell } of blocks) {
      for (const request of readCurls(shell, variables)) {
        sent += 1;
        const problem = await problemWith(app, request);
        if (problem !== undefined) problems.push(`${path}:${line}: ${problem}`);
      }
    }
  }
  return { sent, problems };
}

async function problemWith(app: AgentkeepApp, request: CurlRequest): Promise<string | undefined> {
  const { url, method, headers, body } = request;
  if (!url.startsWith(`${ADDRESS}/`)) return `${url} is not an address of \`npm start\``;
  const init = { method, headers, ...(body === undefined ? {} : { body }) };
  const response = await app.request(url.slice(ADDRESS.length), init);
  if (response.ok) return undefined;
  return `${method} ${url} returned ${response.status}: ${await response.text()}`;
}

/** Makes credentials under the variable names of the guides, and a master. */
async function demoSecrets(
  keep: Awaited<ReturnType<typeof openKeep>>,
): Promise<Record<string, string>> {
  const { secret } = await bootstrapTenant(keep, { tenantId: 'demo', subjectId: 'admin' });
  const admin = await keep.authenticate(secret);
  const all = { mode: 'all' } as const;
  const agent = await admin.credentials.issue({
    subject_id: 'agent',
    capabilities: ['memory_read', 'memory_write'],
    grants: [],
    scope_policy: {
      version: 'company_scopes_v1',
      projects: all,
      agents: all,
      missions: all,
      allow_unassigned_mission: true,
      visibilities: ['private', 'shared'],
    },
  });
  const master = await bootstrapMaster(keep, 'root');
  return { ADMIN_SECRET: secret, AGENT_SECRET: agent.secret, MASTER_SECRET: master.secret };
}
