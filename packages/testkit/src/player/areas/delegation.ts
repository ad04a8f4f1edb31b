/** Services that act for subjects: tokens, and the limits of subjects. */
import { capabilities } from '@agentkeep/core';
import { Refusal } from '../../models/outcome.js';
import { requireMayShutOut } from '../../models/people.js';
import { asTenant, type Principal } from '../../models/principal.js';
import { mayActFor } from '../../models/subject-model.js';
import type { World } from '../../models/world.js';
import { Whole } from '../compare.js';
import type { Rule } from '../rule.js';
import { VERSION } from '../vocabulary.js';
import { isCredentialAdmin, policyOf } from './credentials.js';
import { may } from './memory.js';

const SUBJECTS = ['ann', 'bob', 'carl'];

const issueToken: Rule = {
  name: 'act for a subject',
  weight: 2,
  run: async (play) => {
    const { dice, world } = play;
    const subject = dice.one(SUBJECTS);
    const caller = play.caller(may('act_for'));
    const expires_in_seconds = dice.one([59, 60, 900]);
    const document = { ...VERSION, subject_id: subject, expires_in_seconds };
    const made = await play.ask('issueSubjectToken', caller, { document }, (it, who) => {
      const service = asTenant(who, 'act_for');
      if (expires_in_seconds < 60) throw new Refusal('invalid_request');
      const limits = world.credentials.limitsOf(service.tenant_id, subject);
      if (who.kind !== 'credential') throw new Refusal('forbidden');
      if (!mayActFor(service, subject, limits)) throw new Refusal('forbidden');
      world.count(service.tenant_id, 'access_granted');
      const { access_token } = it;
      return new Whole({
        ...VERSION,
        access_token,
        token_type: 'Bearer',
        expires_in: expires_in_seconds,
      });
    });
    if (made === undefined || caller.kind !== 'credential') return;
    const { id, secretNumber, authority } = caller;
    play.join({
      kind: 'delegated',
      ...{ id, secretNumber, authority, subject },
      endsAt: (Math.floor(world.now / 1_000) + expires_in_seconds) * 1_000,
      proof: { kind: 'bearer', token: made.access_token },
    });
  },
};

const put: Rule = {
  name: 'limit a subject',
  weight: 1,
  run: async (play) => {
    const { dice, world } = play;
    const id = dice.one(SUBJECTS);
    const caller = play.caller(isCredentialAdmin);
    const known = world.credentials.limitsOf(caller.authority, id)?.revision ?? 0;
    const expected_revision = known + (dice.isLucky(15) ? 1 : 0);
    const limits = {
      is_blocked: dice.isLucky(25),
      capabilities: dice.isLucky(50) ? null : dice.some(capabilities),
      scope_policy: dice.isLucky(50) ? null : policyOf(dice),
      reason: dice.isLucky(50) ? null : 'A look into it.',
    };
    const document = { ...VERSION, expected_revision, ...limits };
    await play.ask('putSubject', caller, { id, document }, (_made, who) => {
      const admin = asTenant(who, 'credential_admin');
      if (limits.is_blocked) requireMayBlock(world, who, id);
      const revision = world.credentials.limitsOf(admin.tenant_id, id)?.revision ?? 0;
      if (revision !== expected_revision) throw new Refusal('revision_conflict');
      const subject = {
        ...limits,
        subject_id: id,
        revision: revision + 1,
        updated_at_millis: world.now,
        updated_by: admin.id,
      };
      world.credentials.limit(admin.tenant_id, subject);
      world.count(admin.tenant_id, 'configuration_changed');
      return new Whole({ ...VERSION, subject });
    });
  },
};

/** Refuses to block the caller's own subject, and an administrator that the caller can't manage. */
function requireMayBlock(world: World, who: Principal, subject: string): void {
  const admin = asTenant(who);
  if (admin.spec.subject_id === subject) throw new Refusal('forbidden');
  requireMayShutOut(world, who, admin.tenant_id, ({ credentialId }) => {
    if (credentialId === null) return false;
    return world.credentials.get(credentialId).shown.spec.subject_id === subject;
  });
}

const get: Rule = {
  name: 'show the limits of a subject',
  weight: 1,
  run: async (play) => {
    const id = play.dice.one(SUBJECTS);
    const caller = play.caller(isCredentialAdmin);
    await play.ask('getSubject', caller, { id }, (_made, who) => {
      const { tenant_id } = asTenant(who, 'credential_admin');
      const subject = play.world.credentials.limitsOf(tenant_id, id);
      if (subject === undefined) throw new Refusal('subject_not_found');
      return new Whole({ ...VERSION, subject });
    });
  },
};

const list: Rule = {
  name: 'list the limits of subjects',
  weight: 1,
  run: async (play) => {
    const caller = play.caller(isCredentialAdmin);
    const parameters = { ...VERSION, limit: 100 };
    await play.ask('listSubjects', caller, { parameters }, (_made, who) => {
      const { tenant_id } = asTenant(who, 'credential_admin');
      const items = play.world.credentials.limited(tenant_id);
      return new Whole({ ...VERSION, page: { items, next_cursor: null } });
    });
  },
};

/** Steps in which services act for subjects. */
export const delegationRules = [issueToken, put, get, list];
