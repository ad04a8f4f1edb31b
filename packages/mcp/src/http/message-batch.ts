/**
 * Answers a batch one message after the other, each only once the client has read the answers to
 * those before it. So a batch costs what its messages cost, and holds one answer at a time.
 */
import { AgentkeepError } from '@agentkeep/client';
import { isJSONRPCRequest, ProtocolErrorCode } from '@modelcontextprotocol/server';

/** How the messages of a batch are answered. */
export interface BatchAnswering {
  /**
   * Admits the next message.
   * @throws {AgentkeepError} when it is refused.
   */
  readonly admit: () => Promise<void>;
  /** Answers one message: 202 if it needs no answer. */
  readonly answer: (message: unknown) => Promise<Response>;
}

/** Answers a batch with a stream of events; with 202 if no message needs an answer. */
export async function answerBatch(
  batch: readonly unknown[],
  answering: BatchAnswering,
): Promise<Response> {
  const parts = partsOf(batch, answering);
  const first = await parts.next();
  if (first.done === true) return new Response(null, { status: 202 });
  let next: typeof first | undefined = first;
  const source = {
    pull: async (controller: ReadableStreamDefaultController<Uint8Array>): Promise<void> => {
      const part = next ?? (await parts.next());
      next = undefined;
      if (part.done === true) controller.close();
      else controller.enqueue(part.value);
    },
    cancel: async (): Promise<void> => {
      await parts.return(undefined);
    },
  };
  const headers = { 'Content-Type': 'text/event-stream' };
  return new Response(new ReadableStream(source, { highWaterMark: 0 }), { headers });
}

async function* partsOf(
  batch: readonly unknown[],
  { admit, answer }: BatchAnswering,
): AsyncGenerator<Uint8Array, undefined> {
  for (const message of batch) {
    try {
      await admit();
    } catch (error) {
      if (!(error instanceof AgentkeepError)) throw error;
      const refusal = refusalOf(message, error);
      if (refusal !== undefined) yield refusal;
      continue;
    }
    const { body, headers } = await answer(message);
    if (body === null) continue;
    const isStream = headers.get('content-type')?.startsWith('text/event-stream') === true;
    if (isStream) yield* body;
    else yield eventOf(await new Response(body).text());
  }
  return undefined;
}

/** Returns the answer to a message that was not admitted, if it needs one. */
function refusalOf(message: unknown, error: AgentkeepError): Uint8Array | undefined {
  if (!isJSONRPCRequest(message)) return undefined;
  const { wireCode: code, retryable } = error;
  const refused = { code: ProtocolErrorCode.InternalError, data: { code, retryable } };
  const text = `${code}: ${error.message}`;
  const { id } = message;
  return eventOf(JSON.stringify({ jsonrpc: '2.0', id, error: { ...refused, message: text } }));
}

function eventOf(json: string): Uint8Array {
  return new TextEncoder().encode(`event: message\ndata: ${json}\n\n`);
}
