/** Stands in for the API: answers as Claude would, from one conversation and nothing else. */

/** A text or a tool result, as far as it is looked at. */
interface SentPart {
  readonly type: string;
  readonly text?: string;
  readonly content?: Said;
}

type Said = string | readonly SentPart[];

/** A request; one that continues a thread has only what is new. */
interface Sent {
  readonly messages: readonly { readonly content: Said }[];
  readonly thread?: { readonly type: string };
}

type Part = { type: 'text'; text: string } | { type: 'tool_use'; name: string; input: object };

const text = (words: string): Part => ({ type: 'text', text: words });
const command = (input: object): Part => ({ type: 'tool_use', name: 'memory', input });

/** Looks into the directory; then remembers, or reads the first file and tells what it says. */
function answerTo(said: string, results: readonly string[]): Part {
  const [listing, last] = results;
  if (listing === undefined) return command({ command: 'view', path: '/memories' });
  const [, fact] = said.split('Remember: ');
  if (fact !== undefined) {
    const path = '/memories/customers.md';
    if (last === undefined) return command({ command: 'create', path, file_text: fact });
    return text('I wrote it down.');
  }
  const path = listing.split(/\s/u).find((word) => word.endsWith('.md'));
  if (path === undefined) return text('I have no notes.');
  if (last === undefined) return command({ command: 'view', path });
  return text(`My notes say: ${last.split('\t').at(-1) ?? ''}`);
}

/** Returns the words of a message or of a tool result. */
function wordsOf(said: Said): string {
  return typeof said === 'string' ? said : said.map((part) => part.text ?? '').join('');
}

/** Returns a `fetch` for a client of the Anthropic SDK. Like the API, it holds the thread. */
export function standInApi(): typeof globalThis.fetch {
  let contents: Said[] = [];
  return (_input, init) => {
    const { messages, thread } = JSON.parse(init?.body as string) as Sent;
    const earlier = thread?.type === 'continue' ? contents : [];
    contents = [...earlier, ...messages.map(({ content }) => content)];
    const parts = contents.flatMap((said) => (typeof said === 'string' ? [] : said));
    const results = parts.flatMap((part) =>
      part.type === 'tool_result' ? [wordsOf(part.content ?? '')] : [],
    );
    const part = answerTo(wordsOf(contents[0] ?? ''), results);
    const isOver = part.type === 'text';
    return Promise.resolve(
      Response.json({
        id: `msg_${results.length}`,
        type: 'message',
        role: 'assistant',
        model: 'stand-in',
        content: [isOver ? part : { ...part, id: `toolu_${results.length}` }],
        stop_reason: isOver ? 'end_turn' : 'tool_use',
        stop_sequence: null,
        usage: { input_tokens: 0, output_tokens: 0 },
      }),
    );
  };
}
