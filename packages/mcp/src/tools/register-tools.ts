/** Registers tools with a server, as the caller of its connection. */
import {
  type CallToolResult,
  type McpServer,
  type ServerContext,
  type StandardSchemaWithJSON,
  type ToolAnnotations,
} from '@modelcontextprotocol/server';
import type { ObjectSchema } from '../json-schema.js';
import type { McpCaller } from '../mcp-caller.js';
import { type Tool, withoutScope } from './tool.js';
import { documentAnswer, failureAnswer } from './tool-answers.js';

/** The member of `_meta` in which a call may carry its idempotency key beside its arguments. */
const IDEMPOTENCY_META_KEY = 'agentkeep/idempotency-key';

/** Registers tools. Each call is made by the agent of the caller. */
export function registerTools(server: McpServer, tools: readonly Tool[], caller: McpCaller): void {
  for (const tool of tools) {
    server.registerTool(
      tool.name,
      {
        title: tool.title,
        description: tool.description,
        inputSchema: shownSchema(
          caller.scope === undefined ? tool.input : withoutScope(tool.input),
        ),
        outputSchema: shownSchema(tool.output),
        annotations: annotationsOf(tool),
      },
      (given: unknown, context: ServerContext) => answerCall(tool, given, { caller, context }),
    );
  }
}

async function answerCall(
  tool: Tool,
  given: unknown,
  { caller: { agent, scope }, context }: { caller: McpCaller; context: ServerContext },
): Promise<CallToolResult> {
  const { signal, _meta: meta } = context.mcpReq;
  const sent = meta?.[IDEMPOTENCY_META_KEY];
  const key = typeof sent === 'string' ? sent : undefined;
  try {
    const answer = await tool.run(given, { agent, scope, key, signal });
    return documentAnswer(answer, tool.shown?.(answer));
  } catch (error) {
    return failureAnswer(error);
  }
}

function annotationsOf({ title, effect, isIdempotent }: Tool): ToolAnnotations {
  return {
    title,
    readOnlyHint: effect === 'reads',
    destructiveHint: effect === 'changes',
    idempotentHint: isIdempotent,
    openWorldHint: false,
  };
}

/** Returns a schema for lists of tools. The tool checks its arguments itself, to name the error. */
function shownSchema(schema: ObjectSchema): StandardSchemaWithJSON {
  const shown = () => ({ ...schema });
  return {
    '~standard': {
      version: 1,
      vendor: 'agentkeep',
      validate: (value) => ({ value }),
      jsonSchema: { input: shown, output: shown },
    },
  };
}
