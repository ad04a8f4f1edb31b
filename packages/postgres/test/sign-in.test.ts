/** People who sign in by an issuer at two servers of one database. */
import { openKeep, operations } from '@agentkeep/core';
import { createAdmin, embeddedInput } from '@agentkeep/core/operator';
import { quickPasswords } from '@agentkeep/core/testing';
import { callbackOf, PEOPLE_ISSUER, peoplePorts } from '@agentkeep/testkit/test-sign-in';
import { expect, test } from 'vitest';
import { postgresStore } from '../src/index.js';
import { newDatabaseUrl } from './fixture.js';

const PASSWORD = 'Correct-Horse-7';

test('OID-23 a sign-in that one server began is completed at the other, once', async () => {
  const url = await newDatabaseUrl();
  const open = () =>
    openKeep({ store: postgresStore({ url }), passwords: quickPasswords, ...peoplePorts });
  await using one = await open();
  await using other = await open();
  await createAdmin(one, { username: 'root', password: PASSWORD });
  const { administrator } = await one.logIn({ username: 'root', password: PASSWORD });
  const rule = { claims: [{ path: ['groups'], value: 'dev' }], creates_accounts: true };
  const issuer = { name: 'staff', issuer: PEOPLE_ISSUER, client_id: 'agentkeep', rules: [rule] };
  await administrator.signIn.putSettings({ issuers: [issuer] }, 0);
  const begun = { issuer: 'staff', redirect_uri: 'https://memory.example.test/back' };
  const { attempt, authorization_url } = await one.invoke(
    operations.beginSignIn,
    embeddedInput({ document: begun }),
    {},
  );
  const claims = { sub: 'u1', preferred_username: 'ann', groups: ['dev'] };
  const document = { attempt, callback: callbackOf(authorization_url, claims) };
  const completed = await Promise.allSettled(
    [other, one, other, one].map((keep) =>
      keep.invoke(operations.completeSignIn, embeddedInput({ document }), {}),
    ),
  );
  const [session, ...more] = completed.flatMap((each) =>
    each.status === 'fulfilled' ? [each.value] : [],
  );
  expect([session?.username, more.length]).toEqual(['ann', 0]);
  for (const keep of [one, other]) await keep.authenticate(session?.access_token ?? '');
});
