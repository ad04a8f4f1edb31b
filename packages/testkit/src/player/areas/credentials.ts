/**
 * Credentials of tenants: who they are, issuing, listing, rotation, revocation, scope authority.
 */
import { capabilities, type Credential, type NewSecret } from '@agentkeep/core';
import { Refusal } from '../../models/outcome.js';
import type { Play } from '../play.js';
import { asTenant, type Principal } from '../../models/principal.js';
import type { Rule } from '../rule.js';
import { SCOPES, VERSION } from '../vocabulary.js';

/** Whoever administers credentials. */
export function isCredentialAdmin({ credential }: Principal): boolean {
  return credential?.spec.capabilities.includes('credential_admin') === true;
}

/** Takes the holder of a new secret in as a caller. */
export function joinCredential(play: Play, made: NewSecret | undefined, secretNumber = 0): void {
  if (made === undefined) return;
  const { id, tenant_id: authority } = made.credential;
  const proof = { kind: 'bearer', token: made.secret } as const;
  play.join({ kind: 'credential', id, secretNumber, authority, proof });
}

const whoAmI: Rule = {
  name: 'who am I',
  weight: 2,
  run: async (play) => {
    await play.ask('whoAmI', play.caller(), {}, (_made, principal) => ({
      credential: asTenant(principal),
    }));
  },
};

const issue: Rule = {
  name: 'issue a credential',
  weight: 2,
  run: async (play) => {
    const { dice, world, clock } = play;
    const expires_at_millis = dice.isLucky(15) ? clock.now() + dice.below(4_000_000) : null;
    const spec = {
      subject_id: dice.one(['ann', 'bob']),
      capabilities: dice.isLucky(80)
        ? capabilities.filter((each) => each !== 'credential_admin')
        : [dice.one(capabilities)],
      grants: dice.isLucky(80) ? [...SCOPES] : dice.some(SCOPES),
      expires_at_millis,
    };
    const document = { ...VERSION, spec };
    const caller = play.caller(isCredentialAdmin);
    const made = await play.ask('issueCredential', caller, { document }, (answer, principal) => {
      const admin = asTenant(principal, 'credential_admin');
      const { id } = answer.credential;
      const credential = world.credentials.issue(admin, id, spec, world.now);
      world.count(admin.tenant_id, 'configuration_changed');
      return { credential };
    });
    joinCredential(play, made);
  },
};

const list: Rule = {
  name: 'list credentials',
  weight: 1,
  run: async (play) => {
    const parameters = { contract_version: 1 as const, limit: 100 };
    const caller = play.caller(isCredentialAdmin);
    await play.ask('listTenantCredentials', caller, { parameters }, (_made, principal) => {
      const admin = asTenant(principal, 'credential_admin');
      const items = play.world.credentials.list(admin.tenant_id);
      return { page: items.length > 100 ? {} : { items, next_cursor: null } };
    });
  },
};

/** A credential, mostly of this tenant, with its revision or one that is off. */
function target({ world, dice, callers }: Play, authority: string) {
  const all = callers.filter((each) => each.kind === 'credential');
  const near = all.filter((each) => each.authority === authority);
  const { id } = dice.one(near.length > 0 && dice.isLucky(85) ? near : all);
  const off = dice.isLucky(15) ? 1 - dice.below(3) : 0;
  return { id, revision: world.credentials.get(id).shown.revision + off };
}

/** Without an administrator a tenant would have nothing more to tell. */
function isLastAdmin({ world }: Play, id: string): boolean {
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
    await play.ask('inspectCredential', caller, { id }, (_made, who) => ({
      credential: play.world.credentials.inspect(asTenant(who, 'credential_admin'), id),
    }));
  },
};

const rotate: Rule = {
  name: 'rotate a credential',
  weight: 1,
  run: async (play) => {
    const { world } = play;
    const caller = play.caller(isCredentialAdmin);
    const { id, revision } = target(play, caller.authority);
    const parts = { id, document: { ...VERSION, expected_revision: revision } };
    const made = await play.ask('rotateCredential', caller, parts, (_made, principal) => {
      const admin = asTenant(principal, 'credential_admin');
      const credential = world.credentials.rotate(admin, id, revision, world.now);
      world.count(admin.tenant_id, 'configuration_changed');
      return { credential };
    });
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
    await play.ask('revokeCredential', caller, parts, (_made, who) => {
      const admin = asTenant(who, 'credential_admin');
      const credential = world.credentials.revoke(admin, id, revision, world.now);
      world.count(admin.tenant_id, 'configuration_changed');
      return { credential };
    });
  },
};

const rescope: Rule = {
  name: 'change a scope authority',
  weight: 1,
  run: async (play) => {
    const { world, dice } = play;
    const caller = play.caller(isCredentialAdmin);
    const { id, revision: expectedRevision } = target(play, caller.authority);
    const authority = { grants: dice.isLucky(70) ? [...SCOPES] : dice.some(SCOPES) };
    const document = { ...VERSION, expected_revision: expectedRevision, authority };
    await play.ask('changeScopeAuthority', caller, { id, document }, (_made, principal) => {
      const admin = asTenant(principal, 'credential_admin');
      if (expectedRevision < 1) throw new Refusal('invalid_request');
      const change = { expectedRevision, authority };
      const credential = world.credentials.rescope(admin, id, change, world.now);
      world.count(admin.tenant_id, 'configuration_changed');
      return { credential };
    });
  },
};

/** What can be done with credentials of tenants. */
export const credentialRules = [whoAmI, issue, list, inspect, rotate, revoke, rescope];
