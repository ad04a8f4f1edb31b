/**
 * The client of the MCP SDK connects by OAuth: it registers, a person logs in and agrees in a real
 * browser, it calls a tool, renews its token, and is ended (docs/contract/oauth.md).
 */
import { createServer as createListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { once } from 'node:events';
import { inMemoryStore, type Keep, openKeep } from '@agentkeep/core';
import { bootstrapTenant } from '@agentkeep/core/operator';
import { quickPasswords } from '@agentkeep/core/testing';
import { mcpMount } from '@agentkeep/mcp';
import { freePort } from '@agentkeep/testkit/free-port';
import { findChromium } from '@agentkeep/testkit/find-chromium';
import {
  type OAuthClientProvider,
  UnauthorizedError,
} from '@modelcontextprotocol/sdk/client/auth.js';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import type {
  OAuthClientInformationMixed,
  OAuthTokens,
} from '@modelcontextprotocol/sdk/shared/auth.js';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { connect } from '@agentkeep/client';
import { createServer, type RunningServer, startServer } from '../../src/index.js';
import { startBrowser, watchedPage } from './watched-page.js';

const ann = { username: 'ann', password: 'Correct-Horse-7' };

/** A program that keeps what OAuth gives it in memory. */
class Program implements OAuthClientProvider {
  readonly redirectUrl: string;
  asked: URL | undefined;
  held: OAuthTokens | undefined;
  #client: OAuthClientInformationMixed | undefined;
  #verifier = '';

  constructor(redirectUrl: string) {
    this.redirectUrl = redirectUrl;
  }

  get clientMetadata() {
    return { client_name: 'Notes', redirect_uris: [this.redirectUrl] };
  }

  clientInformation() {
    return this.#client;
  }

  saveClientInformation(client: OAuthClientInformationMixed): void {
    this.#client = client;
  }

  tokens() {
    return this.held;
  }

  saveTokens(tokens: OAuthTokens): void {
    this.held = tokens;
  }

  redirectToAuthorization(url: URL): void {
    this.asked = url;
  }

  saveCodeVerifier(verifier: string): void {
    this.#verifier = verifier;
  }

  codeVerifier() {
    return this.#verifier;
  }
}

describe.skipIf(findChromium() === undefined)('a program that speaks MCP', () => {
  let keep: Keep;
  let server: RunningServer;
  let listener: Server;
  let browser: Browser;
  let publicUrl: string;
  let callback: string;
  const answers: URL[] = [];

  beforeAll(async () => {
    const port = await freePort();
    publicUrl = `http://127.0.0.1:${port}`;
    keep = await openKeep({ store: inMemoryStore(), passwords: quickPasswords });
    const app = createServer(keep, {
      mcp: mcpMount({ url: `${publicUrl}/mcp` }),
      frontDoor: { publicUrl, clientRegistration: true },
    });
    server = await startServer(app, { host: '127.0.0.1', port, stopGraceMs: 100 });
    listener = createListener((received, sent) => {
      answers.push(new URL(received.url ?? '', callback));
      sent.end('You can close this page.');
    }).listen(0, '127.0.0.1');
    await once(listener, 'listening');
    callback = `http://127.0.0.1:${(listener.address() as AddressInfo).port}/callback`;
    browser = await startBrowser();
    const { secret } = await bootstrapTenant(keep, { tenantId: 'acme', subjectId: 'ops' });
    const admin = connect({ url: publicUrl, secret });
    const scope = {
      project_id: 'p',
      mission_id: null,
      agent_id: 'a',
      visibility: 'private',
    } as const;
    const { credential } = await admin.credentials.issue({
      ...{ subject_id: 'ann', grants: [scope] },
      capabilities: ['memory_read', 'memory_write'],
    });
    await admin.loginAccounts.create({ ...ann, credentialId: credential.id });
  });

  afterAll(async () => {
    await browser.close();
    listener.close();
    await server.stop();
    await keep.close();
  });

  test('MCP-8, OAU-13, OAU-16, OAU-17 connects in a browser, calls, renews and is ended', async () => {
    const program = new Program(callback);
    const url = new URL(`${publicUrl}/mcp?project_id=p&agent_id=a`);
    const first = new StreamableHTTPClientTransport(url, { authProvider: program });
    const refused = new Client({ name: 'notes', version: '1' }).connect(first);
    await expect(refused).rejects.toThrow(UnauthorizedError);

    const watched = await watchedPage(browser);
    const { page } = watched;
    await page.goto(program.asked?.href ?? '');
    await page.fill('[name=tenant]', 'acme');
    await page.fill('[name=username]', ann.username);
    await page.fill('[name=password]', ann.password);
    await page.click('button[type=submit]');
    await page.check('[name=access][value=write]');
    expect(await page.textContent('h1')).toBe('Connect Notes?');
    await page.click('button[value=allow]');
    await page.waitForURL(`${callback}*`);
    // The browser asks for an icon too.
    const answer = answers.find(({ pathname }) => pathname === '/callback');
    const code = answer?.searchParams.get('code') ?? '';
    await first.finishAuth(code);

    const client = new Client({ name: 'notes', version: '1' });
    const again = new StreamableHTTPClientTransport(url, { authProvider: program });
    await client.connect(again);
    const remembered = await client.callTool({
      name: 'memory_remember',
      arguments: { text: 'Ann prefers short answers.' },
    });
    expect(remembered.isError).not.toBe(true);
    // A token that has ended is renewed by the client itself.
    const { refresh_token: before } = program.held ?? {};
    program.held = { ...(program.held as OAuthTokens), access_token: 'ended' };
    const recalled = await client.callTool({
      name: 'memory_recall',
      arguments: { question: 'How should I answer?' },
    });
    expect(JSON.stringify(recalled)).toContain('short answers');
    expect(program.held.refresh_token).not.toBe(before);

    await page.goto(`${publicUrl}/account`);
    await page.click('button.danger');
    await page.locator('main').getByText('No programs are connected.').waitFor();
    await expect(client.callTool({ name: 'whoami', arguments: {} })).rejects.toThrow();
    expect(program.asked?.pathname).toBe('/oauth/authorize');
    await client.close();
    expect(await watched.violations()).toEqual([]);
    expect(watched.requested.filter((each) => !each.startsWith(publicUrl))).toEqual([
      expect.stringContaining(`${callback}?`),
    ]);
  });
});
