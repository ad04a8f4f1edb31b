/** Registers tools with a server, as the caller of its connection. */
import type { Agent } from '@agentkeep/client';
import {
  type CallToolResult,
  type McpServer,
  ProtocolError,
  ProtocolErrorCode,
  type ServerContext,
  type Tool as ListedTool,
} from '@modelcontextprotocol/server';
import type { ObjectSchema } from '../json-schema.js';
import { listSignal, type McpCaller } from '../mcp-caller.js';
import { nearestName } from './nearest-name.js';
import { onlyScopeOf, type Tool, withScope } from './tool.js';
import { documentAnswer, failureAnswer } from './tool-answers.js';

/** The member of `_meta` in which a call may carry its idempotency key beside its arguments. */
const IDEMPOTENCY_META_KEY = 'agentkeep/idempotency-key';

/** Registers tools. Each call is made by the agent of the caller. */
export function registerTools(
  { server }: McpServer,
  tools: readonly Tool[],
  caller: McpCaller,
): void {
  server.registerCapabilities({ tools: { listChanged: false } });
  server.setRequestHandler('tools/list', async (_request, { mcpReq: { signal } }) => ({
    tools: await listedTools(tools, caller, listSignal(caller, signal)),
  }));
  server.setRequestHandler('tools/call', ({ params: { name, arguments: given } }, context) =>
    answerCall(toolNamed(name, tools), given ?? {}, { caller, context }),
  );
}

/** Lists the tools that the credential has a use for, without what the connection knows already. */
async function listedTools(
  tools: readonly Tool[],
  { agent, scope, defaultScope }: McpCaller,
  signal: AbortSignal,
): Promise<ListedTool[]> {
  const credential = await credentialOf(agent, signal);
  const home = scope ?? (credential === undefined ? undefined : onlyScopeOf(credential));
  const held = credential?.spec.capabilities;
  const isOfUse = ({ capabilities }: Tool): boolean =>
    held === undefined ||
    capabilities === undefined ||
    capabilities.some((each) => held.includes(each));
  return tools.filter(isOfUse).map((tool) => {
    const accepted = withScope(tool, defaultScope === undefined ? undefined : []);
    return listed(tool, home === undefined ? accepted : tool.input);
  });
}

/** If the look-up fails, all tools are listed, and their calls report the reason. */
function credentialOf(agent: Agent, signal: AbortSignal) {
  return agent.whoAmI({ signal }).catch(() => undefined);
}

function listed(tool: Tool, input: ObjectSchema): ListedTool {
  const { name, title, description, effect, isIdempotent, output, view } = tool;
  return {
    name,
    title,
    description,
    inputSchema: asListed(input),
    ...(output === undefined ? {} : { outputSchema: asListed(output) }),
    ...(view === undefined ? {} : { _meta: { ui: { resourceUri: view } } }),
    annotations: {
      readOnlyHint: effect === 'reads',
      destructiveHint: effect === 'changes',
      idempotentHint: isIdempotent,
      openWorldHint: false,
    },
  };
}

/** The SDK's type of a schema is an index of JSON values, which no type with named members fits. */
function asListed(schema: ObjectSchema): ListedTool['inputSchema'] {
  return schema as object as ListedTool['inputSchema'];
}

function toolNamed(name: string, tools: readonly Tool[]): Tool {
  const found = tools.find((tool) => tool.name === name);
  if (found !== undefined) return found;
  const names = tools.map((tool) => tool.name);
  const near = nearestName(name, names);
  const message =
    near === undefined
      ? 'There is no such tool. tools/list has those that there are.'
      : `There is no such tool. Did you mean ${near}?`;
  throw new ProtocolError(ProtocolErrorCode.InvalidParams, message);
}

async function answerCall(
  tool: Tool,
  given: unknown,
  {
    caller: { agent, scope, defaultScope },
    context,
  }: { caller: McpCaller; context: ServerContext },
): Promise<CallToolResult> {
  const { signal, _meta: meta } = context.mcpReq;
  const sent = meta?.[IDEMPOTENCY_META_KEY];
  const key = typeof sent === 'string' ? sent : undefined;
  try {
    const answer = await tool.run(given, { agent, scope, defaultScope, key, signal });
    return documentAnswer(answer, tool.shown?.(answer));
  } catch (error) {
    return failureAnswer(error);
  }
}
