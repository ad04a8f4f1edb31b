/** How access tokens are renewed and what ends them (docs/contract/sessions.md). */
import { expect } from 'vitest';
import { type Answer, outcome, refused, result } from '../harness/answer.js';
import { unknownId } from '../harness/documents.js';
import { allEntries } from '../harness/stored-entries.js';
import { type Login, PASSWORD, type Sessions, withSessions } from './session-fixture.js';

const HOUR_MS = 3_600_000;

/** Whether an access token is still accepted, on either surface. */
async function isAccepted({ t }: Sessions, token: string): Promise<boolean> {
  const answers = [
    await t.transport('whoAmI', token, {}),
    await t.transport('queryAuditLogs', token, {}),
  ];
  const outcomes = new Set(answers.map(outcome));
  expect([...outcomes]).toEqual([outcomes.has('200') ? '200' : refused.unauthorized]);
  return outcomes.has('200');
}

function refresh({ t }: Sessions, token?: string, refresh_token?: string) {
  const parts = refresh_token === undefined ? {} : { document: { refresh_token } };
  return t.transport('authRefresh', token, parts);
}

const revoke = ({ t }: Sessions, token: unknown): Promise<Answer<'revokeToken'>> =>
  t.transport('revokeToken', undefined, { document: { token } });

function revokeAll(
  { t }: Sessions,
  token: string | undefined,
  document: unknown,
): Promise<Answer<'revokeAllTokens'>> {
  return t.transport('revokeAllTokens', token, { document });
}

const claimsOf = (token: string): Record<string, unknown> =>
  JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString()) as Record<
    string,
    unknown
  >;

// SES-86
withSessions(
  'SES-C15, SES-C16 a revoked token is refused everywhere, and revoking it again succeeds',
  async (s) => {
    const login = await s.logIn();
    const { jti } = claimsOf(login.access_token);
    expect(await isAccepted(s, login.access_token)).toBe(true);
    const answer = { success: true, message: expect.any(String), jti };
    expect(result(await revoke(s, login.access_token))).toEqual(answer);
    expect(await isAccepted(s, login.access_token)).toBe(false);
    expect(result(await revoke(s, login.access_token))).toEqual(answer);
    // The refresh token continues the session.
    const renewed = result(await refresh(s, undefined, login.refresh_token));
    expect(await isAccepted(s, renewed.access_token)).toBe(true);
    expect(await isAccepted(s, login.access_token)).toBe(false);
  },
);

withSessions('CON-82, SES-84 only valid tokens of this service can be revoked', async (s) => {
  const { access_token: token, refresh_token: refreshToken } = await s.logIn();
  const wrong = [`${token.slice(0, -3)}AAA`, refreshToken, s.t.admin.token, '', 'a.b.c'];
  for (const each of wrong) expect(outcome(await revoke(s, each))).toBe('400 invalid_token');
  for (const each of [null, 7, undefined]) {
    expect(outcome(await revoke(s, each))).toBe(refused.invalid);
  }
  s.t.clock.advance(HOUR_MS);
  expect(outcome(await revoke(s, token))).toBe('400 invalid_token');
});

withSessions(
  'SES-C17 revoke-all ends earlier tokens but none issued in the same second',
  async (s) => {
    const [root, one, two] = [await s.logIn('root'), await s.logIn(), await s.logIn()];
    const ended = await revokeAll(s, root.access_token, { user_id: s.ids.root });
    expect(result(ended)).toEqual({
      success: true,
      message: expect.any(String),
      user_id: s.ids.root,
    });
    expect(outcome(await revokeAll(s, root.access_token, { user_id: s.ids.root }))).toBe(
      refused.unauthorized,
    );
    const again = await s.logIn('root');
    expect(await hasRole(s, again)).toBe(true);
    // Other sessions are not affected.
    for (const { access_token: token } of [one, two]) expect(await isAccepted(s, token)).toBe(true);
  },
);

/** Whether a token of `root`, who has no bound credential, is accepted. */
async function hasRole({ t }: Sessions, { access_token: token }: Login): Promise<boolean> {
  return outcome(await t.transport('queryAuditLogs', token, {})) === '200';
}

withSessions('SES-C17 revoke-all ends access tokens and refresh tokens', async (s) => {
  const [one, two] = [await s.logIn(), await s.logIn()];
  const { access_token: sue } = await s.logIn('sue');
  result(await revokeAll(s, sue, { user_id: s.ids.ann.toUpperCase(), reason: 'audit' }));
  for (const { access_token: token, refresh_token: refreshToken } of [one, two]) {
    expect(await isAccepted(s, token)).toBe(false);
    expect(outcome(await refresh(s, undefined, refreshToken))).toBe(refused.unauthorized);
  }
  const later = await s.logIn();
  expect(await isAccepted(s, later.access_token)).toBe(true);
});

withSessions(
  'SES-C18 revoke-all refuses bad ids, unknown accounts and callers without the right',
  async (s) => {
    const [{ access_token: sue }, { access_token: ann }] = [await s.logIn('sue'), await s.logIn()];
    const agent = await s.t.agent();
    const known = { user_id: s.ids.ann };
    const attempts: [string | undefined, unknown, string][] = [
      [sue, { user_id: 'ann' }, refused.invalid],
      [sue, { ...known, reason: ' ' }, refused.invalid],
      [sue, { ...known, other: 1 }, refused.invalid],
      [sue, { user_id: unknownId }, '404 not_found'],
      [sue, { user_id: s.ids.root }, '404 not_found'],
      [s.t.admin.token, { user_id: unknownId }, '404 not_found'],
      // Both callers are Admins, and so is the account.
      [s.t.admin.token, known, refused.forbidden],
      [ann, { user_id: s.ids.sue }, refused.forbidden],
      [agent.token, known, refused.forbidden],
      [agent.token, { user_id: 'ann' }, refused.forbidden],
      [undefined, known, refused.unauthorized],
    ];
    for (const [token, document, expected] of attempts) {
      expect(outcome(await revokeAll(s, token, document))).toBe(expected);
    }
    expect(await isAccepted(s, ann)).toBe(true);
  },
);

withSessions('SES-C19 a refresh accepts either token, and the body decides', async (s) => {
  const { access_token: token, refresh_token: refreshToken } = await s.logIn();
  s.t.clock.advance(1_000_000);
  const ids = new Set([claimsOf(token)['jti']]);
  const renewals = [
    await refresh(s, token),
    await refresh(s, undefined, refreshToken),
    await refresh(s, token, refreshToken),
    await refresh(s, `${token}x`, refreshToken),
  ].map(result);
  s.t.clock.advance(HOUR_MS - 1_000_000);
  renewals.push(result(await refresh(s, token, refreshToken)));
  for (const { access_token: renewed, token_type, expires_in } of renewals) {
    expect([token_type, expires_in]).toEqual(['Bearer', 3_600]);
    const claims = claimsOf(renewed);
    expect(claims).toMatchObject({ sid: claimsOf(token)['sid'], sub: s.ids.ann, crev: 1 });
    ids.add(claims['jti']);
    expect(await isAccepted(s, renewed)).toBe(true);
  }
  expect(ids.size).toBe(1 + renewals.length);
  expect(renewals[0]?.refresh_expires_in).toBe(86_400 - 1_000);
  // The first one has expired and is no longer a proof.
  expect(outcome(await refresh(s, token))).toBe(refused.unauthorized);
});

withSessions('SES-C19, SES-81 a refresh without a valid proof is 401 in every case', async (s) => {
  const { access_token: token, refresh_token: refreshToken } = await s.logIn();
  const attempts: [string | undefined, string | undefined][] = [
    [undefined, undefined],
    [s.t.admin.token, undefined],
    [refreshToken, undefined],
    [undefined, ''],
    [undefined, token],
    [token, 'nonsense'],
    [token, `${refreshToken.slice(0, -2)}AA`],
    [token, refreshToken.replace('akr1', 'akst1')],
    [token, refreshToken.toUpperCase()],
  ];
  for (const [bearer, body] of attempts) {
    expect(outcome(await refresh(s, bearer, body))).toBe(refused.unauthorized);
  }
});

withSessions('SES-C20, SES-71 a refresh token works until the end of its chain', async (s) => {
  const { refresh_token: refreshToken } = await s.logIn();
  result(await refresh(s, undefined, refreshToken));
  result(await refresh(s, undefined, refreshToken));
  s.t.clock.advance(24 * HOUR_MS - 1_800_000);
  const last = result(await refresh(s, undefined, refreshToken));
  expect([last.expires_in, last.refresh_expires_in]).toEqual([1_800, 1_800]);
  s.t.clock.advance(1_799_999);
  expect(await isAccepted(s, last.access_token)).toBe(true);
  result(await refresh(s, undefined, refreshToken));
  s.t.clock.advance(1);
  expect(outcome(await refresh(s, undefined, refreshToken))).toBe(refused.unauthorized);
  expect(await isAccepted(s, last.access_token)).toBe(false);
});

withSessions('CON-33 a refresh token is stored as a digest only', async (s) => {
  const { refresh_token } = await s.logIn();
  const secret = refresh_token.slice(-43);
  for (const { value } of await allEntries(s.t.store)) {
    const bytes = Buffer.from(value);
    expect(bytes.includes(secret)).toBe(false);
    expect(bytes.includes(Buffer.from(secret, 'base64url'))).toBe(false);
  }
});

withSessions('SES-C21, SES-83 a logout ends its session only', async (s) => {
  const [one, two] = [await s.logIn(), await s.logIn()];
  const renewed = result(await refresh(s, one.access_token));
  const logout = (token: string | undefined) => s.t.transport('authLogout', token, {});
  expect(result(await logout(renewed.access_token))).toMatchObject({ success: true });
  for (const token of [one.access_token, renewed.access_token]) {
    expect(await isAccepted(s, token)).toBe(false);
    expect(outcome(await logout(token))).toBe(refused.unauthorized);
  }
  expect(outcome(await refresh(s, undefined, one.refresh_token))).toBe(refused.unauthorized);
  expect(await isAccepted(s, two.access_token)).toBe(true);
  for (const token of [undefined, s.t.admin.token, one.refresh_token]) {
    expect(outcome(await logout(token))).toBe(refused.unauthorized);
  }
});

withSessions('SES-C25, SES-71 a token is accepted until its last second', async (s) => {
  const { access_token: token } = await s.logIn();
  s.t.clock.advance(HOUR_MS - 1_000);
  expect(await isAccepted(s, token)).toBe(true);
  s.t.clock.advance(1_000);
  expect(await isAccepted(s, token)).toBe(false);
});

withSessions('SES-C26 the key set holds the verification key and nothing private', async (s) => {
  const { access_token: token } = await s.logIn();
  const header = JSON.parse(Buffer.from(token.split('.')[0] ?? '', 'base64url').toString()) as {
    kid: string;
  };
  const { keys } = result(await s.t.transport('jwks', undefined, {}));
  expect(keys).toEqual([
    {
      kty: 'RSA',
      use: 'sig',
      alg: 'RS256',
      kid: header.kid,
      n: expect.stringMatching(/^[\w-]{342}$/),
      e: 'AQAB',
    },
  ]);
});

withSessions('CON-55, CRD-78 a session ends when its bound credential changes', async (s) => {
  const login = await s.logIn();
  result(await s.t.admin.rotate(s.t.admin.id, 1));
  expect(await isAccepted(s, login.access_token)).toBe(false);
  expect(outcome(await refresh(s, undefined, login.refresh_token))).toBe(refused.unauthorized);
  const later = await s.logIn();
  expect(claimsOf(later.access_token)).toMatchObject({ crev: 2 });
});

withSessions('SES-66 the oldest of 33 sessions makes room', async (s) => {
  const logins: Login[] = [];
  for (let index = 0; index < 33; index += 1) logins.push(await s.logIn());
  const accepted: boolean[] = [];
  for (const { access_token: token } of logins) accepted.push(await isAccepted(s, token));
  expect(accepted).toEqual(logins.map((_, index) => index > 0));
});

// SES-60
withSessions(
  'CON-72, SES-62, SES-59 a login is refused in the same way for every reason',
  async (s) => {
    const attempts: [name: string, tenantId: string | undefined, password: string][] = [
      ['ann', 'acme', 'Wrong-horse-1'],
      ['nobody', 'acme', PASSWORD],
      ['ann', undefined, PASSWORD],
      ['ann', 'nowhere', PASSWORD],
      ['Ann', 'acme', PASSWORD],
      ['root', 'acme', ''],
    ];
    for (const attempt of attempts) {
      const { status, body } = await s.tryLogIn(...attempt);
      expect([status, body]).toEqual([
        401,
        {
          error: 'invalid_login',
          message: expect.any(String),
          failed_attempts: 1,
          remaining_attempts: 4,
        },
      ]);
    }
    for (const long of ['a'.repeat(1_025), 'é'.repeat(513)]) {
      expect(outcome(await s.tryLogIn('ann', 'acme', long))).toBe(refused.invalid);
    }
    expect(outcome(await s.tryLogIn(' ', 'acme'))).toBe(refused.invalid);
    expect(outcome(await s.tryLogIn('ann', ''))).toBe(refused.invalid);
    expect(outcome(await s.tryLogIn('ann', 'acme', 'é'.repeat(512)))).toBe('401 invalid_login');
  },
);

withSessions(
  'SES-C22 a session that is idle longer than the limit has ended for good',
  async (s) => {
    const [idle, used] = [await s.logIn(), await s.logIn()];
    for (let minutes = 0; minutes < 31; minutes += 1) {
      expect(await isAccepted(s, used.access_token)).toBe(true);
      s.t.clock.advance(60_000);
    }
    expect(await isAccepted(s, idle.access_token)).toBe(false);
    expect(await isAccepted(s, idle.access_token)).toBe(false);
    expect(outcome(await refresh(s, undefined, idle.refresh_token))).toBe(refused.unauthorized);
    expect(await isAccepted(s, used.access_token)).toBe(true);
    s.t.clock.advance(31 * 60_000);
    expect(outcome(await refresh(s, undefined, used.refresh_token))).toBe(refused.unauthorized);
  },
  { sessions: { idleSeconds: 1_800 } },
);

withSessions('SES-C22 without an idle limit a token works until its end', async (s) => {
  const { access_token: token } = await s.logIn();
  s.t.clock.advance(HOUR_MS - 1);
  expect(await isAccepted(s, token)).toBe(true);
});
