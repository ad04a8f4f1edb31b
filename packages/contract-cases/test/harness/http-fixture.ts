/** Fixture of tests about HTTP itself. */
import { test } from 'vitest';
import { testStore } from '@agentkeep/testkit/test-store';
import type { AgentkeepApp, ServerOptions } from '@agentkeep/server';
import { type Fixture, type KeepSettings, tenant } from './fixture.js';
import { appOf, httpTransport, type Reply, send, type Sending } from './http-driver.js';
import type { Driver } from './transport.js';

const JSON_TYPE = { 'Content-Type': 'application/json' };

/** A tenant behind an app. */
export interface HttpFixture {
  readonly fixture: Fixture;
  /** Sends a request without a proof. */
  send(method: string, path: string, sending?: Sending): Promise<Reply>;
  /** Sends a GET with the administrator's proof. */
  get(path: string, headers?: Record<string, string>): Promise<Reply>;
  /** Posts a text as JSON with the administrator's proof, or with other headers. */
  post(path: string, body: string | Uint8Array, headers?: Record<string, string>): Promise<Reply>;
}

/** Declares a test that runs over HTTP only. */
export function overHttp(
  title: string,
  run: (http: HttpFixture) => Promise<void>,
  { settings, ...options }: ServerOptions & { settings?: KeepSettings } = {},
): void {
  test(title, async () => {
    const driver: Driver = {
      name: 'HTTP',
      open: (keep) => httpTransport((app = appOf(keep, options))),
    };
    await using fixture = await tenant(driver, testStore(), settings);
    await run(httpFixture(app!, fixture));
  });
  let app: AgentkeepApp | undefined;
}

function httpFixture(app: AgentkeepApp, fixture: Fixture): HttpFixture {
  const proof = { Authorization: `Bearer ${fixture.admin.token}` };
  return {
    fixture,
    send: (method, path, sending) => send(app, method, path, sending),
    get: (path, headers) => send(app, 'GET', path, { headers: { ...proof, ...headers } }),
    post: (path, body, headers) =>
      send(app, 'POST', path, { body, headers: { ...proof, ...JSON_TYPE, ...headers } }),
  };
}
