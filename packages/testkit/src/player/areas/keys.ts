/** Credentials that have keys instead of secrets, and whether a tenant requires them. */
import { createHash } from 'node:crypto';
import { Refusal } from '../../models/outcome.js';
import { asTenant } from '../../models/principal.js';
import { Whole } from '../compare.js';
import type { Rule } from '../rule.js';
import { GRANTED, VERSION } from '../vocabulary.js';
import { isCredentialAdmin, isLastAdmin, target } from './credentials.js';

/** The key of RFC 8037, appendix A.2, with its members in order. */
const KEY = {
  crv: 'Ed25519',
  kty: 'OKP',
  x: '11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo',
} as const;
const thumbprint = createHash('sha256').update(JSON.stringify(KEY)).digest('base64url');

function tokenOf(id: string): string {
  return `akk1_${id.replaceAll('-', '')}`;
}

const issueKey: Rule = {
  name: 'issue a credential for a key',
  weight: 1,
  run: async (play) => {
    const { world, dice } = play;
    const grants = dice.some(GRANTED);
    const spec = { subject_id: 'robot', capabilities: ['memory_read' as const], grants };
    const document = { ...VERSION, spec, public_key: KEY };
    await play.ask(
      'issueKeyCredential',
      play.caller(isCredentialAdmin),
      { document },
      ({ credential: { id } }, who) => {
        const admin = asTenant(who, 'credential_admin');
        const credential = world.credentials.issueForKey(
          admin,
          { id, thumbprint },
          spec,
          world.now,
        );
        world.count(admin.tenant_id, 'configuration_changed');
        return new Whole({ ...VERSION, credential, token: tokenOf(id) });
      },
      async ({ credentials }) => ({ ...VERSION, ...(await credentials.issueForKey(spec, KEY)) }),
    );
  },
};

const replaceKey: Rule = {
  name: 'replace a secret by a key',
  weight: 1,
  run: async (play) => {
    const { world, dice } = play;
    const caller = play.caller(isCredentialAdmin);
    const { id, revision: expectedRevision } = target(play, caller.authority);
    if (isLastAdmin(play, id)) return;
    const overlapSeconds = dice.isLucky(50) ? 60 : 0;
    const document = { ...VERSION, expected_revision: expectedRevision, public_key: KEY };
    const parts = { id, document: { ...document, overlap_seconds: overlapSeconds } };
    await play.ask(
      'replaceCredentialKey',
      caller,
      parts,
      (_made, who) => {
        const admin = asTenant(who, 'credential_admin');
        const change = { expectedRevision, overlapSeconds, thumbprint };
        const credential = world.credentials.replaceKey(admin, id, change, world.now);
        world.count(admin.tenant_id, 'configuration_changed');
        return new Whole({ ...VERSION, credential, token: tokenOf(id) });
      },
      async ({ credentials }) => ({
        ...VERSION,
        ...(await credentials.replaceKey(id, KEY, expectedRevision, { overlapSeconds })),
      }),
    );
  },
};

const requirement: Rule = {
  name: 'allow secrets',
  weight: 1,
  run: async (play) => {
    const { world, dice } = play;
    const caller = play.caller(isCredentialAdmin);
    // Only a caller without a secret could require keys, and then no other caller would be proved.
    const requires_keys = caller.kind === 'credential' && dice.isLucky(30);
    const known = world.keyRequirements.get(caller.authority)?.revision ?? 0;
    const expected_revision = known + (dice.isLucky(20) ? 1 : 0);
    const document = { ...VERSION, expected_revision, requires_keys };
    await play.ask('putKeyRequirement', caller, { document }, (_made, who) => {
      const admin = asTenant(who, 'credential_admin');
      if (requires_keys) throw new Refusal('forbidden');
      const before = world.keyRequirements.get(admin.tenant_id)?.revision ?? 0;
      if (before !== expected_revision) throw new Refusal('revision_conflict');
      const stated = {
        revision: before + 1,
        requires_keys,
        updated_at_millis: world.now,
        updated_by: admin.id,
      };
      world.keyRequirements.set(admin.tenant_id, stated);
      world.count(admin.tenant_id, 'configuration_changed');
      return new Whole({ ...VERSION, requirement: stated });
    });
  },
};

const showRequirement: Rule = {
  name: 'show whether keys are required',
  weight: 1,
  run: async (play) => {
    await play.ask('getKeyRequirement', play.caller(isCredentialAdmin), {}, (_made, who) => {
      const { tenant_id } = asTenant(who, 'credential_admin');
      const none = { revision: 0, requires_keys: false, updated_at_millis: null, updated_by: null };
      const stated = play.world.keyRequirements.get(tenant_id);
      return new Whole({ ...VERSION, requirement: stated ?? none });
    });
  },
};

/** Steps with keys. */
export const keyRules = [issueKey, replaceKey, requirement, showRequirement];
