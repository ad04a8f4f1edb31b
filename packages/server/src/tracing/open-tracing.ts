/** Makes spans and measurements with the optional package `@opentelemetry/api`. */
import { CONTRACT_DOCUMENT_VERSION } from '@agentkeep/core';
import type * as OpenTelemetry from '@opentelemetry/api';
import type { Context, Span, Tracer } from '@opentelemetry/api';
import {
  type Attributes,
  attributesOfAnswer,
  attributesOfSent,
  attributesOfStart,
} from './memory-attributes.js';
import { knownMethod } from '../metrics/http-method.js';
import { ProvidedMeter } from './provided-meter.js';
import { CLIENT_LEFT } from './request-instruments.js';
import { readTraceParent } from './traceparent.js';
import type { RequestSpan, TracedEnd, TracedRequest, Tracing } from './tracing.js';

type Api = typeof OpenTelemetry;

/** Name of the instrumentation. */
const SCOPE = '@agentkeep/server';

/**
 * Returns what makes spans of requests and measures them and their keep, for `createServer`. Spans
 * are recorded while a tracer provider is registered, and measurements while a meter provider is;
 * until then a request costs one look-up of each. `undefined` if `@opentelemetry/api` is not
 * installed.
 * @example
 * ```ts
 * import { inMemoryStore, openKeep } from '@agentkeep/core';
 * import { createServer, openTracing } from '@agentkeep/server';
 *
 * await using keep = await openKeep({ store: inMemoryStore() });
 * const tracing = await openTracing();
 * const app = createServer(keep, tracing === undefined ? {} : { tracing });
 * const response = await app.request('/health');
 * if (response.status !== 200) throw new Error('not healthy');
 * ```
 */
export function openTracing(): Promise<Tracing | undefined> {
  return tracingWith(() => import('@opentelemetry/api'));
}

/** Opens tracing with a package that may be missing. */
export async function tracingWith(load: () => Promise<Api>): Promise<Tracing | undefined> {
  const api = await loaded(load);
  if (api === undefined) return undefined;
  return {
    start: (request) => {
      const tracer = tracerOf(api);
      return tracer === undefined ? undefined : startSpan(api, tracer, request);
    },
    meterOf: (keep) => new ProvidedMeter(api, SCOPE, keep),
  };
}

/**
 * Returns whether a module that was loaded before has registered something with OpenTelemetry. Its
 * packages find one another under this symbol, whichever copy they were loaded from.
 */
export function hasOpenTelemetry(): boolean {
  return Symbol.for('opentelemetry.js.api.1') in globalThis;
}

async function loaded(load: () => Promise<Api>): Promise<Api | undefined> {
  try {
    return await load();
  } catch (cause) {
    const isMissing = cause instanceof Error && 'code' in cause;
    if (!isMissing || cause.code !== 'ERR_MODULE_NOT_FOUND') throw cause;
    return undefined;
  }
}

/** Returns the tracer of the registered provider. */
function tracerOf({ trace, ProxyTracerProvider }: Api): Tracer | undefined {
  const provider = trace.getTracerProvider();
  return provider instanceof ProxyTracerProvider
    ? provider.getDelegateTracer(SCOPE, CONTRACT_DOCUMENT_VERSION)
    : provider.getTracer(SCOPE, CONTRACT_DOCUMENT_VERSION);
}

function startSpan(api: Api, tracer: Tracer, request: TracedRequest): RequestSpan {
  const { context, SpanKind, trace } = api;
  const active = context.active();
  // Another instrumentation may have made the span of the HTTP request already.
  const isInside = trace.getSpan(active) !== undefined;
  const parent = isInside ? active : remoteContext(api, active, request);
  const { operation, method, route, requestId } = request;
  const attributes: Attributes = {
    'http.request.method': knownMethod(method),
    ...(route === undefined ? {} : { 'http.route': route }),
    'agentkeep.operation': operation,
    'agentkeep.request_id': requestId,
    ...attributesOfStart(operation),
  };
  const kind = isInside ? SpanKind.INTERNAL : SpanKind.SERVER;
  const span = tracer.startSpan(nameOf(operation, attributes), { kind, attributes }, parent);
  return new ApiSpan(api, span, trace.setSpan(parent, span), operation);
}

/** Memory operations have the name that the conventions give them. */
function nameOf(operation: string, attributes: Attributes): string {
  const memory = attributes['gen_ai.operation.name'];
  return typeof memory === 'string' ? memory : operation;
}

/** Returns a context with the span of the caller, by the registered propagator or by W3C. */
function remoteContext(api: Api, active: Context, { header }: TracedRequest): Context {
  const { createTraceState, propagation, trace } = api;
  const extracted = propagation.extract(active, header, {
    get: (read, name) => read(name.toLowerCase()) ?? undefined,
    keys: () => [],
  });
  if (trace.getSpanContext(extracted) !== undefined) return extracted;
  const stated = readTraceParent(header('traceparent'));
  if (stated === undefined) return extracted;
  const { traceId, spanId, flags } = stated;
  const traceState = createTraceState(header('tracestate') ?? '');
  return trace.setSpanContext(extracted, {
    ...{ traceId, spanId, traceState },
    traceFlags: flags,
    isRemote: true,
  });
}

class ApiSpan implements RequestSpan {
  readonly traceId: string;
  readonly spanId: string;
  readonly #api: Api;
  readonly #span: Span;
  readonly #context: Context;
  readonly #operation: string;

  constructor(api: Api, span: Span, context: Context, operation: string) {
    this.#api = api;
    this.#span = span;
    this.#context = context;
    this.#operation = operation;
    ({ traceId: this.traceId, spanId: this.spanId } = span.spanContext());
  }

  run<T>(work: () => T): T {
    return this.#api.context.with(this.#context, work);
  }

  sent(document: unknown): void {
    const attributes = attributesOfSent(this.#operation, document);
    if (Object.keys(attributes).length === 0) return;
    this.#span.setAttributes(attributes);
    this.#span.updateName(nameOf(this.#operation, attributes));
  }

  answered(output: unknown): void {
    this.#span.setAttributes(attributesOfAnswer(this.#operation, output));
  }

  end({ status, code, hasLeft }: TracedEnd): void {
    const span = this.#span;
    if (hasLeft) {
      span.setAttribute('error.type', CLIENT_LEFT);
    } else {
      span.setAttribute('http.response.status_code', status);
      if (code !== undefined) span.setAttribute('error.type', code);
      if (status >= 500) span.setStatus({ code: this.#api.SpanStatusCode.ERROR });
    }
    span.end();
  }
}
