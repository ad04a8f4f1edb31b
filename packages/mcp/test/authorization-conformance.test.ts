/** The conformance suite's scenarios of authorization servers against the front door. */
import type { ChildProcess } from 'node:child_process';
import { connect } from '@agentkeep/client';
import { createServer, startServer } from '@agentkeep/server';
import { FormBrowser, left, shown } from '@agentkeep/testkit/form-browser';
import { freePort } from '@agentkeep/testkit/free-port';
import { expect, test } from 'vitest';
import { mcpMount } from '../src/index.js';
import { failures, runSuite } from './conformance-suite.js';
import { keepFixture } from './keep-fixture.js';

const ann = { username: 'ann', password: 'Correct-Horse-7' };

test('MCP-8, OAU-17, OAU-20 the front door passes what an authorization server has to', async () => {
  await using fixture = await keepFixture('embedded');
  const port = await freePort();
  const publicUrl = `http://127.0.0.1:${port}`;
  const app = createServer(fixture.keep, {
    mcp: mcpMount({ url: `${publicUrl}/mcp` }),
    frontDoor: { publicUrl, clientRegistration: true },
  });
  const server = await startServer(app, { host: '127.0.0.1', port, stopGraceMs: 100 });
  try {
    const admin = connect({ url: publicUrl, secret: await fixture.issue('ops') });
    const { id: credentialId } = await admin.whoAmI();
    await admin.loginAccounts.create({ ...ann, credentialId });
    const callbackPort = await freePort();
    const resource = `${publicUrl}/mcp`;
    const words = ['authorization', '--url', publicUrl, '--resource', resource];
    const outcomes = await runSuite(
      [
        ...[...words, '--port', String(callbackPort)],
        ...['--client-id', await registered(publicUrl, callbackPort)],
      ],
      (suite) => agree(suite, publicUrl),
    );
    const scenarios = ['authorization-server-metadata-endpoint', 'authorization-code-grant'];
    expect([...outcomes.keys()].toSorted()).toEqual(scenarios.toSorted());
    expect(scenarios.flatMap((each) => failures(outcomes, each))).toEqual([]);
    const statuses = [...outcomes.values()].flat().map(({ status }) => status);
    expect(new Set(statuses)).toEqual(new Set(['SUCCESS']));
  } finally {
    await server.stop();
  }
});

/** Registers the suite as a program, and returns its id. */
async function registered(publicUrl: string, callbackPort: number): Promise<string> {
  const response = await fetch(`${publicUrl}/oauth/register`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({
      client_name: 'Conformance',
      redirect_uris: [`http://127.0.0.1:${callbackPort}/callback`],
    }),
  });
  return ((await response.json()) as { readonly client_id: string }).client_id;
}

/** Opens the address that the suite prints, as ann, who agrees; brings the answer to the suite. */
async function agree({ stdout }: ChildProcess, publicUrl: string): Promise<void> {
  const browser = new FormBrowser(
    { request: (url, init) => fetch(url, { ...init, redirect: 'manual' }) },
    publicUrl,
  );
  const login = await browser.page(await printedAddress(stdout, publicUrl));
  const consent = shown(await browser.send(login, '/login', { ...ann, tenant: 'acme' }));
  const choice = { access: 'read', scope: '0', days: '7', answer: 'allow' };
  await fetch(left(await browser.send(consent, consent.target, choice)));
}

async function printedAddress(stdout: ChildProcess['stdout'], publicUrl: string): Promise<string> {
  let printed = '';
  for await (const chunk of stdout?.iterator({ destroyOnReturn: false }) ?? []) {
    printed += String(chunk);
    const address = printed.split(/\s/).find((word) => word.startsWith(`${publicUrl}/oauth/`));
    if (address !== undefined && printed.includes('Waiting')) return address;
  }
  throw new Error(`The suite printed no address: ${printed}`);
}
