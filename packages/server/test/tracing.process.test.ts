/** `agentkeep serve` with a module ahead of it that registers OpenTelemetry. */
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { eventually } from '@agentkeep/testkit/eventually';
import { ServerProcess } from '@agentkeep/testkit/server-process';
import { afterEach, beforeEach, expect, test } from 'vitest';

const { resolve } = createRequire(import.meta.url);
const located = (name: string): string => JSON.stringify(pathToFileURL(resolve(name)).href);

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'agentkeep-tracing-'));
});
afterEach(async () => {
  await rm(folder, { recursive: true });
});

/** Writes a module that runs ahead of a command. Returns its options for Node.js. */
async function ahead(text: string): Promise<Record<string, string>> {
  const path = join(folder, 'telemetry.mjs');
  await writeFile(path, text);
  return { NODE_OPTIONS: `--import ${pathToFileURL(path).href}` };
}

/** Appends each finished span to a file, as a line of JSON. */
function tracingTo(spans: string): string {
  return `
    import { appendFileSync } from 'node:fs';
    import api from ${located('@opentelemetry/api')};
    import sdk from ${located('@opentelemetry/sdk-trace-base')};
    const exporter = {
      export: (spans, done) => {
        for (const span of spans) {
          const line = JSON.stringify({ name: span.name, ...span.spanContext() });
          appendFileSync(${JSON.stringify(spans)}, line + '\\n');
        }
        done({ code: 0 });
      },
      shutdown: () => Promise.resolve(),
    };
    const spanProcessors = [new sdk.SimpleSpanProcessor(exporter)];
    api.trace.setGlobalTracerProvider(new sdk.BasicTracerProvider({ spanProcessors }));
  `;
}

/** Writes the names of all metrics to a file, again and again; every other export throws. */
function measuringTo(names: string): string {
  return `
    import { writeFileSync } from 'node:fs';
    import api from ${located('@opentelemetry/api')};
    import sdk from ${located('@opentelemetry/sdk-metrics')};
    let exports = 0;
    const exporter = {
      export: ({ scopeMetrics }, done) => {
        exports += 1;
        if (exports % 2 === 0) throw new Error('no collector');
        const metrics = scopeMetrics.flatMap((each) => each.metrics);
        const texts = metrics.map(({ descriptor }) => descriptor.name);
        writeFileSync(${JSON.stringify(names)}, texts.join('\\n'));
        done({ code: 0 });
      },
      forceFlush: () => Promise.resolve(),
      shutdown: () => Promise.resolve(),
    };
    const times = { exportIntervalMillis: 20, exportTimeoutMillis: 20 };
    const readers = [new sdk.PeriodicExportingMetricReader({ exporter, ...times })];
    api.metrics.setGlobalMeterProvider(new sdk.MeterProvider({ readers }));
  `;
}

test('its requests are spans of the traces of their callers', async () => {
  const spans = join(folder, 'spans');
  const variables = await ahead(tracingTo(spans));
  const server = new ServerProcess(join(folder, 'data'), { variables });
  const traceId = '4bf92f3577b34da6a3ce929d0e0e4736';
  try {
    const url = await server.listens();
    const headers = { traceparent: `00-${traceId}-00f067aa0ba902b7-01` };
    await (await fetch(`${url}/health`, { headers })).text();
    expect(await server.logged(/"trace_id":"(\w+)"/)).toBe(traceId);
    expect(await server.stop()).toBe(0);
  } finally {
    await server.kill();
  }
  const [line = ''] = (await readFile(spans, 'utf8')).split('\n');
  expect(JSON.parse(line)).toMatchObject({ name: 'getHealth', traceId });
});

test('its requests and its keep are measured, without an option and whatever fails', async () => {
  const names = join(folder, 'names');
  const variables = await ahead(measuringTo(names));
  const server = new ServerProcess(join(folder, 'data'), { variables });
  try {
    const url = await server.listens();
    expect((await fetch(`${url}/metrics`)).status).toBe(404);
    await eventually(async () => {
      expect((await fetch(`${url}/health`)).status).toBe(200);
      const measured = (await readFile(names, 'utf8')).split('\n');
      expect(measured).toEqual(
        expect.arrayContaining([
          'http.server.request.duration',
          'http.server.active_requests',
          'agentkeep.ready',
          'agentkeep.queue.length',
          'agentkeep.store.size',
          'agentkeep.commits',
          'agentkeep.query_cache.parts',
        ]),
      );
    });
    expect(await server.stop()).toBe(0);
  } finally {
    await server.kill();
  }
});
