/**
 * A model on loopback that gives one answer, in the forms that coding agents ask for: messages of
 * Anthropic, responses and chat completions of OpenAI, and contents of Gemini. It keeps what it
 * was asked.
 */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';

/** Answers in pieces or as a whole, with a text. */
type Form = (answer: string, isStreamed: boolean) => readonly unknown[];

const anthropic: Form = (answer, isStreamed) => {
  const usage = { input_tokens: 1, output_tokens: 1 };
  const message = { id: 'msg_1', type: 'message', role: 'assistant', model: 'scripted', usage };
  const stop = { stop_reason: 'end_turn', stop_sequence: null };
  if (!isStreamed) return [{ ...message, ...stop, content: [{ type: 'text', text: answer }] }];
  const none = { stop_reason: null, stop_sequence: null };
  return [
    { type: 'message_start', message: { ...message, ...none, content: [] } },
    { type: 'content_block_start', index: 0, content_block: { type: 'text', text: '' } },
    { type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text: answer } },
    { type: 'content_block_stop', index: 0 },
    { type: 'message_delta', delta: stop, usage: { output_tokens: 1 } },
    { type: 'message_stop' },
  ];
};

const responses: Form = (answer, isStreamed) => {
  const content = [{ type: 'output_text', text: answer, annotations: [] }];
  const item = { id: 'msg_1', type: 'message', role: 'assistant', status: 'completed', content };
  const usage = { input_tokens: 1, output_tokens: 1, total_tokens: 2 };
  const response = { id: 'resp_1', object: 'response', model: 'scripted', usage };
  const whole = { ...response, status: 'completed', output: [item] };
  if (!isStreamed) return [whole];
  return [
    { type: 'response.created', response: { ...response, status: 'in_progress', output: [] } },
    { type: 'response.output_item.done', output_index: 0, item },
    { type: 'response.completed', response: whole },
  ];
};

const completions: Form = (answer, isStreamed) => {
  const usage = { prompt_tokens: 1, completion_tokens: 1, total_tokens: 2 };
  const base = { id: 'chat_1', created: 1, model: 'scripted', usage };
  const said = { role: 'assistant', content: answer };
  const choice = { index: 0, finish_reason: 'stop' };
  if (!isStreamed) {
    return [{ ...base, object: 'chat.completion', choices: [{ ...choice, message: said }] }];
  }
  const chunk = { ...base, object: 'chat.completion.chunk' };
  const parts = [
    { index: 0, delta: said, finish_reason: null },
    { ...choice, delta: {} },
  ];
  return [...parts.map((part) => ({ ...chunk, choices: [part] })), '[DONE]'];
};

const gemini: Form = (answer) => {
  const usageMetadata = { promptTokenCount: 1, candidatesTokenCount: 1, totalTokenCount: 2 };
  const content = { role: 'model', parts: [{ text: answer }] };
  const candidates = [{ index: 0, finishReason: 'STOP', content }];
  return [{ candidates, usageMetadata, modelVersion: 'scripted' }];
};

/** Paths and their forms. */
const FORMS: readonly (readonly [RegExp, Form])[] = [
  [/\/messages$/, anthropic],
  [/\/responses$/, responses],
  [/\/chat\/completions$/, completions],
  [/:(?:streamG|g)enerateContent$/, gemini],
];

/** The model. */
export class ScriptedModel implements AsyncDisposable {
  /** What it answers. */
  answer = 'Noted.';
  /** The bodies of requests that asked for an answer since they were last taken. */
  #asked: string[] = [];
  readonly #server = createServer((request, response) => void this.#serve(request, response));

  static async start(): Promise<ScriptedModel> {
    const model = new ScriptedModel();
    await new Promise<void>((resolve) => model.#server.listen(0, '127.0.0.1', resolve));
    return model;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  /** Returns what was asked since this was called last. */
  takeAsked(): readonly string[] {
    const asked = this.#asked;
    this.#asked = [];
    return asked;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise((resolve) => this.#server.close(resolve));
  }

  async #serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { pathname, search } = new URL(request.url ?? '/', 'http://model');
    const body = await text(request);
    const form = FORMS.find(([path]) => path.test(pathname))?.[1];
    if (form === undefined || request.method !== 'POST') {
      const isCount = /count_?tokens$/i.test(pathname);
      response.writeHead(isCount ? 200 : 404, { 'content-type': 'application/json' });
      response.end(JSON.stringify({ input_tokens: 1, totalTokens: 1 }));
      return;
    }
    this.#asked.push(body);
    const isStreamed = search.includes('alt=sse') || /"stream":\s*true/.test(body);
    const parts = form(this.answer, isStreamed);
    const type = isStreamed ? 'text/event-stream' : 'application/json';
    response.writeHead(200, { 'content-type': type });
    response.end(isStreamed ? parts.map(eventOf).join('') : JSON.stringify(parts[0]));
  }
}

/** An event of a stream: named after its type, where it has one. */
function eventOf(part: unknown): string {
  if (typeof part === 'string') return `data: ${part}\n\n`;
  const { type } = part as { readonly type?: string };
  return `${type === undefined ? '' : `event: ${type}\n`}data: ${JSON.stringify(part)}\n\n`;
}
