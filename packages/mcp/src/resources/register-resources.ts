/** Scopes and records as resources, and the knowledge graph of the profile that has one. */
import type { ScopeInput } from '@agentkeep/client';
import { type McpServer, type Resource, ResourceNotFoundError } from '@modelcontextprotocol/server';
import { readGraph } from '../graph/graph-reads.js';
import { listSignal, type McpCaller } from '../mcp-caller.js';
import type { ServedView } from '../views/served-view.js';
import { translated } from './protocol-errors.js';
import { recordTemplate, resourceOf, uriOfScope, uriTemplates } from './resource-uri.js';

/** The URI of the whole knowledge graph, as in the reference memory server. */
export const GRAPH_URI = 'memory://knowledge-graph';

/** How a server reports changes. */
export interface ResourceSettings {
  /** Whether clients may subscribe. */
  readonly canSubscribe: boolean;
}

/** Returns the Markdown that a URI names; `undefined` for a URI of another kind. */
export type ReadMarkdown = (
  uri: string,
  caller: McpCaller,
  signal: AbortSignal,
) => Promise<string | undefined>;

/** What is served beside scopes and records. */
export interface OtherResources {
  readonly readMarkdown: ReadMarkdown;
  readonly views: readonly ServedView[];
}

const VIEW_TYPE = { mimeType: 'text/html;profile=mcp-app' } as const;
const VIEW_META = { _meta: { ui: { prefersBorder: true } } };
const JSON_TYPE = { mimeType: 'application/json' } as const;

/** Registers the resources of a caller. */
export function registerResources(
  { server }: McpServer,
  caller: McpCaller,
  { canSubscribe }: ResourceSettings,
  { readMarkdown, views }: OtherResources,
): void {
  server.registerCapabilities({ resources: { subscribe: canSubscribe, listChanged: false } });
  const isGraph = caller.profile === 'graph';
  if (!isGraph) server.registerCapabilities({ extensions: { 'io.modelcontextprotocol/ui': {} } });
  server.setRequestHandler('resources/list', async (_request, { mcpReq: { signal } }) => ({
    resources: isGraph ? [graphResource] : await listed(caller, views, listSignal(caller, signal)),
  }));
  server.setRequestHandler('resources/templates/list', () => ({
    resourceTemplates: isGraph ? [] : Object.entries(uriTemplates).flatMap(templatesOf),
  }));
  server.setRequestHandler(
    'resources/read',
    async ({ params: { uri } }, { mcpReq: { signal } }) => {
      const view = isGraph ? undefined : views.find((each) => each.uri === uri);
      if (view !== undefined) {
        return { contents: [{ uri, ...VIEW_TYPE, ...VIEW_META, text: view.html }] };
      }
      const text = isGraph ? undefined : await readMarkdown(uri, caller, signal);
      if (text !== undefined) return { contents: [{ uri, mimeType: 'text/markdown', text }] };
      const document = await readResource(uri, caller, signal);
      return { contents: [{ uri, ...JSON_TYPE, text: JSON.stringify(document) }] };
    },
  );
}

const graphResource: Resource = {
  uri: GRAPH_URI,
  name: 'knowledge-graph',
  title: 'Knowledge graph',
  description: 'All entities and relations.',
  ...JSON_TYPE,
};

function templatesOf([kind, uriTemplate]: [string, string]) {
  const of = kind === 'mission' ? 'of a mission' : 'without a mission';
  const scope = { title: `Scope ${of}`, description: `The newest records of a scope ${of}.` };
  const record = { title: `Record ${of}`, description: `A record of a scope ${of}.` };
  return [
    { name: kind, uriTemplate, ...scope, ...JSON_TYPE },
    { name: `${kind}-record`, uriTemplate: recordTemplate(uriTemplate), ...record, ...JSON_TYPE },
  ];
}

/** Lists the scopes that are granted by name, that of the connection, and the views. */
async function listed(
  { agent, scope }: McpCaller,
  views: readonly ServedView[],
  signal: AbortSignal,
): Promise<Resource[]> {
  const { spec } = await translated(agent.whoAmI({ signal }));
  const byUri = new Map<string, ScopeInput>();
  for (const each of [...(scope === undefined ? [] : [scope]), ...spec.grants]) {
    byUri.set(uriOfScope(each), each);
  }
  const scopes = [...byUri].map(([uri, each]) => ({ uri, name: nameOf(each), ...JSON_TYPE }));
  const ofUse = views.filter(({ capability }) => spec.capabilities.includes(capability));
  const pages = ofUse.map(({ uri, name, title, description }) => ({
    ...{ uri, name, title, description, ...VIEW_TYPE, ...VIEW_META },
  }));
  return [...scopes, ...pages];
}

function nameOf({ project_id: project, mission_id: mission, agent_id: agent }: ScopeInput): string {
  return [project, mission, agent].filter((part) => part !== null && part !== undefined).join('/');
}

async function readResource(uri: string, caller: McpCaller, signal: AbortSignal): Promise<object> {
  const { agent, profile, scope } = caller;
  if (profile === 'graph') {
    if (uri !== GRAPH_URI || scope === undefined) throw new ResourceNotFoundError(uri);
    return translated(readGraph(agent.memory.in(scope), signal));
  }
  const named = resourceOf(uri);
  if (named === undefined) throw new ResourceNotFoundError(uri);
  const { scope: of, recordId } = named;
  if (recordId === undefined) {
    return { page: await translated(agent.memory.in(of).searchPage({}, { signal })) };
  }
  return { record: await translated(agent.memory.in(of).read(recordId, { signal }), uri) };
}
