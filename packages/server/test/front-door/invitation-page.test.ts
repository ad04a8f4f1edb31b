/** The page of an invitation, as a browser without scripts sees it. */
import { describe, expect, test } from 'vitest';
import { FormBrowser, shown } from '@agentkeep/testkit/form-browser';
import { createServer, type ServerOptions } from '../../src/index.js';
import { servedDoor, url } from './served-door.js';

const PASSWORD = 'Correct-Horse-7';
const filled = { password: PASSWORD, again: PASSWORD };

async function invited(server: ServerOptions = {}) {
  const here = await servedDoor();
  const app = createServer(here.keep, server);
  const browser = new FormBrowser(app, url);
  const scope = { project_id: 'support', agent_id: 'desk', visibility: 'shared' as const };
  const invitation = { username: 'bob', role: 'reviewer' as const, scopes: [scope] };
  const invite = () => here.admin.users.invite(invitation);
  return { ...here, app, browser, invite, ...(await invite()) };
}

const logsIn = async ({ app }: { readonly app: ReturnType<typeof createServer> }) => {
  const body = JSON.stringify({ username: 'bob', password: PASSWORD, tenant_id: 'acme' });
  const headers = { 'content-type': 'application/json' };
  const answer = await app.request('/api/v1/auth/login', { method: 'POST', headers, body });
  return answer.status;
};

describe('the page of an invitation', () => {
  test('INV-19, INV-20 sets a password once, where there is neither door nor console', async () => {
    await using here = await invited();
    const { browser, path } = here;
    for (const seen of [await browser.page(path), await browser.page(path)]) {
      expect(seen.status).toBe(200);
      expect(seen.text).toContain('autocomplete="new-password"');
      expect(seen.headers.get('content-security-policy')).toContain("form-action 'self'");
      expect(seen.headers.get('cache-control')).toContain('no-store');
    }
    expect((await browser.page('/login/style.css')).status).toBe(200);
    const page = await browser.page(path);
    const differing = shown(
      await browser.send(page, '/invitation', { password: PASSWORD, again: 'x' }),
    );
    expect([differing.status, differing.text]).toEqual([400, expect.stringContaining('different')]);
    const weak = shown(
      await browser.send(differing, '/invitation', { password: 'weak', again: 'weak' }),
    );
    expect([weak.status, weak.text]).toEqual([400, expect.stringContaining('a digit 0-9')]);
    const done = shown(await browser.send(weak, '/invitation', filled));
    expect(done.status).toBe(200);
    expect(done.text).toContain('Your password is set');
    expect(done.text).toContain('<bdi>bob</bdi>');
    expect(done.text).toContain('<bdi>acme</bdi>');
    expect(await logsIn(here)).toBe(200);
    const again = shown(await browser.send(page, '/invitation', filled));
    expect([again.status, again.text]).toEqual([410, expect.stringContaining('has ended')]);
  });

  test('INV-20 signs in to the console, where it is served', async () => {
    await using here = await invited({ console: {} });
    const { browser, path } = here;
    const arrival = await browser.send(await browser.page(path), '/invitation', filled);
    expect(shown(arrival).target).toBe('/console');
    const kept = browser.cookies.get('__Secure-agentkeep_console');
    expect(kept?.path).toBe('/console/session');
    expect(kept?.value).toMatch(/^akr1_/);
  });

  test('INV-20 refuses forms of other sites, and says no more of a guess', async () => {
    await using here = await invited();
    const { browser, path, code } = here;
    const page = await browser.page(path);
    const foreign = [
      { origin: 'https://evil.example' },
      { origin: 'null' },
      { 'sec-fetch-site': 'cross-site' },
    ];
    for (const headers of foreign) {
      const refused = shown(await browser.send(page, '/invitation', filled, headers));
      expect(refused.status).toBe(403);
    }
    const guess = `${code.slice(0, -2)}AA`;
    const unknown = await browser.page(`/invitation?code=${guess}`);
    expect(unknown.text.replace(guess, code)).toBe(page.text);
    for (const wrong of [guess, '', '<script>', 'x'.repeat(500)]) {
      const body = new URLSearchParams({ code: wrong, ...filled }).toString();
      const refused = shown(await browser.post('/invitation', body));
      expect(refused.status).toBe(410);
      expect(refused.text).not.toContain('<script>');
    }
    expect(await logsIn(here)).toBe(401);
    const first = await browser.page(`/invitation?code=${encodeURIComponent('"><script>')}`);
    expect(first.text).not.toContain('"><script>');
  });

  test('INV-19 the code is in no line of the log', async () => {
    const lines: unknown[] = [];
    const write = (...line: unknown[]): void => void lines.push(line);
    const log = { debug: write, info: write, warn: write, error: write };
    await using here = await invited({ log });
    const { browser, path, code } = here;
    await browser.send(await browser.page(path), '/invitation', filled);
    const text = JSON.stringify(lines);
    expect(text).toContain('/invitation');
    expect(text).not.toContain(code.slice(-20));
  });

  test('INV-11 of two browsers at once, one gets in', async () => {
    await using here = await invited();
    const page = await here.browser.page(here.path);
    const sent = ['Aa1!aaaaaaaa', 'Bb2!bbbbbbbb'].map((password) =>
      here.browser.send(page, '/invitation', { password, again: password }),
    );
    const statuses = (await Promise.all(sent)).map((each) => shown(each).status);
    expect(statuses.toSorted()).toEqual([200, 410]);
  });
});
