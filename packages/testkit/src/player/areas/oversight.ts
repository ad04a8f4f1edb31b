/**
 * Health, keys, the audit log, statistics and snapshots.
 */
import { Refusal } from '../../models/outcome.js';
import { actingAuthority } from '../../models/people.js';
import { type Caller, type Principal, requireRole } from '../../models/principal.js';
import type { Play } from '../play.js';
import type { Rule } from '../rule.js';
import { INSTALLATION, nameKey } from '../../models/world.js';
import { isAdmin, tenancy } from './users.js';

/**
 * Types of events that commit with their change. The model counts them all, of failed logins only
 * wrong passwords: other refusals are stored later, which a crash prevents.
 */
const COUNTED = [
  'login',
  'login_failed',
  'logout',
  'session_ended',
  'user_deleted',
  'token_revoked',
  'all_tokens_revoked',
  'api_key_created',
  'account_locked',
] as const;

const health: Rule = {
  name: 'health and keys',
  weight: 1,
  run: async (play) => {
    await play.askWithoutProof('getHealth', {}, () => ({ status: 'healthy' }));
    await play.askWithoutProof('jwks', {}, () => ({ keys: [{ kty: 'RSA', alg: 'RS256' }] }));
  },
};

function queryAudit(operation: 'queryAudit' | 'queryAuditLogs'): Rule {
  return {
    name: operation,
    weight: 3,
    run: async (play) => {
      const { dice, world } = play;
      const event_type = dice.one(COUNTED);
      const wrongPassword = { action: 'login_failed', result: 'failure' } as const;
      const kind = event_type === 'login_failed' ? wrongPassword : {};
      const parameters = { event_type, ...kind, limit: 1_000, ...tenancy(play) };
      const caller = play.caller(isAdmin);
      await play.ask(operation, caller, { parameters }, (made, who) => {
        requireRole(who);
        const authority = actingAuthority(world, who, parameters.tenant_id);
        const isEverywhere = authority === INSTALLATION && parameters.tenant_id === undefined;
        const places = isEverywhere ? [INSTALLATION, ...world.tenants.keys()] : [authority];
        const counts = places.map((each) => world.events.get(nameKey(each, event_type)) ?? 0);
        const count = counts.reduce((sum, each) => sum + each, 0);
        const tenant_id = authority === INSTALLATION ? null : authority;
        const event = { event_type, ...(isEverywhere ? {} : { tenant_id }) };
        return { count, events: made.events.map(() => event) };
      });
    },
  };
}

const verifyAuditChain: Rule = {
  name: 'verify the chain of the audit log',
  weight: 0.5,
  run: async (play) => {
    const parameters = tenancy(play);
    await play.ask('verifyAuditChain', play.caller(isAdmin), { parameters }, (_made, who) => {
      requireRole(who);
      const authority = actingAuthority(play.world, who, parameters.tenant_id);
      return { tenant_id: authority === INSTALLATION ? null : authority, broken: null };
    });
  },
};

async function askStats(play: Play, caller: Caller): Promise<void> {
  const { world } = play;
  await play.ask('getStats', caller, {}, (made, who) => {
    requireOverseer(who);
    // What branches hold is counted until it is removed in the background.
    const [least, more] = [world.memory.counts, world.branches.counts];
    const counted = (name: keyof typeof least, proposed: number): number => {
      const [is, from] = [made.entries[name], least[name] + proposed];
      return is >= from && is <= from + more[name] ? is : from;
    };
    const proposed = world.proposals.recordsAt(world.now);
    const isKnown = typeof proposed === 'number';
    return {
      entries: {
        tenants: world.tenants.size,
        credentials: world.credentials.count + world.globals.size,
        accounts: world.accounts.length,
        memory_records: isKnown ? counted('memory_records', proposed) : proposed,
        receipts: counted('receipts', world.proposals.receipts),
      },
    };
  });
}

const stats: Rule = {
  name: 'statistics',
  weight: 1,
  run: (play) => askStats(play, play.caller(isOverseer)),
};

/** Belongs at the end of a history: the master reads the counts. */
const counts: Rule = {
  name: 'compare counts',
  weight: 0,
  run: async (play) => {
    const master = play.callers.find(({ kind }) => kind === 'global');
    if (master !== undefined) await askStats(play, master);
  },
};

function isOverseer({ role, authority }: Principal): boolean {
  return role !== null && authority === INSTALLATION;
}

function requireOverseer(who: Principal): void {
  if (!isOverseer(who)) throw new Refusal('forbidden');
}

const createSnapshot: Rule = {
  name: 'create a snapshot',
  weight: 0.2,
  run: async (play) => {
    const { world } = play;
    await play.ask('createSnapshot', play.caller(isOverseer), {}, (_made, who) => {
      requireOverseer(who);
      if (!play.isOnDisk) throw new Refusal('no_data_directory');
      world.snapshots += 1;
      return {};
    });
  },
};

const listSnapshots: Rule = {
  name: 'list snapshots',
  weight: 0.5,
  run: async (play) => {
    await play.ask('listSnapshots', play.caller(isOverseer), {}, (_made, who) => {
      requireOverseer(who);
      if (!play.isOnDisk) throw new Refusal('no_data_directory');
      return { count: play.world.snapshots };
    });
  },
};

const getSnapshotSchedule: Rule = {
  name: 'show the schedule of snapshots',
  weight: 0.25,
  run: async (play) => {
    await play.ask('getSnapshotSchedule', play.caller(isOverseer), {}, (_made, who) => {
      requireOverseer(who);
      if (!play.isOnDisk) throw new Refusal('no_data_directory');
      const nothing = { every_secs: null, keep: null, due_at: null, newest_id: null };
      return { ...nothing, is_stored: false, revision: 0 };
    });
  },
};

/** Steps that oversee a keep. */
export const oversightRules = [
  ...[health, queryAudit('queryAudit'), queryAudit('queryAuditLogs'), verifyAuditChain],
  ...[stats, counts, createSnapshot, listSnapshots, getSnapshotSchedule],
];
