/** The authorization endpoint answers in one way, whatever a request asks for. */
import { FormBrowser } from '@agentkeep/testkit/form-browser';
import { expect, test } from 'vitest';
import { ann, began, registered, servedDoor, url } from '../front-door/served-door.js';

/** Sends a request as ann, and returns the answer without following it. */
async function asking() {
  const here = await servedDoor();
  const { client_id } = await registered(here);
  const browser = new FormBrowser(here.app, url);
  await browser.send(await browser.page('/login'), '/login', { ...ann, tenant: 'acme' });
  const ask = async (more: Readonly<Record<string, string>>, appended = '') => {
    const { address } = await began(client_id, more);
    const headers = {
      cookie: [...browser.cookies].map(([n, { value }]) => `${n}=${value}`).join('; '),
    };
    return here.app.request(url + address + appended, { headers });
  };
  return { ask, [Symbol.asyncDispose]: () => here.keep.close() };
}

test.each(['form_post', 'fragment', 'web_message', 'jwt', 'query.jwt', 'Query', '__proto__'])(
  'OAU-27 the response mode %j is refused, in the query of the address',
  async (response_mode) => {
    await using here = await asking();
    for (const more of [
      {},
      { response_type: 'token' },
      { scope: 'x', resource: 'https://x.example' },
    ]) {
      const answer = await here.ask({ response_mode, ...more });
      expect(answer.status).toBe(303);
      const { origin, searchParams, hash } = new URL(answer.headers.get('location') ?? '');
      expect([origin, hash]).toEqual(['https://notes.example', '']);
      expect(searchParams.get('error')).toMatch(
        /^(unsupported_response_(mode|type)|invalid_target)$/,
      );
      expect(await answer.text()).toBe('');
    }
  },
);

test('OAU-27 it may be `query`, and is given once', async () => {
  await using here = await asking();
  for (const response_mode of ['query', '']) {
    const good = await here.ask({ response_mode });
    expect(good.headers.get('location')).toMatch(/^\/oauth\/consent\//);
  }
  const twice = await here.ask({ response_mode: 'query' }, '&response_mode=form_post');
  expect(twice.status).toBe(303);
  const { searchParams } = new URL(twice.headers.get('location') ?? '');
  expect(searchParams.get('error')).toBe('invalid_request');
});

test('OAU-22 no parameter leads to a failure, or to a page without its policy', async () => {
  await using here = await asking();
  const names = [
    ...['response_mode', 'response_type', 'redirect_uri', 'client_id', 'scope', 'state', 'prompt'],
    ...['max_age', 'claims', 'request', 'request_uri', 'id_token_hint', 'login_hint', 'acr_values'],
    ...['code_challenge', 'code_challenge_method', 'resource', 'nonce', 'display', 'dpop_jkt'],
    ...['ui_locales', 'registration', 'web_message_uri'],
  ];
  for (const name of names) {
    for (const value of [
      '',
      'none',
      'form_post',
      '{',
      '\u0000',
      'https://x.example/',
      '𝕏'.repeat(99),
    ]) {
      const answer = await here.ask({ response_mode: 'form_post', [name]: value });
      expect([name, value, answer.status < 500]).toEqual([name, value, true]);
      if (!(answer.headers.get('content-type') ?? '').startsWith('text/html')) continue;
      expect(answer.headers.get('content-security-policy')).toContain("default-src 'none'");
      expect(await answer.text()).not.toContain('<script');
    }
  }
});
