/** Issuers that tenants trust, the credentials that they prove, and their tokens. */
import type { PartsOf } from '@agentkeep/core/clients';
import { Refusal } from '../../models/outcome.js';
import { asTenant, isProvable } from '../../models/principal.js';
import { INSTALLATION, type TrustedIssuer } from '../../models/world.js';
import { testIssuer } from '../../test-issuer.js';
import { Whole } from '../compare.js';
import type { Rule } from '../rule.js';
import { GRANTED, VERSION } from '../vocabulary.js';
import { isCredentialAdmin } from './credentials.js';

const NAMES = ['ci', 'cluster'];
const AUDIENCE = 'agentkeep';
const signer = testIssuer('k1', 'ed25519');
const KEYS = {
  mode: 'inline' as const,
  keys: [signer.key],
} as unknown as PartsOf<'putTrustedIssuer'>['document']['keys'] & TrustedIssuer['keys'];

const put: Rule = {
  name: 'trust an issuer',
  weight: 1,
  run: async (play) => {
    const { dice, world } = play;
    const name = dice.one(NAMES);
    const caller = play.caller(isCredentialAdmin);
    const known = world.issuers.get(`${caller.authority}/${name}`)?.revision ?? 0;
    const expectedRevision = known + (dice.isLucky(15) ? 1 : 0);
    const is_blocked = dice.isLucky(15);
    const trust = { issuer: null, audience: AUDIENCE, keys: KEYS, is_blocked };
    const document = { ...VERSION, expected_revision: expectedRevision, ...trust };
    await play.ask('putTrustedIssuer', caller, { id: name, document }, (_made, who) => {
      const admin = asTenant(who, 'credential_admin');
      const revision = world.issuers.get(`${admin.tenant_id}/${name}`)?.revision ?? 0;
      if (revision !== expectedRevision) throw new Refusal('revision_conflict');
      const made = { updated_at_millis: world.now, updated_by: admin.id };
      const issuer = { name, revision: revision + 1, ...trust, ...made };
      world.issuers.set(`${admin.tenant_id}/${name}`, issuer);
      world.count(admin.tenant_id, 'configuration_changed');
      return new Whole({ ...VERSION, issuer });
    });
  },
};

const show: Rule = {
  name: 'show an issuer',
  weight: 1,
  run: async (play) => {
    const name = play.dice.one(NAMES);
    const caller = play.caller(isCredentialAdmin);
    await play.ask('getTrustedIssuer', caller, { id: name }, (_made, who) => {
      const { tenant_id } = asTenant(who, 'credential_admin');
      const issuer = play.world.issuers.get(`${tenant_id}/${name}`);
      if (issuer === undefined) throw new Refusal('issuer_not_found');
      return new Whole({ ...VERSION, issuer });
    });
  },
};

const list: Rule = {
  name: 'list issuers',
  weight: 1,
  run: async (play) => {
    const parameters = { ...VERSION, limit: 100 };
    const caller = play.caller(isCredentialAdmin);
    await play.ask('listTrustedIssuers', caller, { parameters }, (_made, who) => {
      const { tenant_id } = asTenant(who, 'credential_admin');
      const items = NAMES.flatMap((name) => {
        const issuer = play.world.issuers.get(`${tenant_id}/${name}`);
        return issuer === undefined ? [] : [issuer];
      });
      return new Whole({ ...VERSION, page: { items, next_cursor: null } });
    });
  },
};

const issue: Rule = {
  name: 'issue a credential for an issuer',
  weight: 1,
  run: async (play) => {
    const { dice, world } = play;
    const caller = play.caller(isCredentialAdmin);
    const capabilities = [dice.one(['memory_read', 'credential_admin'] as const)];
    const spec = { subject_id: 'deployer', capabilities, grants: dice.some(GRANTED) };
    const federation = {
      issuer: dice.one(NAMES),
      sub: { mode: 'prefix' as const, prefix: 'repo:acme/' },
      claims: [],
      subject_claim: null,
      token_seconds: dice.one([60, 3_600]),
    };
    const document = { ...VERSION, spec, federation };
    await play.ask('issueFederatedCredential', caller, { document }, (made, who) => {
      const admin = asTenant(who, 'credential_admin');
      if (admin.spec.expires_at_millis !== null) throw new Refusal('forbidden');
      if (!world.issuers.has(`${admin.tenant_id}/${federation.issuer}`)) {
        throw new Refusal('issuer_not_found');
      }
      const { id } = made.credential;
      const credential = world.credentials.issueFederated(
        admin,
        { id, federation },
        spec,
        world.now,
      );
      world.count(admin.tenant_id, 'configuration_changed');
      return new Whole({ ...VERSION, credential });
    });
  },
};

const exchange: Rule = {
  name: 'exchange an assertion',
  weight: 2,
  run: async (play) => {
    const { dice, world } = play;
    const { authority } = play.caller(isCredentialAdmin);
    const known = world.credentials.list(authority).filter(({ federation }) => federation);
    if (known.length === 0) return;
    const { id, federation, spec } = dice.one(known);
    const isOurs = dice.isLucky(80);
    const nowSecs = Math.floor(play.clock.now() / 1_000);
    const sub = isOurs ? 'repo:acme/app' : 'repo:other/app';
    const assertion = signer.sign({ aud: AUDIENCE, sub, exp: nowSecs + 600 });
    const document = { ...VERSION, credential_id: id, assertion };
    const lifetime = federation?.token_seconds ?? 0;
    const made = await play.askWithoutProof(
      'issueFederatedToken',
      { document },
      ({ access_token }) => {
        const refused = new Refusal('assertion_refused');
        if (!isProvable(world, id)) {
          world.count(INSTALLATION, 'permission_denied');
          throw refused;
        }
        const isBlocked = world.credentials.limitsOf(authority, spec.subject_id)?.is_blocked;
        if (!isOurs || isBlocked === true) {
          world.count(authority, 'permission_denied');
          throw refused;
        }
        world.count(authority, 'access_granted');
        return new Whole({
          ...VERSION,
          access_token,
          token_type: 'Bearer',
          expires_in: lifetime,
        });
      },
      authority,
    );
    if (made === undefined || federation === undefined) return;
    play.join({
      kind: 'federated',
      ...{ id, authority },
      issuerRevision: world.issuers.get(`${authority}/${federation.issuer}`)?.revision ?? 0,
      endsAt: (nowSecs + lifetime) * 1_000,
      proof: { kind: 'bearer', token: made.access_token },
    });
  },
};

/** Steps with issuers. */
export const federationRules = [put, show, list, issue, exchange];
