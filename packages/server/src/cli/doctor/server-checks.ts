/** Checks of a server: whether it answers, is ready, has this version and the same time. */
import { CONTRACT_DOCUMENT_VERSION } from '@agentkeep/core';
import { routes } from '@agentkeep/client/routes';
import { type Finding, findingsOf } from './finding.js';

const TIMEOUT_MS = 2_000;

/** Tokens and lockouts compare times of this machine with those of the server. */
const SKEW_MS_MAX = 60_000;

const READY_PATH = '/readyz';

/** Checks the server at an address. Sends no secret. */
export async function checkServer(
  check: string,
  url: string,
  nowMs: () => number,
): Promise<Finding[]> {
  const result = findingsOf(check);
  try {
    const health = await answerOf(`${url}${routes.getHealth.path}`);
    const { version } = (await health.json()) as { readonly version?: unknown };
    const ready = await answerOf(`${url}${READY_PATH}`);
    return [
      ready.ok
        ? result.ok(`${url} answers and is ready.`)
        : result.problem(
            `${url} answers, but is not ready: ${await ready.text()}`,
            'Look at its log: it is starting, stopping, or cannot use its store.',
          ),
      ...versionFindings(check, version),
      ...skewFindings(check, health, nowMs()),
    ];
  } catch (error) {
    const reason = error instanceof Error ? reasonOf(error) : String(error);
    return [
      result.warning(
        `Nothing answers as a server at ${url} (${reason}).`,
        'Start it with `agentkeep serve`, or name its address.',
      ),
    ];
  }
}

function answerOf(url: string): Promise<Response> {
  return fetch(url, { signal: AbortSignal.timeout(TIMEOUT_MS), redirect: 'error' });
}

function reasonOf(error: Error): string {
  return error.cause instanceof Error ? reasonOf(error.cause) : error.message;
}

function versionFindings(check: string, version: unknown): Finding[] {
  if (version === CONTRACT_DOCUMENT_VERSION) return [];
  const found = `It has version ${String(version)}, and this command ${CONTRACT_DOCUMENT_VERSION}.`;
  return [findingsOf(check).warning(found, 'Use the command of the same version.')];
}

function skewFindings(check: string, { headers }: Response, nowMs: number): Finding[] {
  const skewMs = Math.abs(Date.parse(headers.get('Date') ?? '') - nowMs);
  if (Number.isNaN(skewMs) || skewMs <= SKEW_MS_MAX) return [];
  const found = `Its clock differs from that of this machine by ${Math.round(skewMs / 1_000)} s.`;
  return [findingsOf(check).warning(found, 'Set both clocks by a time service.')];
}
