/** The interface of a tool: its documents, its effect, and the calls that it makes as an agent. */
import {
  type Agent,
  AgentkeepError,
  type Capability,
  type ScopedMemory,
  type ScopeInput,
} from '@agentkeep/client';
import type { ObjectSchema } from '../json-schema.js';
import { refusedArguments } from './check-arguments.js';
import { type Renaming, withArgumentNames } from './argument-names.js';
import { scopeMembers } from './documents.js';

/** The context of a call of a tool. */
export interface ToolCall {
  readonly agent: Agent;
  /** The scope of the connection, if it has one. */
  readonly scope: ScopeInput | undefined;
  /** The scope where neither call, connection nor credential names one. */
  readonly defaultScope?: ScopeInput | undefined;
  /** The idempotency key that came with the call, beside its arguments. */
  readonly key: string | undefined;
  readonly signal: AbortSignal;
}

/** The effect of a tool on stored data; decides what clients show to people before a call. */
type ToolEffect = 'reads' | 'adds' | 'changes';

/** The definition of a tool. */
export interface ToolDefinition<Arguments> {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly effect: ToolEffect;
  /** Whether a second call with the same arguments changes nothing more. */
  readonly isIdempotent: boolean;
  /** The tool is listed for credentials with one of these. Default: for all. */
  readonly capabilities?: readonly Capability[];
  /** The argument that names where the tool acts, unless the connection does. Default: none. */
  readonly scopeArgument?: keyof typeof scopeMembers;
  /** The arguments, without those that name scopes. */
  readonly input: ObjectSchema;
  /** The schema of the answer, where programs rely on one. Models don't need it. */
  readonly output?: ObjectSchema;
  /** The arguments behind the members of the operation, where their names differ. */
  readonly renamings?: readonly Renaming[];
  /** The URI of the page that shows its answers, for hosts that show pages. */
  readonly view?: string;
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

/** What a model should do about arguments that are refused. */
const ADVICE = 'Correct the arguments and call again.';

/** Defines a tool. `Arguments` states what `input` accepts; an argument may be null. */
export function defineTool<Arguments>(definition: ToolDefinition<Arguments>): Tool {
  const { run, renamings } = definition;
  const accepted = withScope(definition, []);
  return {
    ...definition,
    run: async (sent, call) => {
      const given = withoutNulls(sent);
      const members = refusedArguments(accepted, given);
      if (members.length > 0) {
        throw new AgentkeepError('invalid_request', { members, advice: ADVICE });
      }
      try {
        return await run(given as Arguments, call);
      } catch (error) {
        throw withArgumentNames(error, { renamings, advice: ADVICE });
      }
    },
  };
}

function withoutNulls(sent: unknown): unknown {
  if (typeof sent !== 'object' || sent === null || Array.isArray(sent)) return sent;
  return Object.fromEntries(Object.entries(sent).filter(([, value]) => value !== null));
}

/** Returns the arguments of a tool with the one that names scopes, required as stated. */
export function withScope(
  { input, scopeArgument: name }: Pick<Tool, 'input' | 'scopeArgument'>,
  required: readonly string[] = name === undefined ? [] : [name],
): ObjectSchema {
  if (name === undefined) return input;
  const needed = [...required, ...(input.required ?? [])];
  const properties = { [name]: scopeMembers[name], ...input.properties };
  return { ...input, properties, ...(needed.length === 0 ? {} : { required: needed }) };
}

/**
 * Returns the scope of a call: the given one, that of the connection, the only one of the
 * credential, or the default of the server.
 * @throws {AgentkeepError} `invalid_request` when none of them is known.
 */
export async function scopeOf(
  given: ScopeInput | undefined,
  { scope, defaultScope, agent, signal }: ToolCall,
): Promise<ScopeInput> {
  const found = given ?? scope ?? onlyScopeOf(await agent.whoAmI({ signal })) ?? defaultScope;
  if (found !== undefined) return found;
  throw missingScope('Name one; whoami lists yours.');
}

/** Returns the refusal of a call without a scope. */
export function missingScope(advice: string): AgentkeepError {
  const members = [
    { path: 'scope', expected: 'a scope, since this call and connection have none' },
  ];
  return new AgentkeepError('invalid_request', { members, advice });
}

/** Returns the memory in the scope of a call. */
export async function memoryOf(
  { scope }: { readonly scope?: ScopeInput },
  call: ToolCall,
): Promise<ScopedMemory> {
  return call.agent.memory.in(await scopeOf(scope, call));
}

/** Returns the scope of a credential that has exactly one. */
export function onlyScopeOf({
  spec,
}: Awaited<ReturnType<Agent['whoAmI']>>): ScopeInput | undefined {
  const [only, ...others] = spec.grants;
  return others.length === 0 && spec.scope_policy === undefined ? only : undefined;
}
