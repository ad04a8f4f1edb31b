/** A mock model of the AI SDK that plays a script, whether it is asked at once or as a stream. */
import { convertArrayToReadableStream, MockLanguageModelV3 } from 'ai/test';

type Generated = Exclude<
  NonNullable<NonNullable<ConstructorParameters<typeof MockLanguageModelV3>[0]>['doGenerate']>,
  readonly unknown[] | ((...args: never[]) => unknown)
>;
type Streamed = Awaited<ReturnType<MockLanguageModelV3['doStream']>>;
type StreamPart = Streamed['stream'] extends ReadableStream<infer P> ? P : never;

/** A tool call, or the last words. */
export type Step = string | { readonly id: string; readonly tool: string; readonly input: object };

const usage: Generated['usage'] = {
  inputTokens: { total: 1, noCache: 1, cacheRead: 0, cacheWrite: 0 },
  outputTokens: { total: 1, text: 1, reasoning: 0 },
};

function generated(step: Step): Generated {
  if (typeof step === 'string') {
    const finishReason = { unified: 'stop', raw: undefined } as const;
    return { content: [{ type: 'text', text: step }], finishReason, usage, warnings: [] };
  }
  const { id: toolCallId, tool: toolName, input } = step;
  return {
    content: [{ type: 'tool-call', toolCallId, toolName, input: JSON.stringify(input) }],
    finishReason: { unified: 'tool-calls', raw: undefined },
    usage,
    warnings: [],
  };
}

function streamed(step: Step): Streamed {
  const { content, finishReason } = generated(step);
  const parts = content.flatMap((part): StreamPart[] => {
    if (part.type !== 'text') return part.type === 'tool-call' ? [part] : [];
    const deltas = part.text
      .split(/(?<= )/u)
      .map((delta) => ({ type: 'text-delta' as const, id: '1', delta }));
    return [{ type: 'text-start', id: '1' }, ...deltas, { type: 'text-end', id: '1' }];
  });
  const end: StreamPart = { type: 'finish', finishReason, usage };
  return {
    stream: convertArrayToReadableStream<StreamPart>([
      { type: 'stream-start', warnings: [] },
      ...parts,
      end,
    ]),
  };
}

/** Returns a model that answers with one step after the other. */
export function scriptedModel(...steps: Step[]): MockLanguageModelV3 {
  let at = 0;
  const next = (): Step => {
    const step = steps[at];
    at += 1;
    if (step === undefined) throw new Error('The script is over.');
    return step;
  };
  return new MockLanguageModelV3({
    doGenerate: () => Promise.resolve(generated(next())),
    doStream: () => Promise.resolve(streamed(next())),
  });
}
