/**
 * Follows the committed changes of memory, so that screens show what is there now. The wait for the
 * next change also ends within a second of the session's end elsewhere.
 */
import type { CommittedChange, ScopeInput } from '@agentkeep/client';
import { signal } from '@preact/signals';
import { type Caller, may } from '../session/caller.js';
import { failureOf } from '../session/refusals.js';
import { isPassing } from '../session/server-return.js';
import { beginWork, session } from '../session/session.js';

const RETRY_MS = 2_000;
const CHECK_MS = 700;

/** The changes that came last. Each value is new. */
export const lastChanges = signal<readonly CommittedChange[]>([]);

/** How many changes of each scope were seen. */
const seen = new Map<string, number>();

/** Returns how many changes of a scope were seen since the page was loaded. */
export function changesSeen(scope: ScopeInput): number {
  return seen.get(nameOf(scope)) ?? 0;
}

function nameOf({ project_id, mission_id, agent_id, visibility }: ScopeInput): string {
  return JSON.stringify([project_id, mission_id ?? null, agent_id, visibility]);
}

/** How often proposals came or were decided, so that what shows them is loaded again. */
export const proposalCount = signal(0);

/** Whether changes are followed at the moment. */
export const isLive = signal(false);

/** Follows changes for as long as a session is open. */
export function followSession(): void {
  let left: AbortController | undefined;
  session.subscribe((state) => {
    left?.abort();
    left = undefined;
    isLive.value = false;
    if (state.kind !== 'open') return;
    left = new AbortController();
    const { caller } = state;
    if (may(caller, 'memory_read')) void followChanges(left.signal);
    else void checkSession(caller, left.signal);
  });
}

async function followChanges(signal: AbortSignal): Promise<void> {
  let after = 'latest';
  while (isWanted(signal)) {
    try {
      const { memory } = beginWork().agent;
      const waitMillis = after === 'latest' ? 0 : 25_000;
      const page = await memory.changesPage({ after, waitMillis, proposals: true, signal });
      isLive.value = true;
      after = page.next_after;
      for (const { scope } of page.changes) seen.set(nameOf(scope), changesSeen(scope) + 1);
      if (page.changes.length > 0) lastChanges.value = page.changes;
      if ((page.proposals ?? []).length > 0) proposalCount.value += 1;
    } catch (error) {
      if (!isWanted(signal)) return;
      isLive.value = false;
      // What happened while the server was away is read once it is back.
      if (!isPassing(failureOf(error))) after = 'latest';
      await pause(RETRY_MS);
    }
  }
}

/** Who reads no memory has nothing to follow, so the session is looked at. */
async function checkSession(caller: Caller, signal: AbortSignal): Promise<void> {
  while (isWanted(signal)) {
    await pause(CHECK_MS);
    if (!isWanted(signal) || document.hidden) continue;
    await askWho(caller, signal).catch(() => undefined);
  }
}

/** Asks for what each caller may see of itself. */
function askWho({ accountId, tenantId }: Caller, signal: AbortSignal): Promise<unknown> {
  const { agent, administrator } = beginWork();
  if (accountId !== undefined) return agent.users.get(accountId, { signal });
  return tenantId === undefined ? administrator.identity({ signal }) : agent.whoAmI({ signal });
}

/** Asked anew each time, since it changes while others run. */
function isWanted(signal: AbortSignal): boolean {
  return !signal.aborted;
}

function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}
