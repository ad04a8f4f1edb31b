/** The interface of a tool: its documents, its effect, and the calls that it makes as an agent. */
import { type Agent, AgentkeepError, type ScopeInput } from '@agentkeep/client';
import { fromJsonSchema } from '@modelcontextprotocol/server';
import { type ObjectSchema, withDefinitions } from '../json-schema.js';

/** The context of a call of a tool. */
export interface ToolCall {
  readonly agent: Agent;
  /** The scope of calls that name none. */
  readonly scope: ScopeInput | undefined;
  /** The idempotency key that came with the call, beside its arguments. */
  readonly key: string | undefined;
  readonly signal: AbortSignal;
}

/** The effect of a tool on stored data; decides what clients show to people before a call. */
export type ToolEffect = 'reads' | 'adds' | 'changes';

/** The definition of a tool. */
export interface ToolDefinition<Arguments> {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly effect: ToolEffect;
  /** Whether a second call with the same arguments changes nothing more. */
  readonly isIdempotent: boolean;
  readonly input: ObjectSchema;
  readonly output: ObjectSchema;
  readonly run: (given: Arguments, call: ToolCall) => Promise<object>;
  /** Returns the content of the text of an answer. Default: the whole document. */
  readonly shown?: (answer: object) => unknown;
}

/** A tool, whatever its arguments are. */
export interface Tool extends Omit<ToolDefinition<never>, 'run'> {
  /**
   * Checks the arguments and makes the call.
   * @throws {AgentkeepError} `invalid_request` for wrong arguments, and what the call throws.
   */
  readonly run: (given: unknown, call: ToolCall) => Promise<object>;
}

/** Defines a tool. `Arguments` states what `input` accepts. */
export function defineTool<Arguments>(definition: ToolDefinition<Arguments>): Tool {
  const { input, output, run } = definition;
  const complete = withDefinitions(input);
  let check: ReturnType<typeof checkOf> | undefined;
  return {
    ...definition,
    input: complete,
    output: withDefinitions(output),
    run: async (given, call) => {
      // Compiled by the first call: most processes call few of the tools.
      check ??= checkOf(complete);
      check(given);
      return run(given as Arguments, call);
    },
  };
}

/** Longest explanation of wrong arguments, in characters. */
const EXPLANATION_CHARS_MAX = 400;

function checkOf(input: ObjectSchema): (given: unknown) => void {
  const { validate } = fromJsonSchema(withoutScope(input))['~standard'];
  return (given) => {
    const result = validate(given);
    if (result instanceof Promise || result.issues === undefined) return;
    const found = result.issues.map(({ message }) => message).join(', ');
    const message = `The arguments are refused: ${found.slice(0, EXPLANATION_CHARS_MAX)}.`;
    throw new AgentkeepError('invalid_request', { message });
  };
}

/** Returns the arguments of a tool on a connection with a scope: the scope is optional. */
export function withoutScope(input: ObjectSchema): ObjectSchema {
  const { required = [] } = input;
  return { ...input, required: required.filter((name) => name !== 'scope' && name !== 'scopes') };
}

/**
 * Returns the scope of a call.
 * @throws {AgentkeepError} `invalid_request` when neither the call nor the connection names one.
 */
export function scopeOf(given: ScopeInput | undefined, { scope }: ToolCall): ScopeInput {
  const found = given ?? scope;
  if (found !== undefined) return found;
  throw new AgentkeepError('invalid_request', {
    message: 'The scope is missing. Name one in the argument `scope`; `whoami` lists yours.',
    members: [{ path: 'scope', expected: 'a scope' }],
  });
}
