/** Middleware that gives a language model the known records, and stores its turns. */
import { type Agent, AgentkeepError, cutText, type ScopeInput } from '@agentkeep/client';
import type { LanguageModelMiddleware } from 'ai';
import { digestOf } from './digest.js';
import { findRecords } from './find-records.js';
import { knownText, lastUserText, type ModelCall, withKnown } from './prompt-texts.js';

/** What the middleware finds and stores. */
export interface WithMemoryOptions {
  /** Acts on the records; it needs `memory_read`, and `memory_write` to store turns. */
  readonly agent: Agent;
  /** The scope of the records. A private one belongs to the subject of the agent. */
  readonly scope: ScopeInput;
  /** Most records that are put into a prompt; default 5. */
  readonly limit?: number | undefined;
  /** Most characters of them together; default 4,000. */
  readonly maxChars?: number | undefined;
  /** Whether to store what the user said and the model answered; default false. */
  readonly storeTurns?: boolean | undefined;
  /**
   * Called when memory can't be read or written; the model is called without it then. Default: the
   * call fails.
   */
  readonly onError?: ((error: unknown) => void) | undefined;
  /** Replaces the clock, in tests: Unix milliseconds. */
  readonly now?: (() => number) | undefined;
}

/** Characters of each side of a turn that is stored. */
const TURN_CHARS_MAX = 16_000;

/** A call and the answer of the model. */
interface Turn {
  readonly params: ModelCall;
  readonly answer: string;
}

type WrapStream = NonNullable<LanguageModelMiddleware['wrapStream']>;
type StreamPart =
  Awaited<ReturnType<WrapStream>>['stream'] extends ReadableStream<infer P> ? P : never;

/**
 * Makes middleware for `wrapLanguageModel()`. It searches the scope for the words of the last user
 * message, and for its meaning where the agent embeds. It puts what it finds behind the system
 * messages of the prompt.
 * @example
 * ```ts
 * import { withMemory } from '@agentkeep/ai-sdk';
 * import { inMemoryStore, openKeep, type ScopeInput } from '@agentkeep/core';
 * import { agentFor } from '@agentkeep/core/operator';
 *
 * await using keep = await openKeep({ store: inMemoryStore() });
 * const scope: ScopeInput = { project_id: 'p', agent_id: 'a', visibility: 'private' };
 * const agent = await agentFor(keep, { tenantId: 'acme', subjectId: 'helper', scopes: [scope] });
 *
 * const middleware = withMemory({ agent, scope, storeTurns: true });
 * console.log(middleware.specificationVersion); // v3
 * ```
 */
export function withMemory({
  agent,
  scope,
  limit = 5,
  maxChars = 4_000,
  storeTurns = false,
  onError,
  now = Date.now,
}: WithMemoryOptions): LanguageModelMiddleware {
  const memory = agent.memory.in(scope);

  async function tolerated<T>(work: () => Promise<T>, otherwise: T): Promise<T> {
    try {
      return await work();
    } catch (error) {
      if (onError === undefined) throw error;
      onError(error);
      return otherwise;
    }
  }

  async function recalled(params: ModelCall): Promise<ModelCall> {
    const { abortSignal: signal, prompt } = params;
    const wanted = { scope, text: lastUserText(prompt), limit, signal };
    const records = await findRecords(agent, wanted);
    const known = knownText(records, maxChars);
    return known === '' ? params : { ...params, prompt: withKnown(prompt, known) };
  }

  async function store({ params, answer }: Turn): Promise<void> {
    const said = lastUserText(params.prompt);
    if (said === '' || answer === '') return;
    const sides = [`user: ${said}`, `assistant: ${answer}`];
    const primary = sides.map((side) => cutText(side.toWellFormed(), TURN_CHARS_MAX)).join('\n');
    const conversation = params.prompt.filter(({ role }) => role !== 'system');
    const idempotencyKey = `ai-sdk-${await digestOf([scope, conversation, answer])}`;
    const record = {
      episode_type: 'Conversation' as const,
      content: { primary },
      event_time_millis: now(),
      tags: ['ai-sdk', 'turn'],
    };
    try {
      const options = { idempotencyKey, signal: params.abortSignal };
      await memory.batch([{ type: 'create', record }], options);
    } catch (error) {
      // The same turn at another time: it is stored.
      if (!(error instanceof AgentkeepError) || error.code !== 'idempotency_conflict') throw error;
    }
  }

  return {
    specificationVersion: 'v3',
    transformParams: ({ params }) => tolerated(() => recalled(params), params),
    ...(storeTurns ? storing((turn) => tolerated(() => store(turn), undefined)) : {}),
  };
}

/** The part of the middleware that sees answers. A call of a tool doesn't end a turn. */
function storing(
  store: (turn: Turn) => Promise<void>,
): Pick<LanguageModelMiddleware, 'wrapGenerate' | 'wrapStream'> {
  return {
    async wrapGenerate({ doGenerate, params }) {
      const result = await doGenerate();
      const texts = result.content.map((part) => (part.type === 'text' ? part.text : ''));
      if (result.finishReason.unified === 'stop') await store({ params, answer: texts.join('') });
      return result;
    },
    async wrapStream({ doStream, params }) {
      const result = await doStream();
      let answer = '';
      const seeing = new TransformStream<StreamPart, StreamPart>({
        async transform(part, controller) {
          if (part.type === 'text-delta') answer += part.delta;
          const isEnd = part.type === 'finish' && part.finishReason.unified === 'stop';
          if (isEnd) await store({ params, answer });
          controller.enqueue(part);
        },
      });
      return { ...result, stream: result.stream.pipeThrough(seeing) };
    },
  };
}
