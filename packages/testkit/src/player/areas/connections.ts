/** Programs that accounts let in: approvals, which only the authorization server redeems. */
import type { Credential, Scope } from '@agentkeep/core';
import { fullScope } from '../../models/credential-model.js';
import { Refusal } from '../../models/outcome.js';
import { asAccount, type Principal } from '../../models/principal.js';
import { permits } from '../../models/subject-model.js';
import { timeText } from '../../models/world.js';
import type { Rule } from '../rule.js';
import { GRANTED, UNKNOWN_ID } from '../vocabulary.js';

const LIFE_MS = 600_000;

const capabilitiesOf = {
  read: ['memory_read', 'experience_read', 'tool_read'],
  write: ['memory_write', 'memory_propose', 'experience_write'],
  learn: ['procedure_propose', 'procedure_evaluate'],
} as const;

type Access = keyof typeof capabilitiesOf;

const program = { client_id: 'https://notes.test/client.json', client_host: 'notes.test' };

function isPerson({ account }: Principal): boolean {
  return account !== undefined;
}

function gives({ spec }: Credential, access: Access): boolean {
  return capabilitiesOf[access].some((each) => spec.capabilities.includes(each));
}

function reaches({ spec }: Credential, scope: Scope): boolean {
  const { grants, scope_policy: policy } = spec;
  const isGranted = grants.some((each) => JSON.stringify(spelled(each)) === JSON.stringify(scope));
  return isGranted || (policy !== undefined && permits(policy, scope));
}

/** A scope with its members in one order. */
function spelled({ project_id, mission_id, agent_id, visibility }: Scope): Scope {
  return { project_id, mission_id, agent_id, visibility };
}

const approve: Rule = {
  name: 'approve a program',
  weight: 1,
  run: async (play) => {
    const { dice, world } = play;
    const caller = play.caller(({ session }) => session !== undefined);
    const access = [dice.one(['read', 'write', 'learn'] as const)];
    const grants = [spelled(fullScope(dice.one(GRANTED)))];
    const expires_in_days = dice.one([0, 1, 30]);
    const document = { ...program, client_name: null, access, grants, expires_in_days };
    await play.ask('approveConnection', caller, { document }, (_made, who) => {
      asAccount(who);
      if (who.session === undefined) throw new Refusal('forbidden');
      if (expires_in_days < 1) throw new Refusal('invalid_request');
      const { credential } = who;
      if (credential === undefined) throw new Refusal('forbidden');
      const mayGive = access.every((each) => gives(credential, each));
      const mayReach = grants.every((each) => reaches(credential, each));
      if (!mayGive || !mayReach) throw new Refusal('forbidden');
      return { redeem_until: timeText(world.now + LIFE_MS) };
    });
  },
};

const list: Rule = {
  name: 'list the programs of an account',
  weight: 1,
  run: async (play) => {
    await play.ask('listConnections', play.caller(isPerson), {}, (_made, who) => {
      asAccount(who);
      return { connections: [] };
    });
  },
};

const end: Rule = {
  name: 'end a program of an account',
  weight: 1,
  run: async (play) => {
    await play.ask('endConnection', play.caller(isPerson), { id: UNKNOWN_ID }, (_made, who) => {
      asAccount(who);
      throw new Refusal('target_not_found');
    });
  },
};

/** Steps that let programs in. */
export const connectionRules = [approve, list, end];
