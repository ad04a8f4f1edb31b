/**
 * Attacks with accounts: many keys, long histories, many passwords, refusals that flood the audit
 * log, and authority that ends within a request.
 */
import { type Agent, AgentkeepError } from '@agentkeep/core';
import { connect, logIn } from '@agentkeep/server/client';
import { type AbusedSite, BAD, GOOD, goodScope, PASSWORD, recordOf } from '../abused-site.js';
import { type Attack, type Stage } from '../attack.js';
import { HostileSocket, postOf } from '../hostile-socket.js';
import { inParallel } from '../in-parallel.js';
import { LocalClient } from '../local-client.js';

/** Most live keys of an account (docs/contract/api-keys.md#key-25). */
const KEYS_MAX = 64;
/** Bytes of a body that are sent before its authority ends. */
const EARLY_CHARS = 20;
const FLOODING = 16;

/** An account that makes as many keys as it can, and is deleted. */
const manyKeys: Attack = {
  name: 'many keys',
  run: async ({ site, from, enough }) => {
    using client = new LocalClient(site.url, from);
    const chief = await person(site, client, { username: 'chief', tenantId: BAD });
    const username = `keys-${from}-${Date.now()}`;
    const { id } = await chief.agent.users.create({ username, password: PASSWORD, roles: [] });
    const { agent } = await person(site, client, { username, tenantId: BAD });
    let made = 0;
    for (let isRefused = false; !isRefused && made < 2 * KEYS_MAX;) {
      isRefused = await isRefusedWith('api_key_limit', () => agent.keys.create('k'));
      if (!isRefused) made += 1;
    }
    await chief.agent.users.delete(id);
    await enough;
    return { attempts: made, violations: made > KEYS_MAX ? [`An account has ${made} keys.`] : [] };
  },
};

/** An account of the well-behaved tenant that changes its own e-mail address again and again. */
const ownHistory: Attack = {
  name: 'own history',
  run: async ({ site, amounts, from, enough }) => {
    using client = new LocalClient(site.url, from);
    const { agent, id } = await person(site, client, { username: 'plain', tenantId: GOOD });
    for (let at = 0; at < amounts.emails; at += 1) {
      await agent.users.update(id, { email: `${at}@x.test` });
    }
    await enough;
    return { attempts: amounts.emails, violations: [] };
  },
};

/** An administrator that sets passwords, as many at a time as there is room for. */
const manyPasswords: Attack = {
  name: 'many passwords',
  run: async ({ site, amounts, from, enough }) => {
    using client = new LocalClient(site.url, from);
    const { agent, id } = await person(site, client, { username: 'chief', tenantId: BAD });
    const username = `passwords-${from}-${Date.now()}`;
    const made = await agent.users.create({ username, password: PASSWORD, roles: [] });
    const { token } = await person(site, client, { username: 'chief', tenantId: BAD });
    const path = `/api/v1/users/${made.id}/password`;
    const document = { new_password: PASSWORD };
    const request = { method: 'PUT', path, secret: token, document };
    await inParallel(amounts.passwords, amounts.passwords, () => client.ask(request));
    await agent.users.get(id);
    await enough;
    return { attempts: amounts.passwords, violations: [] };
  },
};

/** A flood of bad proofs. */
const badProofs: Attack = {
  name: 'bad proofs',
  run: (stage) => flood(stage, '/api/v1/identity', 'x'),
};

/** A flood of refused calls by an account of the well-behaved tenant that has no rights. */
const refusedCalls: Attack = {
  name: 'refused calls',
  run: async (stage) => {
    using client = new LocalClient(stage.site.url, stage.from);
    const { token } = await person(stage.site, client, { username: 'plain', tenantId: GOOD });
    const [keys, users] = [
      await flood(stage, '/api/v1/keys', token),
      await flood(stage, '/api/v1/users', token),
    ];
    return { attempts: keys.attempts + users.attempts, violations: [] };
  },
};

/** Queries whose credential is revoked, and a record written, before their body is complete. */
const revokedReaders: Attack = {
  name: 'revoked readers',
  run: async (stage) => {
    const violations: string[] = [];
    for (let at = 0; at < stage.amounts.revoked; at += 1) {
      const status = await readAfterRevocation(stage);
      if (status !== 401) {
        violations.push(`A query with a revoked credential was answered with ${status}.`);
      }
    }
    await stage.enough;
    return { attempts: stage.amounts.revoked, violations };
  },
};

async function readAfterRevocation({ site, from }: Stage): Promise<number> {
  using client = new LocalClient(site.url, from);
  const { fetch } = client;
  const admin = connect({ url: site.url, secret: site.good.admin, fetch, retry: false });
  const { credential, secret } = await admin.credentials.issue({
    subject_id: 'former',
    capabilities: ['memory_read'],
    grants: [goodScope],
  });
  const document = { contract_version: 1, scope: goodScope, filter: {} };
  const { head, body } = postOf('/api/v1/memory/query', secret, document);
  const socket = await HostileSocket.open(site.url, from);
  socket.send(head + body.slice(0, EARLY_CHARS));
  // The server has the headers long before this answer.
  await connect({ url: site.url, secret, fetch, retry: false }).whoAmI();
  await admin.credentials.revoke(credential.id, credential.revision);
  const writer = connect({ url: site.url, secret: site.good.agent, fetch, retry: false });
  await writer.memory.in(goodScope).create(recordOf('written after the revocation'));
  socket.send(body.slice(EARLY_CHARS));
  const status = await socket.status();
  socket.leave();
  return status;
}

async function flood({ site, amounts, from, enough }: Stage, path: string, secret: string) {
  using client = new LocalClient(site.url, from);
  await inParallel(amounts.flood, FLOODING, () => client.ask({ method: 'GET', path, secret }));
  await enough;
  return { attempts: amounts.flood, violations: [] };
}

interface Person {
  readonly agent: Agent;
  readonly id: string;
  readonly token: string;
}

async function person(
  { url }: AbusedSite,
  { fetch }: LocalClient,
  login: { username: string; tenantId: string },
): Promise<Person> {
  const { agent, tokens } = await logIn({ url, fetch, retry: false, password: PASSWORD, ...login });
  return { agent, id: tokens.user_id, token: tokens.access_token };
}

async function isRefusedWith(code: string, call: () => Promise<unknown>): Promise<boolean> {
  try {
    await call();
    return false;
  } catch (error) {
    if (error instanceof AgentkeepError && error.code === code) return true;
    throw error;
  }
}

/** All of them. */
export const attacksOnAccounts: readonly Attack[] = [
  manyKeys,
  ownHistory,
  manyPasswords,
  badProofs,
  refusedCalls,
  revokedReaders,
];
