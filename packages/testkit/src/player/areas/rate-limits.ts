/**
 * Rate-limit policies of the installation.
 */
import { Refusal } from '../../models/outcome.js';
import type { Play } from '../play.js';
import { actorOf, type Principal, requireRole } from '../../models/principal.js';
import type { Rule } from '../rule.js';
import { UNKNOWN_ID } from '../vocabulary.js';
import { INSTALLATION, type RatePolicy } from '../../models/world.js';

function isFit({ role, authority }: Principal): boolean {
  return role !== null && authority === INSTALLATION;
}

function require(who: Principal): void {
  requireRole(who);
  if (who.authority !== INSTALLATION) throw new Refusal('forbidden');
}

const create: Rule = {
  name: 'create a rate limit',
  weight: 1,
  run: async (play) => {
    const { dice, world } = play;
    const document = {
      name: dice.one(['tight', 'loose']),
      endpoint_type: dice.one(['Login' as const, { Custom: '/api/v1/memory' }]),
      max_requests: 1 + dice.below(1_000),
      window_secs: 1 + dice.below(1_000),
      enabled: dice.isLucky(70),
    };
    await play.ask('createRateLimit', play.caller(isFit), { document }, (made, who) => {
      require(who);
      // With the four policies of the first start.
      if (world.policies.length + 4 >= 256) throw new Refusal('rate_limit_policy_limit');
      const created_by = actorId(who);
      const policy = { id: made.id, created_by, ...document };
      world.policies.push(policy);
      world.count(INSTALLATION, 'configuration_changed');
      return policy;
    });
  },
};

/** The id of the account or credential that holds the proof. */
function actorId(who: Principal): string {
  return who.account?.id ?? actorOf(who);
}

const list: Rule = {
  name: 'list rate limits',
  weight: 1,
  run: async (play) => {
    await play.ask('listRateLimits', play.caller(isFit), { parameters: {} }, (made, who) => {
      require(who);
      // Only the service knows the ids of the four policies of the first start.
      const isOwn = ({ created_by }: { created_by: string }) => created_by !== 'system';
      const own = made.policies.filter(isOwn).map(({ id }) => id);
      const newest = play.world.policies.map(({ id }) => id).reverse();
      if (String(own) !== String(newest)) throw new Error(`Policies are ${String(own)}`);
      return {
        policies: made.policies.map((each) => find(play, each.id) ?? { created_by: 'system' }),
        next_cursor: null,
      };
    });
  },
};

function find({ world }: Play, id: string): RatePolicy | undefined {
  return world.policies.find((each) => each.id === id);
}

function some({ dice, world }: Play): string {
  return dice.isLucky(80) ? (dice.any(world.policies)?.id ?? UNKNOWN_ID) : UNKNOWN_ID;
}

function known(play: Play, who: Principal, id: string): RatePolicy {
  require(who);
  const policy = find(play, id);
  if (policy === undefined) throw new Refusal('target_not_found');
  return policy;
}

const get: Rule = {
  name: 'get a rate limit',
  weight: 1,
  run: async (play) => {
    const id = some(play);
    await play.ask('getRateLimit', play.caller(isFit), { id }, (_, who) => known(play, who, id));
  },
};

const update: Rule = {
  name: 'update a rate limit',
  weight: 1,
  run: async (play) => {
    const { dice } = play;
    const id = some(play);
    const document = { max_requests: 1 + dice.below(9), enabled: dice.isLucky(50) };
    await play.ask('updateRateLimit', play.caller(isFit), { id, document }, (_made, who) =>
      Object.assign(known(play, who, id), document),
    );
  },
};

const remove: Rule = {
  name: 'delete a rate limit',
  weight: 1,
  run: async (play) => {
    const id = some(play);
    await play.ask('deleteRateLimit', play.caller(isFit), { id }, (_made, who) => {
      const { policies } = play.world;
      policies.splice(policies.indexOf(known(play, who, id)), 1);
      return { success: true };
    });
  },
};

/** Steps that manage rate limits. */
export const rateLimitRules = [create, list, get, update, remove];
