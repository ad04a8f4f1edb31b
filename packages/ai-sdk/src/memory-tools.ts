/** Tools with which a model of the AI SDK remembers, recalls and forgets. */
import {
  cutText,
  type Agent,
  AgentkeepError,
  type MemoryRecord,
  type ScopedMemory,
  type ScopeInput,
} from '@agentkeep/client';
import { jsonSchema, type Tool, tool } from 'ai';
import { digestOf } from './digest.js';
import { findRecords } from './find-records.js';

/** The agent and scope in which the tools remember. */
export interface MemoryToolsOptions {
  /** Acts on the records; it needs `memory_read`, and `memory_write` to remember and forget. */
  readonly agent: Agent;
  /** The scope of the records. A private one belongs to the subject of the agent. */
  readonly scope: ScopeInput;
  /**
   * Tells conversations apart whose tool calls may have the same ids. A call of one conversation
   * that is executed again has no second effect.
   */
  readonly conversationId?: string | undefined;
  /** Replaces the clock, in tests: Unix milliseconds. */
  readonly now?: (() => number) | undefined;
}

/** The text that a model remembers. */
interface RememberInput {
  readonly text: string;
  readonly name?: string | undefined;
  readonly tags?: string[] | undefined;
  readonly corrects?: string[] | undefined;
}

/** The text that a model looks for. */
interface RecallInput {
  readonly query: string;
  readonly limit?: number | undefined;
}

/** The memory that a model means. */
interface NamedInput {
  readonly name: string;
}

/** A memory as a model sees it. */
interface ShownMemory {
  /** Absent for a record that another program stored without a name. */
  readonly name?: string | undefined;
  readonly text: string;
  readonly tags: readonly string[];
  /** When it was stored or changed last, in ISO 8601. */
  readonly changed_at: string;
}

/** The tools by their names. */
export type MemoryTools = {
  readonly remember: Tool<RememberInput, { name: string; note?: string }>;
  readonly recall: Tool<RecallInput, { memories: ShownMemory[] }>;
  readonly get_memory: Tool<NamedInput, { memory: ShownMemory | null }>;
  readonly forget: Tool<NamedInput, { forgotten: boolean; note?: string }>;
};

/** Memories of one answer. */
const RECALLED_MAX = 20;
const RECALLED_DEFAULT = 5;

const RECALL_BY_WORDS = 'Finds memories that have words of the query, those with most words first.';
const RECALL_BY_BOTH = 'Finds memories by the words and the meaning of the query, the best first.';

/** Memories that one ends. */
const CORRECTED_MAX = 8;

/** Characters of one memory in an answer. */
const SHOWN_CHARS_MAX = 4_000;

const text = (description: string) => ({ type: 'string', description }) as const;
const named = { name: text('The name of the memory.') };

/**
 * Makes the tools `remember`, `recall`, `get_memory` and `forget`. The id of a tool call is part of
 * its idempotency key, so a call that is executed again writes once.
 * @example
 * ```ts
 * import { memoryTools } from '@agentkeep/ai-sdk';
 * import { inMemoryStore, openKeep, type ScopeInput } from '@agentkeep/core';
 * import { agentFor } from '@agentkeep/core/operator';
 *
 * await using keep = await openKeep({ store: inMemoryStore() });
 * const scope: ScopeInput = { project_id: 'p', agent_id: 'a', visibility: 'private' };
 * const agent = await agentFor(keep, { tenantId: 'acme', subjectId: 'helper', scopes: [scope] });
 *
 * const tools = memoryTools({ agent, scope }); // for generateText({ tools, … })
 * console.log(Object.keys(tools)); // [ 'remember', 'recall', 'get_memory', 'forget' ]
 * ```
 */
export function memoryTools({
  agent,
  scope,
  conversationId = '',
  now = Date.now,
}: MemoryToolsOptions): MemoryTools {
  const memory = agent.memory.in(scope);
  const calls = new MemoryToolCalls(memory, conversationId, now);
  return {
    remember: tool({
      description:
        'Stores something worth knowing in later conversations. A memory with the same name is replaced.',
      inputSchema: jsonSchema<RememberInput>({
        type: 'object',
        properties: {
          text: text('What to remember, in full sentences.'),
          name: text('A name to find it by later, such as customers/ann. Optional.'),
          tags: { type: 'array', items: { type: 'string' }, description: 'Labels. Optional.' },
          corrects: {
            type: 'array',
            items: { type: 'string' },
            maxItems: CORRECTED_MAX,
            description: 'Names of memories that no longer hold, since this is true. Optional.',
          },
        },
        required: ['text'],
        additionalProperties: false,
      }),
      execute: (input, options) => calls.remember(input, options),
    }),
    recall: tool({
      description: agent.memory.embeds ? RECALL_BY_BOTH : RECALL_BY_WORDS,
      inputSchema: jsonSchema<RecallInput>({
        type: 'object',
        properties: {
          query: text('Words that the memories may have, or a question.'),
          limit: { type: 'integer', minimum: 1, maximum: RECALLED_MAX },
        },
        required: ['query'],
        additionalProperties: false,
      }),
      execute: async ({ query, limit = RECALLED_DEFAULT }, { abortSignal }) => {
        const most = Math.min(RECALLED_MAX, Math.max(1, Math.trunc(limit)));
        const wanted = { scope, text: query, limit: most, signal: abortSignal };
        return { memories: (await findRecords(agent, wanted)).map(shownMemory) };
      },
    }),
    get_memory: tool({
      description: 'Reads the memory of a name.',
      inputSchema: namedSchema(),
      execute: async ({ name }, { abortSignal }) => {
        abortSignal?.throwIfAborted();
        const record = await memory.read({ name }, { signal: abortSignal });
        return { memory: record === undefined ? null : shownMemory(record) };
      },
    }),
    forget: tool({
      description: 'Deletes the memory of a name for good.',
      inputSchema: namedSchema(),
      execute: (input, options) => calls.forget(input, options),
    }),
  };
}

/** The facts about an execution that the calls need, in every version of the SDK. */
interface ToolCallOptions {
  readonly toolCallId: string;
  readonly abortSignal?: AbortSignal | undefined;
}

/** What a model should know of a change that waits. */
const WAITS =
  'This change waits for review and is not memory yet. Do not repeat it; a reviewer decides.';

/** The calls that write. */
class MemoryToolCalls {
  readonly #memory: ScopedMemory;
  readonly #conversationId: string;
  readonly #now: () => number;

  constructor(memory: ScopedMemory, conversationId: string, now: () => number) {
    this.#memory = memory;
    this.#conversationId = conversationId;
    this.#now = now;
  }

  async remember(
    input: RememberInput,
    { toolCallId, abortSignal }: ToolCallOptions,
  ): Promise<{ name: string; note?: string }> {
    const key = await this.#key(toolCallId, input);
    abortSignal?.throwIfAborted();
    const { text: primary, name = `notes/${key}`, tags = [], corrects = [] } = input;
    const supersedes = await this.#named(
      corrects.filter((each) => each !== name),
      abortSignal,
    );
    const record = {
      episode_type: 'Observation' as const,
      content: { primary: primary.toWellFormed() },
      event_time_millis: this.#now(),
      tags: ['ai-sdk', ...tags],
      source: 'model' as const,
      ...(supersedes.length === 0 ? {} : { supersedes }),
    };
    try {
      const options = { idempotencyKey: key, signal: abortSignal };
      const { proposal } = await this.#memory.put(name, record, options);
      if (proposal !== undefined) return { name, note: WAITS };
    } catch (error) {
      // The same call at another time: it has been executed before.
      if (!(error instanceof AgentkeepError) || error.code !== 'idempotency_conflict') throw error;
    }
    return { name };
  }

  async forget(
    input: NamedInput,
    { toolCallId, abortSignal }: ToolCallOptions,
  ): Promise<{ forgotten: boolean; note?: string }> {
    const idempotencyKey = await this.#key(toolCallId, input);
    abortSignal?.throwIfAborted();
    try {
      const options = { idempotencyKey, signal: abortSignal };
      const { proposal } = await this.#memory.delete({ name: input.name }, options);
      return proposal === undefined ? { forgotten: true } : { forgotten: false, note: WAITS };
    } catch (error) {
      if (error instanceof AgentkeepError && error.code === 'record_not_found') {
        return { forgotten: false };
      }
      throw error;
    }
  }

  /** Returns the current revisions of memories, without those that there are not. */
  async #named(names: readonly string[], signal: AbortSignal | undefined) {
    const records = await Promise.all(
      [...new Set(names)]
        .slice(0, CORRECTED_MAX)
        .map((name) => this.#memory.read({ name }, { signal })),
    );
    return records.flatMap((record) =>
      record === undefined ? [] : [{ record_id: record.record_id, revision: record.revision }],
    );
  }

  async #key(toolCallId: string, input: RememberInput | NamedInput): Promise<string> {
    return `ai-sdk-${await digestOf([this.#conversationId, toolCallId, input])}`;
  }
}

function namedSchema() {
  return jsonSchema<NamedInput>({
    type: 'object',
    properties: named,
    required: ['name'],
    additionalProperties: false,
  });
}

function shownMemory({ name, modified_at_millis, payload }: MemoryRecord): ShownMemory {
  return {
    ...(name === undefined ? {} : { name }),
    text: cutText(payload.content.primary, SHOWN_CHARS_MAX),
    tags: payload.tags,
    changed_at: new Date(modified_at_millis).toISOString(),
  };
}
