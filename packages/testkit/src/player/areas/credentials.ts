/**
 * Credentials of tenants: issuing, inspection, lists, rotation, revocation and scope authority.
 */
import {
  capabilities,
  type Capability,
  type CompanyScopePolicy,
  type Credential,
  type CredentialSpecInput,
  type NewSecret,
  type Selector,
} from '@agentkeep/core';
import type { NewAuthority } from '../../models/credential-model.js';
import { Refusal } from '../../models/outcome.js';
import { Mismatch, Whole } from '../compare.js';
import type { Dice } from '../dice.js';
import type { Play } from '../play.js';
import { asTenant, type Caller, type Principal } from '../../models/principal.js';
import type { Rule } from '../rule.js';
import { GRANTED, VERSION } from '../vocabulary.js';

/** Whether a principal administers credentials. */
export function isCredentialAdmin({ credential }: Principal): boolean {
  return credential?.spec.capabilities.includes('credential_admin') === true;
}

/**
 * Adds the holder of a new secret to the callers.
 * @throws {Mismatch} when the secret doesn't begin as one of its credential.
 */
export function joinCredential(play: Play, made: NewSecret | undefined, secretNumber = 0): void {
  if (made === undefined) return;
  const { id, tenant_id: authority } = made.credential;
  if (!made.secret.startsWith(`ak1_${id.replaceAll('-', '')}_`)) {
    throw new Mismatch(`a secret of ${id} begins with ${made.secret.slice(0, 37)}`);
  }
  const proof = { kind: 'bearer', token: made.secret } as const;
  play.join({ kind: 'credential', id, secretNumber, authority, proof });
}

/** Mostly everything that agents do; the order and repetitions don't matter. */
function capabilitiesOf(dice: Dice): Capability[] {
  if (dice.isLucky(20)) return [dice.one(capabilities)];
  // An administrator who reads.
  if (dice.isLucky(20)) return ['credential_admin', 'memory_read'];
  const some = capabilities.filter((each) => each !== 'credential_admin');
  return dice.isLucky(50) ? some : [...some.toReversed(), 'memory_read'];
}

/** Where a credential may act: mostly in all scopes, sometimes in a few or as a policy says. */
function authorityOf(dice: Dice): NewAuthority {
  if (dice.isLucky(70)) return { grants: [...GRANTED] };
  return dice.isLucky(50)
    ? { grants: dice.some(GRANTED) }
    : { grants: [], scope_policy: policyOf(dice) };
}

function selectorOfSubjects(dice: Dice): NonNullable<CredentialSpecInput['act_for']> {
  if (dice.isLucky(60)) return { mode: 'all' };
  return dice.isLucky(50) ? { mode: 'prefix', prefix: 'a' } : { mode: 'only', ids: ['bob'] };
}

/** Draws a scope policy. */
export function policyOf(dice: Dice): CompanyScopePolicy {
  const visibilities = dice.some(['private', 'shared'] as const);
  return {
    version: 'company_scopes_v1',
    projects: selectorOf(dice),
    agents: selectorOf(dice),
    missions: selectorOf(dice),
    allow_unassigned_mission: dice.isLucky(50),
    visibilities: visibilities.length === 0 ? ['shared'] : visibilities,
  };
}

function selectorOf(dice: Dice): Selector {
  if (dice.isLucky(40)) return { mode: 'all' };
  return { mode: 'only', ids: dice.some(['p', 'a', 'm', 'p m', 'b']) };
}

const whoAmI: Rule = {
  name: 'who am I',
  weight: 2,
  run: async (play) => {
    await play.ask(
      'whoAmI',
      play.caller(),
      {},
      (_made, principal) => new Whole({ ...VERSION, credential: asTenant(principal) }),
      async (agent) => ({ ...VERSION, credential: await agent.whoAmI() }),
    );
  },
};

const issue: Rule = {
  name: 'issue a credential',
  weight: 2,
  run: async (play) => {
    const { dice, world, clock } = play;
    const lifeMs = dice.below(dice.one([200, 4_000_000]));
    const spec = {
      subject_id: dice.one(['ann', 'bob']),
      capabilities: capabilitiesOf(dice),
      ...authorityOf(dice),
      ...(dice.isLucky(40) ? { act_for: selectorOfSubjects(dice) } : {}),
      expires_at_millis: dice.isLucky(15) ? clock.now() + lifeMs : null,
    };
    const document = { ...VERSION, spec };
    const caller = play.caller(isCredentialAdmin);
    const made = await play.ask(
      'issueCredential',
      caller,
      { document },
      ({ credential: { id }, secret }, principal) => {
        const admin = asTenant(principal, 'credential_admin');
        const credential = world.credentials.issue(admin, id, spec, world.now);
        world.count(admin.tenant_id, 'configuration_changed');
        return new Whole({ ...VERSION, credential, secret });
      },
      async ({ credentials }) => ({ ...VERSION, ...(await credentials.issue(spec)) }),
    );
    joinCredential(play, made);
  },
};

/** Asks for the page of a list that begins at a position. */
function askPage(
  play: Play,
  caller: Caller,
  position: { readonly limit: number; readonly cursor?: string },
  from: number,
) {
  const parameters = { ...VERSION, ...position };
  return play.ask(
    'listTenantCredentials',
    caller,
    { parameters },
    ({ page }, principal) => {
      const admin = asTenant(principal, 'credential_admin');
      const all = play.world.credentials.list(admin.tenant_id);
      const end = from + position.limit;
      const next_cursor = end >= all.length ? null : (page.next_cursor ?? 'a cursor');
      return new Whole({ ...VERSION, page: { items: all.slice(from, end), next_cursor } });
    },
    async ({ credentials }) => ({ ...VERSION, page: await credentials.listPage(position) }),
  );
}

const list: Rule = {
  name: 'list credentials',
  weight: 1,
  run: async (play) => {
    const limit = play.dice.one([1, 2, 4, 100]);
    const caller = play.caller(isCredentialAdmin);
    let cursor: string | null = null;
    let from = 0;
    do {
      const position: { cursor?: string } = cursor === null ? {} : { cursor };
      const answer = await askPage(play, caller, { limit, ...position }, from);
      cursor = answer?.page.next_cursor ?? null;
      from += limit;
    } while (cursor !== null);
  },
};

/** A credential, mostly of this tenant, with its revision or one that is off. */
export function target({ world, dice, callers }: Play, authority: string) {
  const all = callers.filter((each) => each.kind === 'credential');
  const near = all.filter((each) => each.authority === authority);
  const { id } = dice.one(near.length > 0 && dice.isLucky(85) ? near : all);
  const off = dice.isLucky(15) ? 1 - dice.below(3) : 0;
  return { id, revision: world.credentials.get(id).shown.revision + off };
}

/** Without an administrator the rest of a tenant's history would prove little. */
export function isLastAdmin({ world }: Play, id: string): boolean {
  const { shown } = world.credentials.get(id);
  const admins = world.credentials.list(shown.tenant_id).filter(isLivingAdmin);
  return admins.length === 1 && admins[0]?.id === id;
}

function isLivingAdmin({ revoked_at_millis, spec }: Credential): boolean {
  const isForGood = revoked_at_millis === null && spec.expires_at_millis === null;
  return isForGood && spec.capabilities.includes('credential_admin');
}

const inspect: Rule = {
  name: 'inspect a credential',
  weight: 1,
  run: async (play) => {
    const caller = play.caller(isCredentialAdmin);
    const { id } = target(play, caller.authority);
    const { credentials: model } = play.world;
    await play.ask(
      'inspectCredential',
      caller,
      { id, parameters: {} },
      (_made, who) =>
        new Whole({ ...VERSION, credential: model.inspect(asTenant(who, 'credential_admin'), id) }),
      async ({ credentials }) => ({ ...VERSION, credential: await credentials.inspect(id) }),
    );
  },
};

const rotate: Rule = {
  name: 'rotate a credential',
  weight: 1,
  run: async (play) => {
    const { world } = play;
    const caller = play.caller(isCredentialAdmin);
    const { id, revision } = target(play, caller.authority);
    const overlapSeconds = play.dice.isLucky(30) ? play.dice.one([1, 60, 2_592_000]) : 0;
    const expected = { expectedRevision: revision, overlapSeconds };
    const document = { ...VERSION, expected_revision: revision, overlap_seconds: overlapSeconds };
    const parts = { id, document };
    const made = await play.ask(
      'rotateCredential',
      caller,
      parts,
      ({ secret }, principal) => {
        const admin = asTenant(principal, 'credential_admin');
        const credential = world.credentials.rotate(admin, id, expected, world.now);
        world.count(admin.tenant_id, 'configuration_changed');
        return new Whole({ ...VERSION, credential, secret });
      },
      async ({ credentials }) => ({
        ...VERSION,
        ...(await credentials.rotate(id, revision, { overlapSeconds })),
      }),
    );
    joinCredential(play, made, world.credentials.get(id).secretNumber);
  },
};

const revoke: Rule = {
  name: 'revoke a credential',
  weight: 1,
  run: async (play) => {
    const { world } = play;
    const caller = play.caller(isCredentialAdmin);
    const { id, revision } = target(play, caller.authority);
    if (isLastAdmin(play, id)) return;
    const parts = { id, document: { ...VERSION, expected_revision: revision } };
    await play.ask(
      'revokeCredential',
      caller,
      parts,
      (_made, who) => {
        const admin = asTenant(who, 'credential_admin');
        const credential = world.credentials.revoke(admin, id, revision, { now: world.now });
        world.count(admin.tenant_id, 'configuration_changed');
        return new Whole({ ...VERSION, credential });
      },
      async ({ credentials }) => ({
        ...VERSION,
        credential: await credentials.revoke(id, revision),
      }),
    );
  },
};

const rescope: Rule = {
  name: 'change a scope authority',
  weight: 1,
  run: async (play) => {
    const { world, dice } = play;
    const caller = play.caller(isCredentialAdmin);
    const { id, revision: expectedRevision } = target(play, caller.authority);
    const authority = authorityOf(dice);
    const document = { ...VERSION, expected_revision: expectedRevision, authority };
    await play.ask(
      'changeScopeAuthority',
      caller,
      { id, document },
      (_made, principal) => {
        const admin = asTenant(principal, 'credential_admin');
        if (expectedRevision < 1) throw new Refusal('invalid_request');
        const change = { expectedRevision, authority };
        const credential = world.credentials.rescope(admin, id, change, world.now);
        world.count(admin.tenant_id, 'configuration_changed');
        return new Whole({ ...VERSION, credential });
      },
      async ({ credentials }) => ({
        ...VERSION,
        credential: await credentials.changeScopeAuthority(id, expectedRevision, authority),
      }),
    );
  },
};

/** Steps that manage credentials of tenants. */
export const credentialRules = [whoAmI, issue, list, inspect, rotate, revoke, rescope];
