/** What doesn't go as it should in a tenant, for those who can do something about it. */
import type { Agent } from '@agentkeep/client';
import type { JSX } from 'preact';
import { type Query, pathOf } from '../../routing/address.js';
import { Link } from '../../routing/link.js';
import { type Caller, isAdministrator, may } from '../../session/caller.js';
import { useLoaded } from '../../session/use-loaded.js';
import { texts } from '../../texts/en/english.js';
import { lockedNames } from '../people/locked-names.js';
import { OverviewPart } from './overview-part.js';

const words = texts.overview;

/** A problem, and where it is dealt with. */
interface Problem {
  readonly text: string;
  readonly screen: string;
  readonly query?: Query;
}

/** Returns whether a caller is shown what doesn't go well. */
export function seesAttention(caller: Caller): boolean {
  return may(caller, 'credential_admin') || isAdministrator(caller);
}

/** Shows the problems, each as a link, or that there is none. */
export function Attention({ caller }: { readonly caller: Caller }): JSX.Element {
  const loaded = useLoaded((agent, signal) => problemsOf(agent, caller, signal), []);
  const { value } = loaded;
  const isFine = value?.length === 0;
  return (
    <OverviewPart title={words.failing} main={isFine ? words.fine : undefined} loaded={loaded}>
      {value === undefined || isFine ? undefined : (
        <ul class="plain-list stack-tight">
          {value.map(({ text, screen, query }) => (
            <li key={text}>
              <Link to={pathOf(screen, query)}>{text}</Link>
            </li>
          ))}
        </ul>
      )}
    </OverviewPart>
  );
}

async function problemsOf(
  agent: Agent,
  caller: Caller,
  signal: AbortSignal,
): Promise<readonly Problem[]> {
  const [ofTenant, ofNames] = await Promise.all([
    may(caller, 'credential_admin') ? tenantProblems(agent, signal) : [],
    isAdministrator(caller) ? nameProblems(agent, signal) : [],
  ]);
  return [...ofTenant, ...ofNames];
}

async function tenantProblems(agent: Agent, signal: AbortSignal): Promise<readonly Problem[]> {
  const webhooks = await agent.webhooks.list({ signal });
  const failing = webhooks.filter(({ delivery: { state } }) => {
    return state === 'retrying' || state === 'unauthorized';
  }).length;
  const dead = webhooks.reduce((sum, { delivery }) => sum + delivery.dead_letters, 0);
  let open = 0;
  for await (const { status } of agent.erasures.list({ limit: 100, signal })) {
    if (status === 'running') open += 1;
  }
  return [
    ...(failing === 0 ? [] : [{ text: words.webhooks(failing), screen: 'webhooks' }]),
    ...(dead === 0 ? [] : [{ text: words.deadLetters(dead), screen: 'webhooks' }]),
    ...(open === 0 ? [] : [{ text: words.erasures(open), screen: 'erasures' }]),
  ];
}

async function nameProblems(agent: Agent, signal: AbortSignal): Promise<readonly Problem[]> {
  const { names, hasMore } = await lockedNames(agent, signal);
  if (names.length === 0) return [];
  const text = words.locked(names.length, !hasMore);
  return [{ text, screen: 'access', query: { show: 'accounts' } }];
}
