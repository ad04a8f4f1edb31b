/** One HTTP request and its response: proof, rate limit, operation, headers and log line. */
import { successStatus } from '@agentkeep/client/routes';
import { isIP } from 'node:net';
import { AgentkeepError, type Keep } from '@agentkeep/core';
import {
  type Call,
  type CallOrigin,
  type HeavyCall,
  type Party,
  partyOf,
  type Principal,
  type RateLimiter,
  unprovedParty,
  type UnreadAnswer,
} from '@agentkeep/core/operator';
import type { Metrics } from '../metrics/metrics.js';
import type { MetricsCheck } from '../metrics/metrics-token.js';
import type { AddressRanges } from '../rate-limit/address-ranges.js';
import { networkOf } from '../rate-limit/client-address.js';
import { slicedText } from './answer-text.js';
import { InterruptedBody } from './body.js';
import { streamChanges, wantsEvents } from './event-stream.js';
import { streamLines, wantsLines } from './line-stream.js';
import { type CallingExchange, callOf, endpointDocument } from './exchange-call.js';
import { answerConsole } from '../console/console-door.js';
import type { ConsoleLinks } from '../console/console-links.js';
import { answerPage } from './page-answer.js';
import type { DoorRequest } from '../front-door/request/door-request.js';
import type { DoorAction, FrontDoor } from '../front-door/front-door.js';
import { answerOpenPage } from '../front-door/open-pages.js';
import { doorAnswer, doorRequest } from './door-answer.js';
import { answerProbe, type Probe } from './probes.js';
import { readInput } from './request-input.js';
import { corsHeaders, preflightHeaders } from './cors.js';
import { answerTokenRequest } from './token-endpoint.js';
import { answerMcp, type McpMount } from './mcp-answer.js';
import { MCP_IS_OFF, MCP_PATH } from './mcp-paths.js';
import { pathSegment } from './path-segment.js';
import type { PathTargets, Routed, Target } from './path-targets.js';
import { challenge, nonceHeaders, type ProofHeaders, type ProvedRequest } from './proof.js';
import { addressOf, hostOf, originsOf, type Received } from './received.js';
import { requestIdOf } from './request-id.js';
import { RequestWatch, type Watchers } from './request-watch.js';
import {
  type Answer,
  type Answering,
  type AnswerReader,
  type RateState,
  respond,
  respondError,
  respondEvents,
  respondLines,
} from './respond.js';

/** State shared by all requests. */
export interface ServerContext extends Watchers {
  readonly keep: Keep;
  readonly adminOrigin: string | undefined;
  readonly trustedProxies: AddressRanges;
  readonly limiter: RateLimiter;
  /** Metrics that this app shows; `isAllowed` takes an `Authorization` header. */
  readonly shownMetrics:
    { readonly metrics: Metrics; readonly isAllowed: MetricsCheck } | undefined;
  /** Answers MCP requests, where they are served. */
  readonly mcp: McpMount | undefined;
  /** Where people log in and programs ask for tokens, if that is served. */
  readonly door: FrontDoor | undefined;
  /** The origins that proofs of keys count for; `undefined` for the host that a request names. */
  readonly keyProofOrigins: readonly string[] | undefined;
  /** The path to which browsers are led from the root. */
  readonly startPage: string;
  readonly hasConsole: boolean;
  /** Links that sign in to the console, if there are any. */
  readonly consoleLinks: ConsoleLinks | undefined;
  /** Aborted when the server stops: waiting calls answer then. */
  readonly stopping: AbortSignal;
}

/** Liveness probes are never rate limited. */
export const UNCOUNTED_PATH = '/health';

/** Handles one request. */
export class Exchange implements CallingExchange, AnswerReader {
  readonly #context: ServerContext;
  readonly #received: Received;
  readonly #path: string;
  readonly #targets: PathTargets | undefined;
  readonly requestId: string;
  readonly proofHeaders: ProofHeaders;
  readonly stopping: AbortSignal;
  #rate: RateState | undefined;
  /** The call, if it is heavy: it works until its answer is serialized. */
  #heavy: HeavyCall | undefined;
  #principal: Principal | undefined;
  #clientSignal: AbortSignal | undefined;
  readonly #watch: RequestWatch;

  constructor(context: ServerContext, received: Received, { path, targets }: Routed) {
    this.#context = context;
    this.stopping = context.stopping;
    this.#received = received;
    this.#path = path;
    this.#targets = targets;
    const requestId = requestIdOf(received.header('x-request-id'));
    this.requestId = requestId;
    const request = { requestId, path, route: targets?.path, target: this.#target };
    this.#watch = new RequestWatch(context, received, request);
    this.proofHeaders = {
      authorization: received.header('authorization'),
      apiKey: received.header('x-api-key'),
      dpop: received.header('dpop'),
    };
  }

  /** The request, as a proof of a key states it. */
  get provedRequest(): ProvedRequest {
    const { method, sentPath } = this.#received;
    const origins = this.#context.keyProofOrigins ?? originsOf(this.#received);
    return { method, sentPath, origins };
  }

  /** Returns the answer, even after a failure, and reports the outcome to observers. */
  async answer(): Promise<Answer> {
    let failure: AgentkeepError | undefined;
    let answer: Answer;
    try {
      answer = await this.#watch.run(() => this.#dispatch());
    } catch (cause) {
      failure =
        cause instanceof AgentkeepError ? cause : new AgentkeepError('internal_error', { cause });
      this.#heavy?.end();
      this.#context.keep.noteRefusal(failure, this.#call(), this.#principal);
      answer = this.#respondError(failure, this.#headersOf(failure));
    }
    const hasLeft = this.#hasLeft(failure);
    const { status } = answer;
    this.#watch.ended({ status, failure, hasLeft, principalId: this.#principal?.id });
    return answer;
  }

  /** Id of the trace that the request belongs to. */
  get traceId(): string | undefined {
    return this.#watch.traceId;
  }

  /** The target of the path and method. HEAD is handled as GET. */
  get #target(): Target | undefined {
    const { method } = this.#received;
    return this.#targets?.byMethod.get(method === 'HEAD' ? 'GET' : method);
  }

  /** Whether the work was ended because the client disconnected, so that it gets no response. */
  #hasLeft(failure: AgentkeepError | undefined): boolean {
    if (failure === undefined) return false;
    const signal = this.#clientSignal;
    if (signal?.aborted === true && failure.cause === signal.reason) return true;
    return failure.cause instanceof InterruptedBody;
  }

  /** The signal of the client. Created on demand: most calls end before they need it. */
  signal(): AbortSignal {
    this.#clientSignal ??= this.#received.signal();
    return this.#clientSignal;
  }

  /** Dispatches by the method. */
  #dispatch(): Promise<Answer> {
    const targets = this.#targets;
    if (targets === undefined) return this.#answerUnknown();
    const target = this.#target;
    if (target !== undefined) return this.#respond(targets, target);
    return this.#received.method === 'OPTIONS' && this.#context.adminOrigin !== undefined
      ? this.#preflight(targets)
      : this.#refuse(new AgentkeepError('method_not_allowed'));
  }

  /** Leads a browser that asks for the server itself to its page; no other path is known. */
  async #answerUnknown(): Promise<Answer> {
    const { method } = this.#received;
    const isBrowser = this.#received.header('accept')?.includes('text/html') === true;
    if (this.#path !== '/' || method !== 'GET' || !isBrowser) {
      const isMcp = this.#path === MCP_PATH;
      return this.#refuse(new AgentkeepError('not_found', isMcp ? { message: MCP_IS_OFF } : {}));
    }
    await this.#count();
    return respond(303, '', this.#answering({ Location: this.#context.startPage }));
  }

  /** Invokes an operation and responds with its output, or responds with a text. */
  async #respond({ parameterIndex }: PathTargets, target: Target): Promise<Answer> {
    if ('probe' in target) return this.#probe(target.probe);
    if ('metrics' in target) return this.#showMetrics();
    if ('mcp' in target) return this.#answerMcp();
    if ('token' in target) return this.#answerTokenRequest();
    if ('door' in target) return this.#answerAtDoor(target.door, parameterIndex);
    if ('openPage' in target) return this.#answerOpenPage(target.openPage);
    if ('text' in target) {
      await this.#count();
      return respond(200, await target.text(), this.#answering());
    }
    if ('page' in target) {
      await this.#count();
      const page = await target.page(pathSegment(parameterIndex, this.#received.sentPath));
      return answerPage(page, this.#received, this.#answering());
    }
    if ('consoleDoor' in target) return this.#answerConsoleDoor();
    const received = this.#received;
    const id = pathSegment(parameterIndex, received.sentPath);
    const { operation, route } = target;
    const { keep } = this.#context;
    const source = readInput(operation, received, { id, seen: this.#watch.seen });
    const streamed = { keep, exchange: this, operation, source };
    if (route.hasEvents && this.#wantsEvents()) {
      const lastId = received.header('last-event-id');
      return respondEvents(await streamChanges({ ...streamed, lastId }), this.#answering());
    }
    if (route.hasLines && wantsLines(received.header('accept'))) {
      return respondLines(await streamLines(streamed), this.#answering());
    }
    const output = await keep.invoke(operation, source, this.#call());
    this.#watch.answered(output);
    const heavy = this.#heavy;
    if (heavy === undefined) {
      const text = JSON.stringify(output);
      return respond(successStatus(target.route, output), text, this.#answering());
    }
    const text = await slicedText(output, heavy);
    heavy.end();
    return respond(successStatus(target.route, output), text, this.#answering());
  }

  /** Answers a supervisor, without reading a proof or taking a token. */
  async #probe(probe: Probe): Promise<Answer> {
    const { keep, stopping } = this.#context;
    const isReady = async (): Promise<boolean> => !stopping.aborted && (await keep.isReady());
    const { status, body } = await answerProbe(probe, isReady);
    return respond(status, body, this.#answering());
  }

  /** Answers with the metrics. Guesses of the secret are limited by address. */
  async #showMetrics(): Promise<Answer> {
    const { shownMetrics } = this.#context;
    this.takeToken(undefined);
    if (shownMetrics?.isAllowed(this.proofHeaders.authorization) !== true) {
      throw new AgentkeepError('unauthorized');
    }
    const { metrics } = shownMetrics;
    const headers = { 'Content-Type': metrics.contentType };
    return respond(200, await metrics.text(), this.#answering(headers));
  }

  #answerMcp(): Promise<Answer> {
    const { keep, mcp: mount } = this.#context;
    if (mount === undefined) throw new AgentkeepError('not_found');
    const answering = (headers?: Record<string, string>): Answering => this.#answering(headers);
    return answerMcp({ mount, keep, exchange: this, received: this.#received, answering });
  }

  #answerTokenRequest(): Promise<Answer> {
    const { keep, door } = this.#context;
    const answering = (headers?: Record<string, string>): Answering => this.#answering(headers);
    const request = { keep, exchange: this, received: this.#received, answering };
    const programGrant =
      door &&
      ((form: string) => {
        const body = (): Promise<string> => Promise.resolve(form);
        return door.programGrant({ ...this.#doorRequest(), body });
      });
    return answerTokenRequest({ ...request, programGrant });
  }

  async #answerAtDoor(action: DoorAction, parameterIndex: number | undefined): Promise<Answer> {
    const { door } = this.#context;
    if (door === undefined) throw new AgentkeepError('not_found');
    const request = this.#doorRequest(parameterIndex);
    return doorAnswer(await door.answer(action, request), (headers) => this.#answering(headers));
  }

  async #answerOpenPage(page: Parameters<typeof answerOpenPage>[0]): Promise<Answer> {
    const parts = { host: hostOf(this.#received), hasConsole: this.#context.hasConsole };
    const answer = await answerOpenPage(page, this.#doorRequest(), parts);
    return doorAnswer(answer, (headers) => this.#answering(headers));
  }

  async #answerConsoleDoor(): Promise<Answer> {
    const door = { host: hostOf(this.#received), links: this.#context.consoleLinks };
    const answer = await answerConsole(this.#doorRequest(), door);
    return doorAnswer(answer, (headers) => this.#answering(headers));
  }

  #doorRequest(parameterIndex?: number): DoorRequest {
    const { keep } = this.#context;
    return doorRequest({ keep, exchange: this, received: this.#received, parameterIndex });
  }

  #wantsEvents(): boolean {
    return this.#received.method === 'GET' && wantsEvents(this.#received.header('accept'));
  }

  /** Counts the request, then refuses it. */
  async #refuse(error: AgentkeepError): Promise<never> {
    await this.#count();
    throw error;
  }

  /** Answers a preflight for the allowed origin. */
  async #preflight(targets: PathTargets): Promise<Answer> {
    await this.#count();
    return respond(200, '{}', this.#answering(preflightHeaders(targets)));
  }

  #respondError(error: AgentkeepError, headers: Record<string, string>): Answer {
    const surface = this.#targets?.surface ?? 'platform';
    return respondError(error, surface, this.#answering(headers));
  }

  /** Returns the context of this request for the operation. */
  #call(): Call {
    return callOf(this);
  }

  /** Takes over the answer of a heavy call. */
  hold(heavy: HeavyCall): void {
    this.#heavy = heavy;
  }

  /** Returns the counter of the unread bytes of the answer. */
  unread(cut: () => void): UnreadAnswer {
    return this.#context.keep.heavyWork.unread.open(this.#party(), cut);
  }

  /** The party that the answer is sent to. */
  #party(): Party {
    return this.#principal === undefined
      ? unprovedParty(networkOf(this.#address()))
      : partyOf(this.#principal);
  }

  /** The origin of the call, for the audit log. */
  origin(): CallOrigin {
    const address = this.#address();
    return {
      path: this.#path,
      ipAddress: isIP(address) === 0 ? null : address,
      userAgent: this.#received.header('user-agent'),
      endpointType: endpointDocument(this.#context.limiter.endpointTypeOf(this.#path)),
    };
  }

  /** Takes a rate limit token for a request that reaches no operation. */
  #count(): Promise<void> {
    return this.#context.keep.countRequest(this.#call());
  }

  /** Takes a rate limit token for a caller, or refuses the request. */
  takeToken(principal: Principal | undefined): void {
    this.#principal = principal;
    const { limiter } = this.#context;
    const client = principal?.id ?? this.#address();
    if (this.#path === UNCOUNTED_PATH) {
      this.#rate = limiter.peek(this.#path, client);
      return;
    }
    const tenantId =
      principal?.authority.kind === 'tenant' ? principal.authority.tenant_id : undefined;
    const decision = limiter.take(this.#path, client, tenantId);
    this.#rate = decision;
    if (decision.type === 'refused') throw new AgentkeepError('rate_limit_exceeded');
  }

  #answering(extra?: Record<string, string>): Answering {
    const { adminOrigin, limiter } = this.#context;
    const rate = this.#rate ?? limiter.peek(this.#path, this.#address());
    const { requestId } = this;
    if (adminOrigin === undefined) return { requestId, rate, reader: this, extra };
    const cors = corsHeaders(adminOrigin, this.#received.header('origin'));
    return { requestId, rate, reader: this, extra: { ...cors, ...extra } };
  }

  /** Returns the headers of a refusal in addition to those of every response. */
  #headersOf({ kind, code, details }: AgentkeepError): Record<string, string> {
    if (code === 'use_dpop_nonce') return nonceHeaders(details);
    if (kind === 'unauthenticated') {
      const metadata = this.#context.door?.resourceMetadata(this.#path === MCP_PATH);
      return { 'WWW-Authenticate': challenge(this.proofHeaders, metadata) };
    }
    return code === 'method_not_allowed' ? { Allow: this.#allowed() } : {};
  }

  /** Lists the methods that the path supports. */
  #allowed(): string {
    const methods = [...(this.#targets?.byMethod.keys() ?? [])];
    return methods.flatMap((method) => (method === 'GET' ? ['GET', 'HEAD'] : [method])).join(', ');
  }

  #address(): string {
    return addressOf(this.#received, this.#context.trustedProxies);
  }
}
