/** The screen of learning, opened as a subject with rights of the test's choice. */
import type { Capability } from '@agentkeep/core';
import { scopes } from '@agentkeep/example-company/memories';
import { type InChromium, type ServedCompany, signedIn, signInBySecret } from './console-kit.js';
import type { WatchedPage } from './watched-page.js';

/** Returns the secret of a subject with these rights in all scopes of the company. */
export async function coachSecret(
  { setup }: ServedCompany,
  capabilities: readonly Capability[],
): Promise<string> {
  const { secret } = await setup.credentials.issue({
    ...{ subject_id: 'coach', capabilities: [...capabilities] },
    grants: Object.values(scopes).map((scope) => ({ ...scope, mission_id: null })),
  });
  return secret;
}

/** Opens learning as that subject. */
export async function openedLearning(
  served: InChromium,
  capabilities: readonly Capability[],
): Promise<WatchedPage> {
  const watched = await signedIn(served);
  const { page } = watched;
  await page.getByRole('button', { name: 'Sign out' }).click();
  await signInBySecret(page, await coachSecret(served.company, capabilities));
  await page.getByRole('link', { name: 'Learning' }).click();
  return watched;
}
