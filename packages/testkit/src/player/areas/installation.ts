/**
 * The credentials of the installation, and the tenants (docs/contract/installation.md).
 */
import { globalCapabilities, type IssuedGlobalCredential } from '@agentkeep/core';
import { newest } from '../../models/histories.js';
import { Refusal } from '../../models/outcome.js';
import type { Play } from '../play.js';
import { asGlobal, type Principal } from '../../models/principal.js';
import type { Rule } from '../rule.js';
import { TENANTS, VERSION } from '../vocabulary.js';
import { type GlobalCredential, INSTALLATION } from '../../models/world.js';
import { joinCredential } from './credentials.js';

/** Tenants registered at most. */
const MORE_TENANTS = 2;
/** More than any history stores. */
const WIDE = 1_000_000_000;
const NO_QUOTA = { quota: { max_entries: null, max_bytes: null }, revision: 0 };

/** Adds the holder of a new secret of the installation to the callers. */
export function joinGlobal(
  play: Play,
  made: Pick<IssuedGlobalCredential, 'credential' | 'secret'> | undefined,
): void {
  if (made === undefined) return;
  const { id } = made.credential;
  const { secretNumber } = play.world.globals.get(id)!;
  const proof = { kind: 'bearer', token: made.secret } as const;
  play.join({ kind: 'global', id, secretNumber, authority: INSTALLATION, proof });
}

function shown({ id, isMaster, subject, history, ...rest }: GlobalCredential) {
  return {
    id,
    is_master: isMaster,
    spec: {
      subject_id: subject,
      capabilities: rest.capabilities,
      expires_at_millis: rest.expiresAt,
    },
    revision: history.length,
    revoked_at_millis: rest.revokedAt,
    history: newest(history.map((action, index) => ({ revision: index + 1, action }))),
  };
}

function isGlobal({ global }: Principal): boolean {
  return global !== undefined;
}

function isMaster({ global }: Principal): boolean {
  return global?.isMaster === true;
}

const identity: Rule = {
  name: 'global identity',
  weight: 1,
  run: async (play) => {
    await play.ask('globalIdentity', play.caller(isGlobal), {}, (_made, principal) => ({
      credential: shown(asGlobal(principal, 'any')),
    }));
  },
};

const issue: Rule = {
  name: 'issue a global credential',
  weight: 1,
  run: async (play) => {
    const { dice, world, clock } = play;
    const chosen = dice.some(globalCapabilities);
    const wanted = chosen.length === 0 ? [...globalCapabilities] : chosen;
    const spec = {
      subject_id: dice.one(['ops', 'deputy']),
      capabilities: wanted,
      expires_at_millis: dice.isLucky(30) ? clock.now() + dice.below(400_000) : null,
    };
    const parts = { document: { ...VERSION, spec } };
    const made = await play.ask(
      'issueGlobalCredential',
      play.caller(isGlobal),
      parts,
      (it, who) => {
        const issuer = asGlobal(who, 'global_credential_admin');
        const { expires_at_millis: end } = spec;
        if (end !== null && end <= world.now) throw new Refusal('invalid_request');
        const isWider = wanted.some((each) => !issuer.capabilities.includes(each));
        const isLonger = issuer.expiresAt !== null && (end === null || end > issuer.expiresAt);
        if (isWider || isLonger) throw new Refusal('forbidden');
        const credential: GlobalCredential = {
          id: it.credential.id,
          isMaster: false,
          subject: spec.subject_id,
          capabilities: wanted,
          expiresAt: end,
          history: ['issued'],
          revokedAt: null,
          secretNumber: 0,
          previousEndsAt: 0,
        };
        world.globals.set(credential.id, credential);
        world.count(INSTALLATION, 'configuration_changed');
        return { credential: shown(credential) };
      },
    );
    joinGlobal(play, made);
  },
};

const list: Rule = {
  name: 'list global credentials',
  weight: 1,
  run: async (play) => {
    const parts = { parameters: { ...VERSION, limit: 100 } };
    await play.ask('listGlobalCredentials', play.caller(isMaster), parts, (_made, principal) => {
      asGlobal(principal, 'master');
      const all = [...play.world.globals.values()].sort((one, two) => (one.id < two.id ? -1 : 1));
      return { page: { items: all.map(shown), next_cursor: null } };
    });
  },
};

function target({ dice, world }: Play): GlobalCredential {
  return dice.one([...world.globals.values()]);
}

const inspect: Rule = {
  name: 'inspect a global credential',
  weight: 1,
  run: async (play) => {
    const seen = target(play);
    const caller = play.caller(isGlobal);
    await play.ask(
      'inspectGlobalCredential',
      caller,
      { id: seen.id, parameters: {} },
      (_made, principal) => {
        requireSuperset(asGlobal(principal, 'global_credential_admin'), seen);
        return { credential: shown(seen) };
      },
    );
  },
};

function requireSuperset(actor: GlobalCredential, other: GlobalCredential): void {
  const isCovered = other.capabilities.every((each) => actor.capabilities.includes(each));
  if (!isCovered) throw new Refusal('forbidden');
}

/** Refuses a change of a credential, in the order of the contract. */
function requireChangeable(who: Principal, { seen, revision }: Change): void {
  const actor = asGlobal(who, 'any');
  if (actor !== seen) {
    if (seen.isMaster || !actor.capabilities.includes('global_credential_admin')) {
      throw new Refusal('forbidden');
    }
    requireSuperset(actor, seen);
  }
  if (seen.history.length !== revision) throw new Refusal('revision_conflict');
  if (seen.revokedAt !== null) throw new Refusal('forbidden');
}

interface Change {
  readonly seen: GlobalCredential;
  readonly revision: number;
}

function changeOf(play: Play): Change {
  const seen = target(play);
  return { seen, revision: seen.history.length + (play.dice.isLucky(15) ? 1 : 0) };
}

const rotate: Rule = {
  name: 'rotate a global credential',
  weight: 1,
  run: async (play) => {
    const { world } = play;
    const change = changeOf(play);
    const overlap_seconds = play.dice.isLucky(30) ? play.dice.one([1, 60]) : 0;
    const document = { ...VERSION, expected_revision: change.revision, overlap_seconds };
    const parts = { id: change.seen.id, document };
    const made = await play.ask(
      'rotateGlobalCredential',
      play.caller(isGlobal),
      parts,
      (_, who) => {
        requireChangeable(who, change);
        change.seen.history.push('rotated');
        change.seen.secretNumber += 1;
        change.seen.previousEndsAt =
          overlap_seconds === 0 ? 0 : world.now + overlap_seconds * 1_000;
        world.count(INSTALLATION, 'configuration_changed');
        return { credential: shown(change.seen) };
      },
    );
    joinGlobal(play, made);
  },
};

const revoke: Rule = {
  name: 'revoke a global credential',
  weight: 1,
  run: async (play) => {
    const { world } = play;
    const change = changeOf(play);
    // Without its master the rest of a history would prove little.
    if (change.seen.isMaster) return;
    const document = { ...VERSION, expected_revision: change.revision };
    const parts = { id: change.seen.id, document };
    await play.ask('revokeGlobalCredential', play.caller(isGlobal), parts, (_made, principal) => {
      requireChangeable(principal, change);
      change.seen.history.push('revoked');
      change.seen.revokedAt = world.now;
      world.count(INSTALLATION, 'configuration_changed');
      return { credential: shown(change.seen) };
    });
  },
};

const register: Rule = {
  name: 'register a tenant',
  weight: 1,
  run: async (play) => {
    const { dice, world } = play;
    const isNew = dice.isLucky(60) && world.tenants.size < TENANTS.length + MORE_TENANTS;
    const tenant_id = isNew ? `more ${world.tenants.size}` : dice.one([...world.tenants.keys()]);
    const parts = { document: { ...VERSION, tenant_id, subject_id: 'ops' } };
    const made = await play.ask('registerTenant', play.caller(isGlobal), parts, (it, principal) => {
      const { id: created_by } = asGlobal(principal, 'tenant_create');
      if (world.tenants.has(tenant_id)) throw new Refusal('revision_conflict');
      const initial_admin_id = it.credential.id;
      const registration = { schema_version: 1, tenant_id, created_by, initial_admin_id };
      world.tenants.set(tenant_id, { registration });
      world.credentials.add(it.credential);
      for (const place of [INSTALLATION, tenant_id]) world.count(place, 'configuration_changed');
      return { tenant: registration, credential: { tenant_id, revision: 1 } };
    });
    joinCredential(play, made);
  },
};

const inspectTenant: Rule = {
  name: 'inspect a tenant',
  weight: 1,
  run: async (play) => {
    const { dice, world } = play;
    const id = dice.one([...world.tenants.keys(), 'nowhere']);
    await play.ask('inspectTenant', play.caller(isGlobal), { id }, (_made, principal) => {
      asGlobal(principal, 'tenant_inspect');
      const tenant = world.tenants.get(id);
      if (tenant === undefined) throw new Refusal('tenant_not_found');
      return { tenant_id: id, ...tenant };
    });
  },
};

const listTenants: Rule = {
  name: 'list tenants',
  weight: 1,
  run: async (play) => {
    const parts = { parameters: { ...VERSION, limit: 100 } };
    await play.ask('listTenants', play.caller(isGlobal), parts, (_made, principal) => {
      asGlobal(principal, 'tenant_inspect');
      const ids = [...play.world.tenants.keys()].sort();
      const items = ids.map((tenant_id) => ({ tenant_id, ...play.world.tenants.get(tenant_id) }));
      return { page: { items, next_cursor: null } };
    });
  },
};

const appoint: Rule = {
  name: 'appoint an administrator',
  weight: 1,
  run: async (play) => {
    const { dice, world } = play;
    const id = dice.one([...world.tenants.keys(), 'nowhere']);
    const parts = { id, document: { ...VERSION, subject_id: 'ops' } };
    const made = await play.ask('issueTenantAdmin', play.caller(isGlobal), parts, (it, who) => {
      asGlobal(who, 'tenant_admin');
      if (!world.tenants.has(id)) throw new Refusal('tenant_not_found');
      world.credentials.add(it.credential);
      for (const place of [INSTALLATION, id]) world.count(place, 'configuration_changed');
      const capabilities = ['policy_admin', 'credential_admin'];
      return { credential: { tenant_id: id, revision: 1, spec: { capabilities, grants: [] } } };
    });
    joinCredential(play, made);
  },
};

const setQuota: Rule = {
  name: 'set a storage quota',
  weight: 1,
  run: async (play) => {
    const { dice, world } = play;
    const id = dice.one([...world.tenants.keys(), 'nowhere']);
    // Wide, so that no other step is refused.
    const quota = { max_entries: dice.one([null, WIDE]), max_bytes: dice.one([null, WIDE]) };
    const before = world.quotas.get(id) ?? NO_QUOTA;
    const expected_revision = dice.one([undefined, before.revision, before.revision + 1]);
    const parts = { id, document: { ...VERSION, ...quota, expected_revision } };
    await play.ask('setStorageQuota', play.caller(isGlobal), parts, (made, who) => {
      asGlobal(who, 'tenant_admin');
      if (!world.tenants.has(id)) throw new Refusal('tenant_not_found');
      if ((expected_revision ?? before.revision) !== before.revision) {
        throw new Refusal('revision_conflict');
      }
      if (JSON.stringify(before.quota) === JSON.stringify(quota))
        return { tenant_id: id, ...before };
      for (const place of [INSTALLATION, id]) world.count(place, 'configuration_changed');
      const isBounded = Object.values(quota).some((bound) => bound !== null);
      // Quotas of all tenants count on together, so the newest is above all others.
      const known = [...world.quotas.values()].map(({ revision }) => revision);
      const isNewest = made.revision > Math.max(0, ...known);
      const now = { quota, revision: isBounded ? (isNewest ? made.revision : -1) : 0 };
      world.quotas.set(id, now);
      return { tenant_id: id, ...now };
    });
  },
};

const showQuota: Rule = {
  name: 'show a storage quota',
  weight: 1,
  run: async (play) => {
    const { dice, world } = play;
    const id = dice.one([...world.tenants.keys(), 'nowhere']);
    await play.ask('getStorageQuota', play.caller(isGlobal), { id }, (_made, who) => {
      asGlobal(who, 'tenant_inspect');
      if (!world.tenants.has(id)) throw new Refusal('tenant_not_found');
      return { tenant_id: id, ...(world.quotas.get(id) ?? NO_QUOTA) };
    });
  },
};

const showUse: Rule = {
  name: 'count what a tenant stores',
  weight: 0.5,
  run: async (play) => {
    const { dice, world } = play;
    const id = dice.one([...world.tenants.keys(), 'nowhere']);
    const parts = { id, parameters: VERSION };
    await play.ask('getTenantUse', play.caller(isGlobal), parts, (_made, who) => {
      asGlobal(who, 'tenant_inspect');
      if (!world.tenants.has(id)) throw new Refusal('tenant_not_found');
      return { tenant_id: id, use: { is_complete: true }, next_cursor: null };
    });
  },
};

const eraseNoTenant: Rule = {
  name: 'erase a tenant that is none',
  weight: 0.5,
  run: async (play) => {
    // An erased tenant would take the callers of all other steps with it.
    const parts = { id: 'nowhere', document: VERSION };
    await play.ask('eraseTenant', play.caller(isGlobal), parts, (_made, who) => {
      asGlobal(who, 'master');
      throw new Refusal('tenant_not_found');
    });
    const id = '01934f2a-7c1b-7000-8000-00000000ffff';
    await play.ask('getTenantErasure', play.caller(isGlobal), { id }, (_made, who) => {
      asGlobal(who, 'master');
      throw new Refusal('erasure_not_found');
    });
  },
};

const erasures: Rule = {
  name: 'list erasures of tenants',
  weight: 0.5,
  run: async (play) => {
    const parts = { parameters: { ...VERSION, limit: 100 } };
    await play.ask('listTenantErasures', play.caller(isGlobal), parts, (_made, who) => {
      asGlobal(who, 'master');
      return { page: { items: [], next_cursor: null } };
    });
  },
};

/** Steps that manage the installation. */
export const installationRules = [
  ...[identity, issue, list, inspect, rotate, revoke],
  ...[register, inspectTenant, listTenants, appoint, setQuota, showQuota, showUse],
  ...[eraseNoTenant, erasures],
];
