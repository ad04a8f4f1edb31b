/** A server that dies at any step of a grant leaves no half of one. */
import { connect } from '@agentkeep/client';
import { openKeep, type Store } from '@agentkeep/core';
import { quickPasswords } from '@agentkeep/core/testing';
import { sharedTestStore } from '@agentkeep/testkit/test-store';
import { expect, test } from 'vitest';
import { createServer } from '../../src/index.js';
import { FormBrowser } from '@agentkeep/testkit/form-browser';
import {
  allowed,
  began,
  redeemed,
  registered,
  type Served,
  servedDoor,
  url,
} from './served-door.js';

/** A store that commits so many transactions, and then nothing more, as after a kill. */
function mortal(store: Store): { readonly store: Store; die(after: number): void } {
  let left = Number.POSITIVE_INFINITY;
  const transact: Store['transact'] = (body) => {
    left -= 1;
    return left < 0 ? Promise.reject(new Error('killed')) : store.transact(body);
  };
  const dying = new Proxy(store, {
    get: (target, name) => {
      if (name === 'transact') return transact;
      const member: unknown = Reflect.get(target, name, target);
      return typeof member === 'function' ? (member.bind(target) as unknown) : member;
    },
  });
  return {
    store: dying,
    die: (after) => {
      left = after;
    },
  };
}

/** Connects a program at a server. Returns its access token. */
async function connectAt(here: Pick<Served, 'fetch' | 'browser'>): Promise<string> {
  const client = await registered(here);
  const asked = await began(client.client_id);
  const answer = await allowed(here.browser, asked);
  return (await redeemed(here, client, asked, answer)).access_token;
}

/** Kills a server after some commits of a grant. Returns whether the program got its token. */
async function killedAfter(commits: number): Promise<boolean> {
  const shared = sharedTestStore();
  const first = mortal(shared.open());
  const here = await servedDoor({ store: first.store });
  first.die(commits);
  const token = await connectAt(here).catch(() => undefined);
  // It cannot store anything more.
  await here.keep.close().catch(() => undefined);
  await using keep = await openKeep({ store: shared.open(), passwords: quickPasswords });
  const app = createServer(keep, { frontDoor: { publicUrl: url, clientRegistration: true } });
  const fetch = (input: string, init?: object) =>
    Promise.resolve(app.request(input, init as RequestInit));
  const { agent } = await keep.logIn({
    ...{ username: 'ann', password: 'Correct-Horse-7', tenantId: 'acme' },
  });
  const connections = await agent.connections.list();
  const admin = connect({ url, secret: here.adminSecret, fetch });
  const programs: string[] = [];
  for await (const { id, program } of admin.credentials.list()) {
    if (program !== undefined) programs.push(id);
  }
  // What is listed for the tenant is listed for the account, and both only once it can be used.
  expect(connections.map(({ id }) => id)).toEqual(programs);
  if (token !== undefined) {
    expect(connections).toHaveLength(1);
    expect(await connect({ url, secret: token, fetch }).whoAmI()).toMatchObject({
      id: connections[0]?.id,
    });
  }
  // The person can begin again.
  expect(await connectAt({ fetch, browser: new FormBrowser(app, url) })).toBeTypeOf('string');
  return token !== undefined;
}

test('OAU-9 a kill after any commit of a grant leaves all of it or nothing', async () => {
  let commits = 0;
  // Fewer commits than the whole grant has never give a token.
  while (!(await killedAfter(commits))) {
    commits += 1;
    expect(commits).toBeLessThan(30);
  }
  expect(commits).toBeGreaterThan(3);
});
