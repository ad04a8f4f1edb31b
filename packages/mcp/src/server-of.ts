/** Makes the server that one connection or request talks to. */
import { CONTRACT_DOCUMENT_VERSION } from '@agentkeep/client';
import { McpServer } from '@modelcontextprotocol/server';
import { graphTools } from './graph/graph-tools.js';
import type { McpCaller } from './mcp-caller.js';
import { registerResources, type ResourceSettings } from './resources/register-resources.js';
import { readSkill, registerSkills } from './skills/register-skills.js';
import { learningTools } from './tools/learning-tools.js';
import { memoryReadTools } from './tools/memory-read-tools.js';
import { memoryWriteTools } from './tools/memory-write-tools.js';
import { reviewTools } from './tools/review-tools.js';
import { recallTools } from './tools/recall-tools.js';
import { registerTools } from './tools/register-tools.js';
import { whoami } from './tools/whoami-tool.js';
import { reviewView } from './views/review-view.js';

/** Models prefer what comes first. */
const tools = [
  ...recallTools,
  ...memoryReadTools,
  ...memoryWriteTools,
  ...reviewTools,
  ...learningTools,
  whoami,
];

const instructions =
  'Memory that lasts. Call memory_recall before you answer or store, and memory_remember for what ' +
  'is worth keeping; give it a name if it may change. Records live in scopes: whoami lists those ' +
  'that you may use. A failed call starts with a code; after revision_conflict, read the record ' +
  'again and repeat the change.';

const graphInstructions =
  'Memory that lasts, as a graph of entities with observations, and relations between them. Search ' +
  'before you create an entity, and keep each observation a single fact.';

/** Returns a server whose tools and resources act as a caller. */
export function serverOf(caller: McpCaller, settings: ResourceSettings): McpServer {
  const isGraph = caller.profile === 'graph';
  const info = { name: 'agentkeep', title: 'Agentkeep', version: CONTRACT_DOCUMENT_VERSION };
  const server = new McpServer(info, {
    instructions: isGraph ? graphInstructions : instructions,
  });
  registerTools(server, isGraph ? graphTools : tools, caller);
  registerResources(server, caller, settings, { readMarkdown: readSkill, views: [reviewView] });
  if (!isGraph) registerSkills(server, caller);
  return server;
}
