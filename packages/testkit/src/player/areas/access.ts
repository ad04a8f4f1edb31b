/** Who reaches what: the holders of a scope, and what others may see of it. */
import type { Credential, Scope } from '@agentkeep/core';
import { fullScope } from '../../models/credential-model.js';
import { Refusal } from '../../models/outcome.js';
import { asTenant } from '../../models/principal.js';
import { actingFor, mayActFor, permits, type ShownSubject } from '../../models/subject-model.js';
import { Whole } from '../compare.js';
import type { Rule } from '../rule.js';
import { GRANTED, VERSION } from '../vocabulary.js';
import { isCredentialAdmin } from './credentials.js';

const SUBJECTS = ['ann', 'bob', 'carl'];
const PAGE = 100;

const holders: Rule = {
  name: 'list the holders of a scope',
  weight: 1,
  run: async (play) => {
    const { dice, world } = play;
    const caller = play.caller(isCredentialAdmin);
    const scope = fullScope(dice.one(GRANTED));
    const isPrivate = scope.visibility === 'private';
    const subject = isPrivate && dice.isLucky(60) ? dice.one(SUBJECTS) : null;
    const document = { ...VERSION, scope, subject_id: subject, limit: PAGE };
    await play.ask('listScopeHolders', caller, { document }, (_made, who) => {
      const { tenant_id } = asTenant(who, 'credential_admin');
      const limits = subject === null ? undefined : world.credentials.limitsOf(tenant_id, subject);
      const live = world.credentials.list(tenant_id).filter((each) => isLive(each, world.now));
      const all = live.flatMap((each) => holderOf(each, { scope, subject, limits }) ?? []);
      const items = all.slice(0, PAGE);
      if (all.length > PAGE) return { page: { items } };
      return new Whole({ ...VERSION, page: { items, next_cursor: null } });
    });
  },
};

function isLive({ revoked_at_millis: endedAt, spec }: Credential, now: number): boolean {
  return endedAt === null && (spec.expires_at_millis === null || now < spec.expires_at_millis);
}

interface Wanted {
  readonly scope: Scope;
  readonly subject: string | null;
  readonly limits: ShownSubject | undefined;
}

function holderOf(shown: Credential, { scope, subject, limits }: Wanted) {
  const { id: credential_id, spec } = shown;
  const holder = { credential_id, subject_id: spec.subject_id };
  if ((subject === null || subject === spec.subject_id) && reaches(spec, scope)) {
    return { ...holder, capabilities: spec.capabilities };
  }
  if (subject === null || !mayActFor(shown, subject, limits)) return undefined;
  if (!spec.capabilities.includes('act_for')) return undefined;
  const acting = actingFor(shown, subject, limits).spec;
  if (!reaches(acting, scope)) return undefined;
  return { ...holder, capabilities: acting.capabilities, acts_for: spec.act_for };
}

function reaches({ grants, scope_policy: policy }: Credential['spec'], scope: Scope): boolean {
  const textOf = (each: Scope) =>
    JSON.stringify([each.project_id, each.mission_id, each.agent_id, each.visibility]);
  const isGranted = grants.some((grant) => textOf(fullScope(grant)) === textOf(scope));
  return isGranted || (policy !== undefined && permits(policy, scope));
}

const preview: Rule = {
  name: 'preview the reach of a subject',
  weight: 1,
  run: async (play) => {
    const caller = play.caller(isCredentialAdmin);
    const subject_id = play.dice.one([...SUBJECTS, '']);
    const document = { ...VERSION, subject_id };
    await play.ask('previewReach', caller, { document }, (_made, who) => {
      asTenant(who, 'credential_admin');
      if (subject_id === '') throw new Refusal('invalid_request');
      return { ...VERSION };
    });
  },
};

const scopes: Rule = {
  name: 'list scopes',
  weight: 1,
  run: async (play) => {
    const caller = play.caller(isCredentialAdmin);
    const parameters = { ...VERSION, limit: PAGE };
    await play.ask('listScopes', caller, { parameters }, (_made, who) => {
      const { capabilities } = asTenant(who).spec;
      const isReader = capabilities.includes('memory_read');
      if (!isReader && !capabilities.includes('credential_admin')) throw new Refusal('forbidden');
      return { ...VERSION };
    });
  },
};

const subjects: Rule = {
  name: 'list known subjects',
  weight: 1,
  run: async (play) => {
    const { world } = play;
    const caller = play.caller(isCredentialAdmin);
    const parameters = { ...VERSION, limit: PAGE };
    await play.ask('listKnownSubjects', caller, { parameters }, (made, who) => {
      const { tenant_id } = asTenant(who, 'credential_admin');
      const all = world.credentials.list(tenant_id);
      // Which private scopes hold something follows from calls of all areas: it is not compared.
      const items = made.page.items.map(({ subject_id, private_scopes }) => {
        const own = all.filter(({ spec }) => spec.subject_id === subject_id);
        const live_credentials = own.filter((each) => isLive(each, world.now)).length;
        const ended_credentials = own.length - live_credentials;
        const is_blocked = world.credentials.limitsOf(tenant_id, subject_id)?.is_blocked ?? false;
        return { subject_id, live_credentials, ended_credentials, private_scopes, is_blocked };
      });
      return { page: { items } };
    });
  },
};

const erase: Rule = {
  name: 'erase an unused scope',
  weight: 1,
  run: async (play) => {
    const caller = play.caller(isCredentialAdmin);
    const unused = {
      project_id: 'unused',
      agent_id: 'a',
      mission_id: null,
      visibility: 'shared',
    } as const;
    const target = { kind: 'scope', scope: unused } as const;
    const document = { ...VERSION, target };
    const started = await play.ask('startErasure', caller, { document }, (_made, who) => {
      const { id, tenant_id } = asTenant(who, 'credential_admin');
      play.world.count(tenant_id, 'erasure_requested');
      return { ...VERSION, erasure: { kind: 'scope', pseudonym: null, requested_by: id } };
    });
    if (started === undefined) return;
    const { id } = started.erasure;
    await play.ask('getErasure', caller, { id }, (_made, who) => {
      asTenant(who, 'credential_admin');
      return { ...VERSION, erasure: { id, kind: 'scope', pseudonym: null } };
    });
  },
};

const erasures: Rule = {
  name: 'list erasures',
  weight: 1,
  run: async (play) => {
    const caller = play.caller(isCredentialAdmin);
    const parameters = { ...VERSION, limit: PAGE };
    await play.ask('listErasures', caller, { parameters }, (_made, who) => {
      asTenant(who, 'credential_admin');
      return { ...VERSION };
    });
  },
};

const showErasure: Rule = {
  name: 'show an erasure that is none',
  weight: 1,
  run: async (play) => {
    const caller = play.caller(isCredentialAdmin);
    const id = '01934f2a-7c1b-7000-8000-00000000ffff';
    await play.ask('getErasure', caller, { id }, (_made, who) => {
      asTenant(who, 'credential_admin');
      throw new Refusal('erasure_not_found');
    });
  },
};

/** Steps in which administrators ask who reaches what, and erase an unused scope. */
export const accessRules = [holders, preview, scopes, subjects, erase, erasures, showErasure];
