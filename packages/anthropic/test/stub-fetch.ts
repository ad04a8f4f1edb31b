/** Stands in for the API of Anthropic: answers each request with the next message of a script. */

/** A part of a scripted message. */
export type ScriptedPart =
  | { readonly type: 'text'; readonly text: string }
  | {
      readonly type: 'tool_use';
      readonly id: string;
      readonly name: string;
      readonly input: object;
    };

/** What tests look at in a request. */
export interface SentRequest {
  readonly tools: readonly { readonly type: string; readonly name: string }[];
  readonly messages: readonly { readonly role: string; readonly content: unknown }[];
}

/** A part of a message that may be a tool result; texts have none of these members. */
interface ResultPart {
  readonly type?: string;
  readonly content?: string | readonly { readonly text: string }[];
  readonly is_error?: boolean;
}

/** A script under way. */
export interface Script {
  readonly fetch: typeof globalThis.fetch;
  readonly sent: SentRequest[];
}

/** Returns a `fetch` that plays a script. */
export function scripted(messages: readonly (readonly ScriptedPart[])[]): Script {
  const sent: SentRequest[] = [];
  const fetch = (_input: unknown, init?: RequestInit): Promise<Response> => {
    const content = messages[sent.length];
    sent.push(JSON.parse(init?.body as string) as SentRequest);
    if (content === undefined) throw new Error('The script is over.');
    const asksForTool = content.some(({ type }) => type === 'tool_use');
    const message = {
      id: `msg_${sent.length}`,
      type: 'message',
      role: 'assistant',
      model: 'claude-sonnet-4-5',
      content,
      stop_reason: asksForTool ? 'tool_use' : 'end_turn',
      stop_sequence: null,
      usage: { input_tokens: 1, output_tokens: 1 },
    };
    return Promise.resolve(Response.json(message));
  };
  return { fetch, sent };
}

/** Returns what the last tool result of a request says. */
export function lastResult({ messages }: SentRequest): { text: string; isError: boolean } {
  const parts = messages.flatMap(({ content }) => content as readonly ResultPart[]);
  const results = parts.filter(({ type }) => type === 'tool_result');
  const { content = '', is_error } = results.at(-1) ?? {};
  const text = typeof content === 'string' ? content : content.map((part) => part.text).join('');
  return { text, isError: is_error === true };
}
