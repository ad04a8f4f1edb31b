/** Calls every method of webhooks, as a part of the program that agents of every kind play. */
import type { Agent } from '@agentkeep/core';

/** Makes a step and returns what came of it. */
type Step = <T>(name: string, work: () => Promise<T>) => Promise<T | undefined>;

/** Calls them; some calls are refused. */
export async function playWebhooks({ webhooks }: Agent, step: Step): Promise<void> {
  const settings = { name: 'index', url: 'https://hooks.example.com/x' };
  const made = await step('webhooks.create', () => webhooks.create(settings));
  const id = made?.webhook.id ?? '';
  await step('webhooks.create again', () => webhooks.create(settings));
  await step('webhooks.list', () => webhooks.list());
  await step('webhooks.get', () => webhooks.get(id));
  await step('webhooks.update', () => webhooks.update({ id, revision: 1 }, settings));
  await step('webhooks.rotateSecret', () => webhooks.rotateSecret({ id, revision: 2 }));
  await step('webhooks.deadLetters', () => webhooks.deadLetters(id));
  await step('webhooks.replay', () => webhooks.replay(id));
  await step('webhooks.discard', () => webhooks.discard({ id, deadLetterId: id }));
  await step('webhooks.delete', () => webhooks.delete(id));
  await step('webhooks.get deleted', () => webhooks.get(id));
}
