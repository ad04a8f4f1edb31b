/** Answers requests of the Model Context Protocol, each as the agent of its proof. */
import { randomUUID } from 'node:crypto';
import { Agent, AgentkeepError, type Keep, operations } from '@agentkeep/core';
import { type CallOperation, parsedUrl } from '@agentkeep/core/clients';
import { embeddedInput, partyOf, type Principal } from '@agentkeep/core/operator';
import { readBytes } from './body.js';
import { COME_AGAIN } from './event-stream.js';
import type { CallingExchange } from './exchange-call.js';
import { attemptedProofs, readProof } from './proof.js';
import { hostOf, type Received } from './received.js';
import { type Answer, type Answering, respond, respondEvents } from './respond.js';

/** The interface of MCP for the app; `mcpMount()` of `@agentkeep/mcp` makes it. */
export interface McpMount {
  /** Returns why a request is refused before its proof is read; `undefined` if it is not. */
  readonly refusalOf: (headers: Pick<Headers, 'get'>) => string | undefined;
  /**
   * Answers a request as an agent. `admit` is called before each message, of which a batch has
   * several; it throws if the message is refused.
   */
  readonly answer: (
    request: Request,
    agent: Agent,
    admit: () => Promise<void>,
  ) => Promise<Response>;
  /** Ends all subscriptions. */
  readonly close: () => void;
}

/** A request for MCP. */
export interface McpRequest {
  readonly mount: McpMount;
  readonly keep: Keep;
  readonly exchange: CallingExchange;
  readonly received: Received;
  /** Returns the context of every answer, with further headers. */
  readonly answering: (headers?: Record<string, string>) => Answering;
}

/** Longest request, in bytes: a batch of memory, in its JSON-RPC message. */
export const MCP_BYTES_MAX = 2_097_152;

/**
 * Answers a request for MCP.
 * @throws {AgentkeepError} `forbidden` for a host or origin that is not allowed; `unauthorized`.
 */
export async function answerMcp(request: McpRequest): Promise<Answer> {
  const { mount, keep, exchange, received, answering } = request;
  const { caller, messagesOf } = callsOf(keep, exchange);
  const principal = await caller();
  const message = mount.refusalOf({
    get: (name) => (name === 'host' ? hostOf(received) : received.header(name)),
  });
  if (message !== undefined) throw new AgentkeepError('forbidden', { message });
  if (principal?.authority.kind !== 'tenant') throw new AgentkeepError('unauthorized');
  const { agent, admit } = messagesOf(principal);
  const response = await mount.answer(await requestOf(received, exchange.signal()), agent, admit);
  return answerOf(response, exchange.stopping, answering);
}

/**
 * Returns the calls of a request. Each of its messages counts as one under the rate limits, the
 * first with the request, and so does every operation of a message after its first one.
 */
function callsOf(keep: Keep, exchange: CallingExchange) {
  const { requestId, traceId, stopping, proofHeaders } = exchange;
  const call = {
    proof: readProof(proofHeaders, exchange.provedRequest),
    attempted: attemptedProofs(proofHeaders),
    requestId,
    traceId,
    stopping,
    origin: () => exchange.origin(),
  };
  const caller = async (): Promise<Principal | undefined> => {
    let found: Principal | undefined;
    const countRequest = (principal: Principal | undefined): void => {
      found = principal;
      exchange.takeToken(principal);
    };
    await keep.countRequest({ ...call, countRequest });
    return found;
  };
  const messagesOf = (principal: Principal) => {
    // The request has paid for its first message, and each message for its first operation.
    let [isFirst, isPaid] = [true, false];
    const admit = async (): Promise<void> => {
      if (!isFirst) exchange.takeToken(principal);
      [isFirst, isPaid] = [false, true];
      await keep.heavyWork.turn(partyOf(principal));
      exchange.signal().throwIfAborted();
    };
    const countRequest = (caller: Principal | undefined): void => {
      if (!isPaid) exchange.takeToken(caller);
      isPaid = false;
    };
    // A proof of a key counts once; what it proved is proved again in each call.
    const proved = { ...call, proof: principal.held };
    const make: CallOperation = (name, parts, { signal } = {}) =>
      keep.invoke(operations[name], embeddedInput(parts), { ...proved, signal, countRequest });
    return { agent: new Agent(make, randomUUID), admit };
  };
  return { caller, messagesOf };
}

/** Returns the URL that was sent. The caller checks whether its host is allowed. */
function sentUrl(received: Received): URL {
  const host = received.header('host') ?? 'localhost';
  return new URL(received.url, parsedUrl(`http://${host}`) ?? 'http://localhost');
}

const PASSED_HEADERS = ['accept', 'content-type', 'last-event-id', 'mcp-session-id'];

/** Returns a request for the SDK, without its proof. */
async function requestOf(received: Received, signal: AbortSignal): Promise<Request> {
  const { method } = received;
  const names = [...PASSED_HEADERS, 'mcp-protocol-version', 'mcp-method', 'mcp-name'];
  const headers = new Headers();
  for (const name of names) {
    const value = received.header(name);
    if (value !== null) headers.set(name, value);
  }
  const body = method === 'POST' ? { body: await readBytes(received, MCP_BYTES_MAX) } : {};
  return new Request(sentUrl(received), { method, headers, signal, ...body });
}

/** Returns a response of the SDK as an answer, with the headers of every response. */
async function answerOf(
  response: Response,
  stopping: AbortSignal,
  answering: McpRequest['answering'],
): Promise<Answer> {
  const { status, headers, body } = response;
  const kept = ['allow', 'content-type'].flatMap((name) => {
    const value = headers.get(name);
    return value === null ? [] : [[name === 'allow' ? 'Allow' : 'Content-Type', value] as const];
  });
  const isStream = headers.get('content-type')?.startsWith('text/event-stream') === true;
  if (!isStream || body === null) {
    return respond(status, await response.text(), answering(Object.fromEntries(kept)));
  }
  const reader = body.getReader();
  return respondEvents(
    { parts: partsOf(reader, stopping), leave: () => leave(reader) },
    answering(),
  );
}

/**
 * Yields the parts of a stream until it ends, and tells the client to come again where a stop ends
 * it. A failure ends it too, because the stream has no other way to report one.
 */
async function* partsOf(
  reader: ReadableStreamDefaultReader<Uint8Array>,
  stopping: AbortSignal,
): AsyncGenerator<Uint8Array | string> {
  try {
    for (;;) {
      const { done, value } = await reader.read().catch(() => ENDED);
      if (done) break;
      yield value;
    }
    if (stopping.aborted) yield COME_AGAIN;
  } finally {
    leave(reader);
  }
}

const ENDED = { done: true, value: undefined } as const;

function leave(reader: ReadableStreamDefaultReader<Uint8Array>): void {
  reader.cancel().catch(() => undefined);
}
