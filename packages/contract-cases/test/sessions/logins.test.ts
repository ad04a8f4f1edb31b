/** Logins with a password: their tokens, and that all failures look the same. */
import { expect } from 'vitest';
import { result } from '../harness/answer.js';
import { withSessions } from './session-fixture.js';

const part = (token: string, index: number): unknown =>
  JSON.parse(Buffer.from(token.split('.')[index] ?? '', 'base64url').toString());

withSessions(
  'CON-28, CON-140, SES-61, SES-68 a login returns the tokens of a session',
  async (s) => {
    const login = await s.logIn();
    expect(login).toEqual({
      access_token: expect.stringMatching(/^[\w-]+\.[\w-]+\.[\w-]+$/),
      token_type: 'Bearer',
      expires_in: 3_600,
      refresh_token: expect.stringMatching(/^akr1_[0-9a-f]{32}_[0-9a-f]{32}_[\w-]{43}$/),
      refresh_expires_in: 86_400,
      user_id: s.ids.ann,
      username: 'ann',
    });
    const seconds = s.t.clock.now() / 1_000;
    expect(part(login.access_token, 1)).toEqual({
      iss: 'agentkeep',
      aud: 'agentkeep',
      sub: s.ids.ann,
      username: 'ann',
      roles: ['Admin'],
      tenant_id: 'acme',
      sid: expect.stringMatching(/^[0-9a-f-]{36}$/),
      jti: expect.stringMatching(/^[0-9a-f]{8}-[0-9a-f]{4}-4/),
      iat: seconds,
      exp: seconds + 3_600,
      cid: s.t.admin.id,
      crev: 1,
    });
    const ann = s.t.admin.with(login.access_token);
    expect(result(await ann.whoAmI()).credential.id).toBe(s.t.admin.id);
  },
);
