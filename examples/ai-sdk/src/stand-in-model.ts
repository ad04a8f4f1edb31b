/** Stands in for a model: it knows nothing but its prompt. */
import { MockLanguageModelV3 } from 'ai/test';

type Call = Parameters<MockLanguageModelV3['doGenerate']>[0];
type Result = Awaited<ReturnType<MockLanguageModelV3['doGenerate']>>;
type Prompt = Call['prompt'];

const rest = {
  usage: {
    inputTokens: { total: 0, noCache: 0, cacheRead: 0, cacheWrite: 0 },
    outputTokens: { total: 0, text: 0, reasoning: 0 },
  },
  warnings: [],
} satisfies Partial<Result>;

function says(text: string): Result {
  return {
    ...rest,
    content: [{ type: 'text', text }],
    finishReason: { unified: 'stop', raw: undefined },
  };
}

function remembers(name: string, text: string): Result {
  const input = JSON.stringify({ name, text });
  return {
    ...rest,
    content: [{ type: 'tool-call', toolCallId: name, toolName: 'remember', input }],
    finishReason: { unified: 'tool-calls', raw: undefined },
  };
}

/** Returns the text of the last message of the user. */
function lastSaid(prompt: Prompt): string {
  const message = prompt.findLast(({ role }) => role === 'user');
  if (message?.role !== 'user') return '';
  return message.content.map((part) => (part.type === 'text' ? part.text : '')).join('');
}

/** Remembers when told to; else answers with the first of the notes that the prompt has. */
function respond(prompt: Prompt): Result {
  if (prompt.at(-1)?.role === 'tool') return says('I will remember that.');
  const [, fact] = lastSaid(prompt).split('Remember: ');
  if (fact !== undefined) return remembers('lab/hours', fact);
  const instructions = prompt.flatMap(({ role, content }) => (role === 'system' ? [content] : []));
  const note = /^- (.*)$/mu.exec(instructions.join('\n'))?.[1];
  return says(note ?? 'I do not know.');
}

/** Returns the model. */
export function standInModel(): MockLanguageModelV3 {
  return new MockLanguageModelV3({ doGenerate: ({ prompt }) => Promise.resolve(respond(prompt)) });
}
