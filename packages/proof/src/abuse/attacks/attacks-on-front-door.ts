/** Attacks on the front door without a login: pages, registrations and made-up codes. */
import { randomUUID } from 'node:crypto';
import type { Attack, AttackResult, Stage } from '../attack.js';
import { BAD } from '../abused-site.js';
import { inParallel } from '../in-parallel.js';
import { LocalClient } from '../local-client.js';

const PARALLEL = 16;
const FORM = { 'content-type': 'application/x-www-form-urlencoded' };
const JSON_TYPE = { 'content-type': 'application/json' };
const REDIRECT = 'https://notes.example.test/callback';

/** A request, and the status that it has to be answered with. */
interface Wanted {
  readonly path: string;
  readonly status: number;
  readonly init: RequestInit;
}

/** What a caller without a login sends, by turns. */
const anonymous: readonly ((at: number) => Wanted)[] = [
  () => ({ path: '/login', status: 200, init: {} }),
  (at) => ({ path: `/oauth/authorize?client_id=${at}`, status: 303, init: {} }),
  (at) => ({ path: `/oauth/consent/${at}`, status: 303, init: {} }),
  (at) => posted('/oauth/register', 201, JSON_TYPE, registration(`Program ${at}`)),
  () => posted('/oauth/token', 400, FORM, redemption('authorization_code', 'code')),
  () => posted('/oauth/token', 400, FORM, redemption('refresh_token', 'refresh_token')),
  () => posted('/oauth/revoke', 200, FORM, form({ client_id: clientId(), token: randomUUID() })),
  () => posted('/login', 403, FORM, form({ username: 'chief', password: 'x', tenant: BAD })),
  () => ({ path: '/login/openid/unknown', status: 404, init: {} }),
  () => ({ path: '/login/openid/callback?code=x', status: 401, init: {} }),
  () => posted('/login/openid/unknown/backchannel-logout', 400, FORM, form({ logout_token: 'x' })),
];

/** Everything that a caller without a login can send. */
const withoutLogin: Attack = {
  name: 'requests at the front door',
  run: (stage) => flooded(stage, (at) => anonymous[at % anonymous.length]?.(at)),
};

async function flooded(
  { site, amounts, from, enough }: Stage,
  wantedAt: (at: number) => Wanted | undefined,
): Promise<AttackResult> {
  using client = new LocalClient(site.url, from);
  const wrong = new Set<string>();
  await inParallel(amounts.flood, PARALLEL, async (at) => {
    const wanted = wantedAt(at);
    if (wanted === undefined) return;
    const { path, status, init } = wanted;
    const answer = await client.fetch(site.url + path, init);
    await answer.text();
    if (answer.status !== status) wrong.add(`${path.split('?')[0]}: ${answer.status}`);
  });
  await enough;
  const violations = [...wrong].map((each) => `Answered wrongly: ${each}.`);
  return { attempts: amounts.flood, violations };
}

function posted(path: string, status: number, headers: Record<string, string>, body: string) {
  return { path, status, init: { method: 'POST', headers, body } };
}

function form(members: Readonly<Record<string, string>>): string {
  return new URLSearchParams(members).toString();
}

function registration(client_name: string): string {
  return JSON.stringify({ client_name, redirect_uris: [REDIRECT] });
}

/** The id that the registration of a program has. */
function clientId(): string {
  const metadata = JSON.stringify({ redirect_uris: [REDIRECT] });
  return `akp1.${Buffer.from(metadata).toString('base64url')}`;
}

function redemption(grant_type: string, member: string): string {
  const named = { grant_type, client_id: clientId(), redirect_uri: REDIRECT };
  return form({ ...named, code_verifier: 'v'.repeat(43), [member]: randomUUID() });
}

/** All of them. */
export const attacksOnFrontDoor: readonly Attack[] = [withoutLogin];
