/** Webhooks of tenants: made, shown, changed, ended. */
import type { WebhookChoice } from '../../models/webhook-model.js';
import { Refusal } from '../../models/outcome.js';
import { asTenant, type Principal } from '../../models/principal.js';
import type { Play } from '../play.js';
import type { Rule } from '../rule.js';
import { UNKNOWN_ID, VERSION } from '../vocabulary.js';
import { isCredentialAdmin } from './credentials.js';

/** The action of their events. */
const CHANGED = 'configuration_changed';

function choiceOf({ dice }: Play): WebhookChoice {
  const name = dice.one(['first', 'second', 'third', 'fourth']);
  return {
    name,
    url: `https://hooks.example.com/${name}`,
    actions: dice.isLucky(50) ? null : ['created', 'deleted'],
    enabled: dice.isLucky(80),
  };
}

const admin = (who: Principal) => asTenant(who, 'credential_admin');

function some({ dice, world }: Play): string {
  return dice.isLucky(85) ? (dice.any(world.webhooks.ids) ?? UNKNOWN_ID) : UNKNOWN_ID;
}

/** Mostly the revision that is expected. */
const revisionOf = ({ dice }: Play): number => (dice.isLucky(60) ? 1 : 1 + dice.below(3));

const create: Rule = {
  name: 'create a webhook',
  weight: 1,
  run: async (play) => {
    const { world } = play;
    const choice = choiceOf(play);
    const document = {
      ...VERSION,
      ...choice,
      actions: actionsOf(choice),
      scopes: null,
      after: null,
    };
    await play.ask('createWebhook', play.caller(isCredentialAdmin), { document }, (made, who) => {
      const owner = admin(who);
      const at = { id: made.webhook.id, now: world.now };
      const webhook = world.webhooks.create(owner, choice, at);
      world.count(owner.tenant_id, CHANGED);
      return { ...VERSION, webhook };
    });
  },
};

const actionsOf = ({ actions }: WebhookChoice) =>
  actions === null ? null : (['created', 'deleted'] as ('created' | 'deleted')[]);

const list: Rule = {
  name: 'list webhooks',
  weight: 0.5,
  run: async (play) => {
    const parts = { parameters: VERSION };
    await play.ask('listWebhooks', play.caller(isCredentialAdmin), parts, (_made, who) => ({
      ...VERSION,
      webhooks: play.world.webhooks.list(admin(who), play.world.now),
    }));
  },
};

const look: Rule = {
  name: 'look at a webhook',
  weight: 0.7,
  run: async (play) => {
    const { dice, world } = play;
    const id = some(play);
    const name = dice.one(['getWebhook', 'listWebhookDeadLetters'] as const);
    const parts = { id, parameters: VERSION };
    await play.ask(name, play.caller(isCredentialAdmin), parts, (_made, who) => {
      const webhook = world.webhooks.get(admin(who), id, world.now);
      return { ...VERSION, ...(name === 'getWebhook' ? { webhook } : { dead_letters: [] }) };
    });
  },
};

const update: Rule = {
  name: 'update a webhook',
  weight: 0.7,
  run: async (play) => {
    const { world } = play;
    const [id, expectedRevision, choice] = [some(play), revisionOf(play), choiceOf(play)];
    const document = {
      ...{ ...VERSION, ...choice, actions: actionsOf(choice), scopes: null },
      expected_revision: expectedRevision,
    };
    const caller = play.caller(isCredentialAdmin);
    await play.ask('updateWebhook', caller, { id, document }, (_made, who) => {
      const owner = admin(who);
      const webhook = world.webhooks.update(owner, { id, expectedRevision, choice }, world.now);
      world.count(owner.tenant_id, CHANGED);
      return { ...VERSION, webhook };
    });
  },
};

const rotate: Rule = {
  name: 'rotate the secret of a webhook',
  weight: 0.7,
  run: async (play) => {
    const { dice, world } = play;
    const [id, expectedRevision] = [some(play), revisionOf(play)];
    const overlap_seconds = dice.one([0, 60, 86_400]);
    const document = { ...VERSION, expected_revision: expectedRevision, overlap_seconds };
    const caller = play.caller(isCredentialAdmin);
    await play.ask('rotateWebhookSecret', caller, { id, document }, (_made, who) => {
      const { tenant_id } = admin(who);
      const target = { id, expectedRevision, overlapMs: overlap_seconds * 1_000 };
      const webhook = world.webhooks.rotate(admin(who), target, world.now);
      world.count(tenant_id, CHANGED);
      return { ...VERSION, webhook };
    });
  },
};

const replay: Rule = {
  name: 'replay dead letters',
  weight: 0.3,
  run: async (play) => {
    const { dice, world } = play;
    const id = some(play);
    const dead_letter_id = dice.isLucky(70) ? null : UNKNOWN_ID;
    const parts = { id, document: { ...VERSION, dead_letter_id } };
    await play.ask(
      'replayWebhookDeadLetters',
      play.caller(isCredentialAdmin),
      parts,
      (_made, who) => {
        const webhook = world.webhooks.get(admin(who), id, world.now);
        if (dead_letter_id !== null) throw new Refusal('target_not_found');
        return { ...VERSION, webhook };
      },
    );
  },
};

const end: Rule = {
  name: 'delete a webhook',
  weight: 0.5,
  run: async (play) => {
    const { world } = play;
    const id = some(play);
    const parts = { id, parameters: VERSION };
    await play.ask('deleteWebhook', play.caller(isCredentialAdmin), parts, (_made, who) => {
      const { tenant_id } = admin(who);
      world.webhooks.delete(admin(who), id);
      world.count(tenant_id, CHANGED);
      return { ...VERSION, deleted: true };
    });
  },
};

/** Steps with webhooks. */
export const webhookRules = [create, list, look, update, rotate, replay, end];
