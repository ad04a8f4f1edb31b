/** Attacks with keys and tokens: proofs that must be verified, and tokens that must be signed. */
import { type Agent, AgentkeepError } from '@agentkeep/core';
import { connect, type ConnectOptions } from '@agentkeep/server/client';
import type { Attack, AttackResult, Stage } from '../attack.js';
import { inParallel } from '../in-parallel.js';
import { LocalClient } from '../local-client.js';

const PARALLEL = 16;
const CURVE = { name: 'ECDSA', namedCurve: 'P-256' };

/** A key of its own that calls as often as it can; each proof is remembered for a while. */
const manyProofs: Attack = {
  name: 'proofs of a key',
  run: (stage) =>
    withKey(stage, ['memory_read'], async (robot) => {
      await robot.whoAmI();
      return true;
    }),
};

/** Proofs of keys that the named credential doesn't have. */
const foreignProofs: Attack = {
  name: 'proofs of foreign keys',
  run: async (stage) => {
    const { privateKey } = await newKey();
    const accepted = async (robot: Agent): Promise<boolean> =>
      robot.whoAmI().then(
        () => true,
        (error: unknown) => {
          if (error instanceof AgentkeepError && error.code === 'unauthorized') return false;
          throw error;
        },
      );
    return withKey(stage, ['memory_read'], async (robot) => !(await accepted(robot)), privateKey);
  },
};

/** A service that gets tokens for more subjects than there are. */
const manyTokens: Attack = {
  name: 'tokens of subjects',
  run: (stage) =>
    withKey(stage, ['memory_read', 'act_for'], async (robot, at) => {
      await robot.for(`user-${at}`).whoAmI();
      return true;
    }),
};

async function withKey(
  { site, amounts, from, enough }: Stage,
  capabilities: ('memory_read' | 'act_for')[],
  attempt: (robot: Agent, at: number) => Promise<boolean>,
  privateKey?: NonNullable<ConnectOptions['key']>['privateKey'],
): Promise<AttackResult> {
  using client = new LocalClient(site.url, from);
  const server = { url: site.url, fetch: client.fetch };
  const admin = connect({ ...server, secret: site.bad.admin });
  const own = await newKey();
  const { token } = await admin.credentials.issueForKey(
    {
      ...{ subject_id: 'robot', capabilities, grants: [] },
      ...(capabilities.includes('act_for') ? { act_for: { mode: 'all' } } : {}),
    },
    own.publicKey,
  );
  const robot = connect({ ...server, key: { token, privateKey: privateKey ?? own.privateKey } });
  let wrong = 0;
  await inParallel(amounts.flood, PARALLEL, async (at) => {
    if (!(await attempt(robot, at))) wrong += 1;
  });
  await enough;
  const violations = wrong === 0 ? [] : [`${wrong} calls with keys were answered wrongly.`];
  return { attempts: amounts.flood, violations };
}

async function newKey() {
  const pair = await crypto.subtle.generateKey(CURVE, true, ['sign', 'verify']);
  const { x = '', y = '' } = await crypto.subtle.exportKey('jwk', pair.publicKey);
  const privateKey = await crypto.subtle.exportKey('jwk', pair.privateKey);
  return { publicKey: { kty: 'EC', crv: 'P-256', x, y } as const, privateKey };
}

/** All of them. */
export const attacksOnKeys: readonly Attack[] = [manyProofs, foreignProofs, manyTokens];
