/** Attacks with assertions: many that an issuer signed, and many that are forged. */
import { randomUUID } from 'node:crypto';
import { AgentkeepError } from '@agentkeep/core';
import { connect } from '@agentkeep/server/client';
import { testIssuer } from '@agentkeep/testkit/test-issuer';
import type { Attack, AttackResult, Stage } from '../attack.js';
import { inParallel } from '../in-parallel.js';
import { LocalClient } from '../local-client.js';

const PARALLEL = 16;
const HOUR_SECS = 3_600;
const JWT_BEARER = 'urn:ietf:params:oauth:grant-type:jwt-bearer';

/** A workload that exchanges as often as it can, for a new token each time. */
const manyExchanges: Attack = {
  name: 'exchanges of assertions',
  run: (stage) => exchanging(stage, 'genuine'),
};

/** Assertions of an issuer that has the key id, and not the key. */
const forgedAssertions: Attack = {
  name: 'forged assertions',
  run: (stage) => exchanging(stage, 'forged'),
};

async function exchanging(
  { site, amounts, from, enough }: Stage,
  kind: 'genuine' | 'forged',
): Promise<AttackResult> {
  using client = new LocalClient(site.url, from);
  const server = { url: site.url, fetch: client.fetch };
  const { issuers, credentials } = connect({ ...server, secret: site.bad.admin });
  const issuer = testIssuer();
  const keys = { mode: 'inline', keys: [issuer.key] } as unknown as InlineKeys;
  const name = `${kind} ${randomUUID()}`;
  await issuers.put(name, { audience: 'agentkeep', keys }, 0);
  const rule = { issuer: name, sub: { mode: 'prefix', prefix: 'job-' } } as const;
  const spec = { subject_id: kind, capabilities: ['memory_read' as const], grants: [] };
  const { id } = await credentials.issueFederated(spec, rule);
  const signer = kind === 'genuine' ? issuer : testIssuer();
  const exp = Math.floor(Date.now() / 1_000) + HOUR_SECS;
  let wrong = 0;
  await inParallel(amounts.flood, PARALLEL, async (at) => {
    const assertion = signer.sign({ aud: 'agentkeep', sub: `job-${at}`, exp });
    // Both doors by turns.
    const isGood =
      at % 2 === 0
        ? await byClient({ ...server, id, assertion })
        : await byForm({ ...server, id, assertion });
    if (isGood !== (kind === 'genuine')) wrong += 1;
  });
  await enough;
  const violations = wrong === 0 ? [] : [`${wrong} assertions were answered wrongly.`];
  return { attempts: amounts.flood, violations };
}

type InlineKeys = Parameters<ReturnType<typeof connect>['issuers']['put']>[1]['keys'];

interface Exchange {
  readonly url: string;
  readonly fetch: LocalClient['fetch'];
  readonly id: string;
  readonly assertion: string;
}

function byClient({ url, fetch, id, assertion }: Exchange): Promise<boolean> {
  const workload = { credentialId: id, assertion: () => assertion };
  return connect({ url, fetch, workload })
    .whoAmI()
    .then(
      () => true,
      (error: unknown) => {
        if (error instanceof AgentkeepError && error.code === 'assertion_refused') return false;
        throw error;
      },
    );
}

async function byForm({ url, fetch, id, assertion }: Exchange): Promise<boolean> {
  const response = await fetch(`${url}/oauth/token`, {
    method: 'POST',
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    body: new URLSearchParams({ grant_type: JWT_BEARER, client_id: id, assertion }).toString(),
  });
  await response.text();
  return response.status === 200;
}

/** All of them. */
export const attacksOnExchanges: readonly Attack[] = [manyExchanges, forgedAssertions];
