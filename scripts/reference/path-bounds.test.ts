/** What the page of paths states of each path holds over HTTP. */
import { expect, test } from 'vitest';
import { mcpMount } from '../../packages/mcp/src/index.ts';
import { inMemoryStore, openKeep } from '../../packages/core/src/index.ts';
import { defaultRateLimitPolicies } from '../../packages/core/src/operator.ts';
import { createServer, openMetrics } from '../../packages/server/src/index.ts';
import { pathBounds } from './path-bounds.ts';
import { pathsPage } from './paths-page.ts';

const url = 'https://keep.example';
const rows = pathBounds();

/** A limit for each type that no other has, so that a header names the type. */
const rateLimitPolicies = defaultRateLimitPolicies.map((policy, at) => ({
  ...policy,
  maxRequests: 1_001 + at,
  // So that nothing is refilled meanwhile.
  windowSecs: 86_400,
}));

/** The type that a header of a limit names. */
const typeOf = (limit: string | null): unknown =>
  rateLimitPolicies.find(({ maxRequests }) => String(maxRequests) === limit)?.endpointType;

async function served() {
  const keep = await openKeep({ store: inMemoryStore() });
  const app = createServer(keep, {
    ...{ rateLimitPolicies, mcp: mcpMount({ url: `${url}/mcp` }), console: {} },
    ...{ metrics: await openMetrics(keep), metricsToken: 'a-token-of-metrics' },
    frontDoor: { publicUrl: url, clientRegistration: true },
  });
  const send = (path: string, init: RequestInit) =>
    app.request(url + path.replace(/\{\w+\}/, 'x'), init);
  return { send, [Symbol.asyncDispose]: () => keep.close() };
}

test('every request is counted and needs a proof as the page says', async () => {
  await using here = await served();
  for (const { method, path, endpointType, isProved } of rows) {
    const left: number[] = [];
    for (let sent = 0; sent < 2; sent += 1) {
      const { status, headers } = await here.send(path, { method });
      left.push(Number(headers.get('x-ratelimit-remaining')));
      const type = typeOf(headers.get('x-ratelimit-limit'));
      if (endpointType !== undefined) expect([path, type]).toEqual([path, endpointType]);
      if (isProved) expect([method, path, status]).toEqual([method, path, 401]);
    }
    const [first = 0, second = 0] = left;
    expect([method, path, first - second]).toEqual([
      method,
      path,
      endpointType === undefined ? 0 : 1,
    ]);
  }
});

const open = rows.filter(({ isProved, bodyBytesMax }) => !isProved && bodyBytesMax !== undefined);

test.each(open)('$method $path reads no more than its bytes', async (row) => {
  await using here = await served();
  const { method, path, bodyBytesMax = 0 } = row;
  const isForm = !/^\/(?:api|console)\/|register$/.test(path);
  const type = isForm ? 'application/x-www-form-urlencoded' : 'application/json';
  const answer = async (bytes: number) => {
    const headers = { 'content-type': type, origin: url, 'x-agentkeep-console': '1' };
    const response = await here.send(path, { method, headers, body: 'a'.repeat(bytes) });
    // What leads to the login first reads nothing.
    const isLed = response.headers.get('location')?.startsWith('/login') === true;
    return isLed ? 413 : response.status;
  };
  if (!path.startsWith('/oauth/consent')) expect(await answer(bodyBytesMax)).not.toBe(413);
  expect(await answer(bodyBytesMax + 1)).toBe(413);
});

test('the page has a row for each', () => {
  const { text } = pathsPage();
  for (const { method, path } of rows) expect(text).toContain(`| \`${method} ${path}\` |`);
});
