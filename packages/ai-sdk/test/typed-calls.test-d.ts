/** Calls that compile with the tools and the middleware in every version of the AI SDK. */
import { generateText, streamText, ToolLoopAgent, wrapLanguageModel } from 'ai';
import { memoryTools, type MemoryToolsOptions, withMemory } from '../src/index.js';

type Wrapped = Parameters<typeof wrapLanguageModel>[0]['model'];

/** Hands the tools and the middleware to everything that takes them. */
export function typedCalls(inner: Wrapped, options: MemoryToolsOptions): readonly unknown[] {
  const tools = memoryTools(options);
  const model = wrapLanguageModel({ model: inner, middleware: withMemory(options) });
  return [
    generateText({ model, tools, prompt: 'Work.' }),
    streamText({ model, tools, prompt: 'Work.' }),
    new ToolLoopAgent({ model, tools }),
  ];
}
