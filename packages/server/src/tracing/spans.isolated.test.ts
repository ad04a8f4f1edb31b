/** Spans of requests over real HTTP, recorded by the SDK of OpenTelemetry. */
import { AsyncLocalStorage } from 'node:async_hooks';
import { type Context, context, ROOT_CONTEXT, SpanKind, trace } from '@opentelemetry/api';
import {
  BasicTracerProvider,
  InMemorySpanExporter,
  SimpleSpanProcessor,
} from '@opentelemetry/sdk-trace-base';
import type { AuditPage } from '@agentkeep/core';
import { eventually } from '@agentkeep/testkit/eventually';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { createServer } from '../http/create-server.js';
import { startServer } from '../lifecycle/start-server.js';
import { jsonLogger } from '../log/logger.js';
import { openTracing, tracingWith } from './open-tracing.js';
import { minimalRecord, scope } from '@agentkeep/contract-cases/documents';
import { drivers } from '@agentkeep/contract-cases/drivers';
import { type Fixture, tenant } from '@agentkeep/contract-cases/fixture';

const TRACE = '4bf92f3577b34da6a3ce929d0e0e4736';
const SPAN = '00f067aa0ba902b7';
const TRACEPARENT = `00-${TRACE}-${SPAN}-01`;

const exporter = new InMemorySpanExporter();
const storage = new AsyncLocalStorage<Context>();

/** Registers an SDK, as a program or a module ahead of the command does. */
function register(): void {
  trace.setGlobalTracerProvider(
    new BasicTracerProvider({ spanProcessors: [new SimpleSpanProcessor(exporter)] }),
  );
  context.setGlobalContextManager({
    active: () => storage.getStore() ?? ROOT_CONTEXT,
    with: (active, work, self, ...words) =>
      storage.run(active, () => work.call(self as never, ...words)),
    bind: (_active, target) => target,
    enable() {
      return this;
    },
    disable() {
      return this;
    },
  });
}

beforeEach(register);
afterEach(() => {
  trace.disable();
  context.disable();
  exporter.reset();
});

interface Traced {
  readonly t: Fixture;
  readonly lines: Record<string, unknown>[];
  readonly send: (path: string, init?: RequestInit) => Promise<Response>;
}

async function traced(run: (server: Traced) => Promise<void>): Promise<void> {
  await using t = await tenant(drivers[0]!);
  const lines: Record<string, unknown>[] = [];
  const write = (text: string): void => {
    for (const line of text.trimEnd().split('\n')) {
      lines.push(JSON.parse(line) as Record<string, unknown>);
    }
  };
  const tracing = await openTracing();
  const log = jsonLogger({ level: 'info', write });
  const app = createServer(t.keep, { rateLimitPolicies: [], tracing: tracing!, log });
  const server = await startServer(app, { host: '127.0.0.1', port: 0 });
  const send = (path: string, init?: RequestInit) => fetch(`${server.url}${path}`, init);
  try {
    await run({ t, lines, send });
  } finally {
    await server.stop();
  }
}

const jsonOf = (token: string): Record<string, string> => ({
  Authorization: `Bearer ${token}`,
  'Content-Type': 'application/json',
});

const spans = () => exporter.getFinishedSpans();

describe('spans', () => {
  test('an operation has one, with its route and status and no path', async () => {
    await traced(async ({ t, send }) => {
      const headers = { Authorization: `Bearer ${t.admin.token}`, 'X-Request-Id': 'r-1' };
      await send('/api/v1/identity', { headers });
      await send('/api/v1/users/acme-people', { headers });
      await send('/acme/nowhere', { method: 'PURGE' });
      expect(spans().map(({ name, kind }) => [name, kind])).toEqual([
        ['whoAmI', SpanKind.SERVER],
        ['getUser', SpanKind.SERVER],
        ['none', SpanKind.SERVER],
      ]);
      expect(spans()[0]?.attributes).toEqual({
        'http.request.method': 'GET',
        'http.route': '/api/v1/identity',
        'http.response.status_code': 200,
        'agentkeep.operation': 'whoAmI',
        'agentkeep.request_id': 'r-1',
      });
      expect(spans()[1]?.attributes).toMatchObject({ 'http.route': '/api/v1/users/{id}' });
      expect(spans()[2]?.attributes).toMatchObject({
        'http.request.method': '_OTHER',
        'http.response.status_code': 404,
        'error.type': 'not_found',
      });
      expect(JSON.stringify(spans().map(({ attributes }) => attributes))).not.toContain('acme');
    });
  });

  test('memory operations have the names of the conventions, and no content', async () => {
    await traced(async ({ t, send }) => {
      const { token } = await t.agent();
      const post = (path: string, document: object) =>
        send(`/api/v1/memory/${path}`, {
          method: 'POST',
          headers: jsonOf(token),
          body: JSON.stringify({ contract_version: 1, ...document }),
        });
      const operation = { type: 'create', record: minimalRecord };
      await post('commands', { idempotency_key: 'k', scope, operation });
      await post('query', { scope, filter: {} });
      expect(spans().map(({ name }) => name)).toEqual(['create_memory', 'search_memory']);
      const [created, found] = spans().map(({ attributes }) => attributes);
      expect(created).toMatchObject({
        'agentkeep.operation': 'executeMemoryCommand',
        'gen_ai.operation.name': 'create_memory',
        'gen_ai.provider.name': 'agentkeep',
        'gen_ai.memory.record.count': 1,
      });
      expect(found).toMatchObject({
        'gen_ai.operation.name': 'search_memory',
        'gen_ai.memory.record.count': 1,
      });
      const names = Object.keys({ ...created, ...found });
      expect(names.filter((name) => /content|text|records$|scope/.test(name))).toEqual([]);
    });
  });

  test('the span of the caller is the parent, and its trace is in log and audit', async () => {
    await traced(async ({ t, lines, send }) => {
      const spec = { subject_id: 's', capabilities: ['memory_read'], grants: [] };
      const issued = await send('/api/v1/credentials', {
        method: 'POST',
        headers: { ...jsonOf(t.admin.token), traceparent: TRACEPARENT },
        body: JSON.stringify({ contract_version: 1, spec }),
      });
      expect(issued.status).toBe(201);
      const [span] = spans();
      expect(span?.spanContext().traceId).toBe(TRACE);
      expect(span?.parentSpanContext).toMatchObject({ spanId: SPAN, isRemote: true });
      const { spanId } = span?.spanContext() ?? {};
      await eventually(() => {
        expect(lines[0]).toMatchObject({ trace_id: TRACE, span_id: spanId });
      });

      const headers = { Authorization: `Bearer ${t.admin.token}` };
      const audited = await send('/api/v1/audit-logs', { headers });
      const { events } = (await audited.json()) as AuditPage;
      expect(events.map(({ metadata }) => metadata['trace_id'])).toContain(TRACE);
    });
  });

  test('a span that is active already is the parent', async () => {
    await traced(async ({ t }) => {
      const tracing = await openTracing();
      const app = createServer(t.keep, { tracing: tracing! });
      const outer = trace.getTracer('test').startSpan('outer');
      await context.with(trace.setSpan(ROOT_CONTEXT, outer), async () => {
        await app.request('/health', { headers: { traceparent: TRACEPARENT } });
      });
      const [inner] = spans();
      expect(inner).toMatchObject({ name: 'getHealth', kind: SpanKind.INTERNAL });
      expect(inner?.parentSpanContext?.spanId).toBe(outer.spanContext().spanId);
    });
  });

  test('nothing is recorded, and no span made, while no provider is registered', async () => {
    await traced(async ({ send }) => {
      trace.disable();
      await send('/health');
      const tracing = await openTracing();
      const asked: string[] = [];
      const header = (name: string): null => {
        asked.push(name);
        return null;
      };
      const request = { operation: 'x', method: 'GET', route: '/x', requestId: 'r', header };
      expect(tracing?.start(request)).toBeUndefined();
      expect({ asked, spans: spans() }).toEqual({ asked: [], spans: [] });
    });
  });
});

describe('the optional package', () => {
  test('may be missing', async () => {
    const missing = Object.assign(new Error('not found'), { code: 'ERR_MODULE_NOT_FOUND' });
    expect(await tracingWith(() => Promise.reject(missing))).toBeUndefined();
  });

  test('must not be broken', async () => {
    const broken = new Error('broken');
    await expect(tracingWith(() => Promise.reject(broken))).rejects.toBe(broken);
  });
});
