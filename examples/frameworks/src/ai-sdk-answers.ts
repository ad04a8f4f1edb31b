/** A model of the AI SDK answers from what the others stored. */
import { memoryTools } from '@agentkeep/ai-sdk';
import type { Agent } from '@agentkeep/client';
import { generateText, stepCountIs } from 'ai';
import { MockLanguageModelV3 } from 'ai/test';
import { shared } from './desk.js';

type Call = Parameters<MockLanguageModelV3['doGenerate']>[0];
type Result = Awaited<ReturnType<MockLanguageModelV3['doGenerate']>>;

const usage: Result['usage'] = {
  inputTokens: { total: 0, noCache: 0, cacheRead: 0, cacheWrite: 0 },
  outputTokens: { total: 0, text: 0, reasoning: 0 },
};

/** Recalls what it is asked, then says what it found. */
function answering(question: string): (call: Call) => Promise<Result> {
  return ({ prompt }) => {
    const last = prompt.at(-1);
    const [part] = last?.role === 'tool' ? last.content : [];
    if (part?.type !== 'tool-result' || part.output.type !== 'json') {
      const input = JSON.stringify({ query: question });
      return Promise.resolve({
        content: [{ type: 'tool-call', toolCallId: question, toolName: 'recall', input }],
        finishReason: { unified: 'tool-calls', raw: undefined },
        usage,
        warnings: [],
      });
    }
    const { memories } = part.output.value as { memories: { text: string }[] };
    return Promise.resolve({
      content: [{ type: 'text', text: memories[0]?.text ?? 'I do not know.' }],
      finishReason: { unified: 'stop', raw: undefined },
      usage,
      warnings: [],
    });
  };
}

/** Asks the model; returns its answer. */
export async function aiSdkAnswers(agent: Agent, question: string): Promise<string> {
  const { text } = await generateText({
    model: new MockLanguageModelV3({ doGenerate: answering(question) }),
    tools: memoryTools({ agent, scope: shared }),
    stopWhen: stepCountIs(3),
    prompt: question,
  });
  return text;
}
