/** `agentkeep serve` with a module ahead of it that registers OpenTelemetry. */
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
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

/** Writes a module that appends each finished span to a file, as a line of JSON. */
async function telemetry(spans: string): Promise<string> {
  const path = join(folder, 'telemetry.mjs');
  const text = `
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
  await writeFile(path, text);
  return pathToFileURL(path).href;
}

test('its requests are spans of the traces of their callers', async () => {
  const spans = join(folder, 'spans');
  const variables = { NODE_OPTIONS: `--import ${await telemetry(spans)}` };
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
