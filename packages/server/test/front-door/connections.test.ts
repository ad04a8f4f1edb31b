/** A program connects by OAuth, works, renews its token, and is ended. */
import { connect } from '@agentkeep/client';
import * as oauth from 'oauth4webapi';
import { expect, test } from 'vitest';
import { connected, discovered, own, servedDoor, url } from './served-door.js';

test('a program connects, calls, refreshes and is revoked', async () => {
  await using here = await servedDoor();
  const { client, tokens } = await connected(here);
  expect(tokens).toMatchObject({ token_type: 'bearer', expires_in: 600, scope: 'read' });
  const agent = connect({ url, secret: tokens.access_token, fetch: here.fetch });
  const me = await agent.whoAmI();
  expect(me.spec).toMatchObject({ subject_id: 'ann', capabilities: ['memory_read'] });
  expect(me.spec.grants).toEqual([{ mission_id: null, ...own }]);
  const as = await discovered(here);
  const options = { [oauth.customFetch]: here.fetch };
  const renewal = await oauth.refreshTokenGrantRequest(
    ...([as, client, oauth.None(), tokens.refresh_token ?? ''] as const),
    options,
  );
  const renewed = await oauth.processRefreshTokenResponse(as, client, renewal);
  expect(renewed.refresh_token).not.toBe(tokens.refresh_token);
  const again = connect({ url, secret: renewed.access_token, fetch: here.fetch });
  expect((await again.whoAmI()).id).toBe(me.id);
  const revocation = await oauth.revocationRequest(
    ...([as, client, oauth.None(), renewed.access_token] as const),
    options,
  );
  await oauth.processRevocationResponse(revocation);
  await expect(again.whoAmI()).rejects.toMatchObject({ code: 'unauthorized' });
  await expect(agent.whoAmI()).rejects.toMatchObject({ code: 'unauthorized' });
});

test('DLG-20 a program of a blocked person renews nothing until the person is unblocked', async () => {
  await using here = await servedDoor();
  const { client, tokens } = await connected(here);
  const as = await discovered(here);
  const renew = async () => {
    const parts = [as, client, oauth.None(), tokens.refresh_token ?? ''] as const;
    const options = { [oauth.customFetch]: here.fetch };
    const answer = await oauth.refreshTokenGrantRequest(...parts, options);
    return oauth.processRefreshTokenResponse(as, client, answer);
  };
  const agent = connect({ url, secret: tokens.access_token, fetch: here.fetch });
  await here.admin.subjects.pause('ann');
  await expect(agent.whoAmI()).rejects.toMatchObject({ code: 'unauthorized' });
  await expect(renew()).rejects.toMatchObject({ error: 'invalid_grant' });
  await here.admin.subjects.resume('ann');
  // Nothing ended: the same refresh token is redeemed.
  const renewed = await renew();
  const again = connect({ url, secret: renewed.access_token, fetch: here.fetch });
  expect((await again.whoAmI()).spec.subject_id).toBe('ann');
  expect((await agent.whoAmI()).spec.subject_id).toBe('ann');
});
