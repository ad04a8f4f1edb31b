/** The findings about the feature level of a store and the versions of its servers. */
import { CONTRACT_DOCUMENT_VERSION, CONTRACT_VERSION } from '@agentkeep/core';
import { type LevelReport, probePaths } from '../../http/probes.js';
import { urlOf } from '../../lifecycle/start-server.js';
import type { ServiceOptions } from '../../options/read-options.js';
import { levelSentence, serverLine } from '../store/level.js';
import { type Finding, findingsOf } from './finding.js';

const TIMEOUT_MS = 2_000;

/** Says the level, and version and levels of each server. */
export function levelFindings(report: LevelReport): Finding[] {
  const result = findingsOf('level');
  const { level, newest_level: newest, raised_at_millis: raisedAt } = report;
  const found = levelSentence(report);
  const servers = report.servers.map((each) => findingsOf('servers').ok(`${serverLine(each)}.`));
  if (level > newest) {
    const advice = `Use the command of the version of its servers, not ${CONTRACT_DOCUMENT_VERSION}.`;
    return [result.problem(found, advice), ...servers];
  }
  if (level === newest) return [result.ok(found), ...servers];
  const advice =
    raisedAt === null
      ? 'To have the level raised, stop the older servers or start them with the newer version.'
      : 'Until then you can return to the previous version. To raise the level now: `agentkeep level raise`.';
  return [result.ok(found, advice), ...servers];
}

/** Asks the port of metrics of the configured server, since a served directory isn't opened. */
export async function checkServedLevel({ metrics }: ServiceOptions): Promise<Finding[]> {
  const { host, port, token } = metrics;
  const report =
    port === undefined || port === 0
      ? undefined
      : await reportAt(`${urlOf(host, port)}${probePaths.ready}`, token);
  if (report !== undefined) return levelFindings(report);
  const found = 'The level is unknown: no metrics port of a server answers here.';
  return [findingsOf('level').ok(found, 'Read the level from the store: `agentkeep level show`.')];
}

/** Returns nothing where no server answers, which another check says, or shows its levels. */
async function reportAt(url: string, token: string | undefined): Promise<LevelReport | undefined> {
  const headers = token === undefined ? {} : { authorization: `Bearer ${token}` };
  const signal = AbortSignal.timeout(TIMEOUT_MS);
  try {
    const answer = await fetch(url, { headers, signal, redirect: 'error' });
    const report = (await answer.json()) as LevelReport & { readonly contract_version?: unknown };
    const isWhole = report.contract_version === CONTRACT_VERSION && 'servers' in report;
    return isWhole ? report : undefined;
  } catch {
    return undefined;
  }
}
