/** The form by which an issuer logs somebody out (docs/contract/openid.md#oid-34). */
import { AgentkeepError } from '@agentkeep/core';
import type { BrowserAnswer, BrowserRequest } from './browser-request.js';

const FORM = /^application\/x-www-form-urlencoded$/i;

/** Answers as OpenID Connect Back-Channel Logout 1.0 has it. */
export async function receiveLogoutForm(request: BrowserRequest): Promise<BrowserAnswer> {
  const { id: issuer, query, calls } = request;
  const mediaType = request.header('content-type')?.split(';', 1)[0]?.trim() ?? '';
  const tokens = new URLSearchParams(await request.body()).getAll('logout_token');
  const [token = ''] = tokens;
  if (!FORM.test(mediaType) || tokens.length !== 1 || token === '') {
    return refused('The body must be a form (urlencoded) with one `logout_token`.');
  }
  const tenant = query.get('tenant') ?? '';
  const tenancy = tenant === '' ? {} : { tenant_id: tenant };
  const document = { issuer, logout_token: token, ...tenancy };
  try {
    await calls.invoke('receiveIssuerLogout', { document });
    return { status: 200, headers: {}, body: '{}' };
  } catch (error) {
    const isRefusal = error instanceof AgentkeepError && error.kind === 'invalid';
    if (!isRefusal) throw error;
    return refused(error.advice);
  }
}

function refused(error_description: string): BrowserAnswer {
  const body = JSON.stringify({ error: 'invalid_request', error_description });
  return { status: 400, headers: {}, body };
}
