/**
 * Serves Agentkeep to the harness of PrecisionMemBench, which stores beliefs and asks for those
 * that a question needs: `npm --prefix bench run precision-server -- [port]`. In the harness, add a
 * provider to `providers.config.json` with this address. Beliefs are records with their name and
 * aliases as tags; a question finds those whose name or alias occurs in it, or, with `--recall`,
 * what `recall()` finds.
 */
import { createServer, type IncomingMessage } from 'node:http';
import { json } from 'node:stream/consumers';
import { inMemoryStore, openKeep, type ScopedMemory } from '@agentkeep/core';
import { agentFor } from '@agentkeep/core/operator';

const PORT = 8_090;
const WORDS_BYTES = 1_024;

interface Added {
  readonly text: string;
  readonly user_id: string;
  readonly metadata: { readonly beliefId: string; readonly scope: string };
  readonly aliases?: readonly string[];
}

interface Asked {
  readonly query: string;
  readonly user_id: string;
  readonly scope: string;
  readonly limit: number;
}

interface Answer {
  readonly results: readonly { readonly id: string; readonly memory: string }[];
}

const isRecall = process.argv.includes('--recall');
const keep = await openKeep({ store: inMemoryStore() });
/** Memories by user and scope; all are new after a reset. */
let memories = new Map<string, Promise<ScopedMemory>>();
let resets = 0;

function memoryOf(user: string, scope: string): Promise<ScopedMemory> {
  const subject = `${user} ${scope} ${String(resets)}`.replaceAll(/[^a-z0-9]+/gi, '-');
  const known = memories.get(subject) ?? agentFor(keep, { subject }).then(({ memory }) => memory);
  memories.set(subject, known);
  return known;
}

/** Stores a belief. Its text begins with its name, which is one word. */
async function add({ text, user_id, metadata, aliases = [] }: Added): Promise<object> {
  const memory = await memoryOf(user_id, metadata.scope);
  const tags = new Set([text.split(' ', 1)[0] ?? '', ...aliases]);
  const { beliefId } = metadata;
  await memory.create({ content: { primary: text }, metadata: { beliefId }, tags: [...tags] });
  return {};
}

async function search({ query, user_id, scope, limit }: Asked): Promise<Answer> {
  const memory = await memoryOf(user_id, scope);
  const found = isRecall
    ? await memory.recall(query, { limit })
    : (await memory.searchPage({ named_in: query.slice(0, WORDS_BYTES) }, { limit })).matches;
  return {
    results: found.map(({ record: { payload } }) => {
      const { beliefId } = payload.metadata as { readonly beliefId: string };
      return { id: beliefId, memory: payload.content.primary };
    }),
  };
}

async function answer({ method, url }: IncomingMessage, body: unknown): Promise<object> {
  switch (`${String(method)} ${String(url)}`) {
    case 'POST /add':
      return add(body as Added);
    case 'POST /search':
      return search(body as Asked);
    case 'DELETE /reset':
      memories = new Map();
      resets += 1;
      return {};
    default:
      throw new Error('Unknown path.');
  }
}

const server = createServer((request, response) => {
  const body = request.method === 'POST' ? json(request) : Promise.resolve(undefined);
  body
    .then((document) => answer(request, document))
    .then(
      (result) =>
        response.setHeader('content-type', 'application/json').end(JSON.stringify(result)),
      (error: unknown) => response.writeHead(500).end(String(error)),
    );
});
server.listen(Number(process.argv[2] ?? PORT), '127.0.0.1');
