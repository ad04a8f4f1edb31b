/** Review in the chat: the view of MCP Apps in Chromium, in a host of this test. */
import { openKeep, type Capability, type ScopeInput } from '@agentkeep/core';
import { bootstrapTenant } from '@agentkeep/core/operator';
import { quickPasswords } from '@agentkeep/core/testing';
import { mcpHandler } from '@agentkeep/mcp';
import { findChromium } from '@agentkeep/testkit/find-chromium';
import { testStore } from '@agentkeep/testkit/test-store';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startBrowser, watchedPage } from './watched-page.js';

const scope: ScopeInput = { project_id: 'p', agent_id: 'a', visibility: 'shared' };

/** The policy that the extension asks of hosts for a view that names no domains. */
const POLICY =
  "default-src 'none'; script-src 'self' 'unsafe-inline'; style-src 'self' 'unsafe-inline'; " +
  "img-src 'self' data:; media-src 'self' data:; connect-src 'none'";

/** A host: it passes calls of tools on, and answers what else the view asks. */
const HOST = `<!doctype html><iframe sandbox="allow-scripts" width="600" height="600"></iframe>
<script>
  const view = document.querySelector('iframe');
  const answers = {
    'ui/initialize': () => ({
      protocolVersion: '2026-01-26', hostInfo: { name: 'host', version: '1' },
      hostCapabilities: { serverTools: {} }, hostContext: { theme: 'dark' },
    }),
    'tools/call': (params) => callTool(params),
  };
  globalThis.heard = [];
  addEventListener('message', async ({ source, data: { id, method, params } }) => {
    if (source !== view.contentWindow) return;
    heard.push(method);
    if (id === undefined) return;
    const result = await answers[method](params);
    view.contentWindow.postMessage({ jsonrpc: '2.0', id, result }, '*');
  });
</script>`;

/** A keep with a proposer and a reviewer. */
async function reviewed() {
  const keep = await openKeep({ store: testStore(), passwords: quickPasswords });
  const { secret } = await bootstrapTenant(keep, { tenantId: 'acme', subjectId: 'ops' });
  const admin = await keep.authenticate(secret);
  const issue = async (subject: string, capabilities: readonly Capability[]) => {
    const grants = [{ ...scope, mission_id: null }];
    const spec = { subject_id: subject, capabilities: [...capabilities], grants };
    const { secret: own } = await admin.credentials.issue(spec);
    return { secret: own, agent: await keep.authenticate(own) };
  };
  const paul = await issue('paul', ['memory_read', 'memory_propose']);
  const rita = await issue('rita', ['memory_read', 'memory_review', 'memory_write']);
  return { keep, paul: paul.agent, rita };
}

/** Opens the view in a host, as the agent of a secret. */
async function opened(browser: Browser, keep: Awaited<ReturnType<typeof openKeep>>, of: string) {
  const { fetch } = mcpHandler({ authenticate: (secret) => keep.authenticate(secret) });
  const client = new Client({ name: 'host', version: '1' });
  await client.connect(
    new StreamableHTTPClientTransport(new URL('http://localhost/mcp'), {
      fetch: (url, init) => fetch(new Request(url, init)),
      requestInit: { headers: { Authorization: `Bearer ${of}` } },
    }),
  );
  const { tools } = await client.listTools();
  const { ui } = tools.find(({ name }) => name === 'memory_review')?._meta ?? {};
  const { resourceUri: uri } = ui as { resourceUri: string };
  const [content] = (await client.readResource({ uri })).contents;
  if (content === undefined || !('text' in content)) throw new Error('There is no view.');
  const watched = await watchedPage(browser);
  const { page } = watched;
  await page.exposeFunction('callTool', (params: { name: string }) => client.callTool(params));
  await page.setContent(HOST);
  const policy = `<meta http-equiv="Content-Security-Policy" content="${POLICY}">`;
  const html = content.text.replace('<head>', `<head>${policy}`);
  await page.evaluate(`view.srcdoc = ${JSON.stringify(html)}`);
  return { ...watched, view: page.frameLocator('iframe'), frame: () => page.frames()[1]! };
}

describe.skipIf(findChromium() === undefined)('MCP-24 the review view in Chromium', () => {
  let browser: Browser;
  beforeAll(async () => {
    browser = await startBrowser();
  });
  afterAll(() => browser.close());

  test('MCP-24, REV-16 shows all that a proposal changes, as text, and accepts it', async () => {
    const { keep, paul, rita } = await reviewed();
    const markup = '<img src="x" onerror="parent.postMessage(1)">Ann prefers tea.';
    const change = { type: 'put', name: 'ann', record: { content: { primary: markup } } } as const;
    await paul.proposals.propose(scope, change, { purpose: 'Ann said so.' });
    const shown = await opened(browser, keep, rita.secret);
    const { view } = shown;
    await view.getByText('Ann said so.').waitFor();
    await view.getByText(markup, { exact: true }).waitFor();
    expect(await view.locator('tbody th').allTextContents()).toEqual([
      ...['text', 'name', 'episode_type', 'event_time_millis'],
    ]);
    expect(await view.locator('img').count()).toBe(0);
    expect(await view.locator(':root').getAttribute('style')).toContain('dark');
    await view.getByRole('button', { name: 'Accept' }).click();
    await view.getByText('Accepted.').waitFor();
    expect(await rita.agent.memory.in(scope).read({ name: 'ann' })).toMatchObject({
      merged_by: { subject_id: 'rita' },
    });
    expect(shown.requested.filter((url) => url !== 'about:srcdoc')).toEqual([]);
    expect(await shown.frame().evaluate('violations')).toEqual([]);
    expect(await shown.page.evaluate('heard')).toContain('ui/notifications/initialized');
    await keep.close();
  });

  test('MCP-24 forgets with a reason, and stores another text once', async () => {
    const { keep, paul, rita } = await reviewed();
    const memory = rita.agent.memory.in(scope);
    await memory.remember('Refunds take a week.', { name: 'refunds' });
    for (const [name, primary] of [
      ['refunds', 'Refunds take a day.'],
      ['spam', 'Buy now.'],
    ] as const) {
      const change = { type: 'put', name, record: { content: { primary } } } as const;
      await paul.proposals.propose(scope, change);
    }
    const shown = await opened(browser, keep, rita.secret);
    const { view } = shown;
    await view.getByText('Refunds take a week.').waitFor();
    await view.getByLabel('Corrected text').fill('Refunds take two days.');
    await view.getByRole('button', { name: 'Store this text instead' }).click();
    await view.getByText('Stored with your text.').waitFor();
    await view.locator('summary').click();
    await view.getByRole('button', { name: 'Forget' }).click();
    await view.getByText('Say why it is forgotten.').waitFor();
    await view.getByLabel('Why it is forgotten').fill('An advertisement.');
    await view.getByRole('button', { name: 'Forget' }).click();
    await view.getByText('Forgotten.', { exact: true }).waitFor();
    const record = await memory.read({ name: 'refunds' });
    expect(record?.payload.content.primary).toBe('Refunds take two days.');
    expect([record?.revision, record?.author.subject_id]).toEqual([2, 'rita']);
    const { items } = await rita.agent.proposals.listPage({ state: 'rejected' });
    expect(items.map(({ reason }) => reason)).toEqual([
      ...['Another text was stored.', 'An advertisement.'],
    ]);
    await keep.close();
  });

  test('MCP-24 what changed since it was shown is refused, and says so', async () => {
    const { keep, paul, rita } = await reviewed();
    const memory = rita.agent.memory.in(scope);
    await memory.remember('Refunds take a week.', { name: 'refunds' });
    const change = { type: 'put', name: 'refunds', record: { content: { primary: 'Never.' } } };
    await paul.proposals.propose(scope, { ...change, type: 'put' });
    const shown = await opened(browser, keep, rita.secret);
    const { view } = shown;
    await view.getByText('Never.').first().waitFor();
    await memory.remember('Refunds take a month.', { name: 'refunds' });
    await view.getByRole('button', { name: 'Store this text instead' }).click();
    await view.getByText('revision_conflict').waitFor();
    await view.getByRole('button', { name: 'Accept' }).click();
    await view.getByText('Nothing was accepted: conflicts.').waitFor();
    const record = await memory.read({ name: 'refunds' });
    expect(record?.payload.content.primary).toBe('Refunds take a month.');
    await keep.close();
  });

  test('MCP-24, REV-7 own proposals get no buttons', async () => {
    const { keep, rita } = await reviewed();
    const record = { content: { primary: 'Mine.' } };
    await rita.agent.proposals.propose(scope, { type: 'put', name: 'mine', record });
    const { view } = await opened(browser, keep, rita.secret);
    await view.getByText('Another person decides about what you proposed.').waitFor();
    expect(await view.getByRole('button').count()).toBe(0);
    await keep.close();
  });
});
