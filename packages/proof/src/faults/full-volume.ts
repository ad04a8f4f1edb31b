/**
 * Fills a volume: writes are refused while there is still space, and resume when space is freed.
 *
 * A server has its data, audit files and snapshots on a small volume. Another program fills it,
 * first below the reserve and then to the last byte. Below the reserve, what adds data and a
 * snapshot must be refused; on a full disk, every write. Every read and `/health` must be answered,
 * and no process may end. Writes must resume once space is freed.
 */
import { mkdir, mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { AgentkeepError } from '@agentkeep/core';
import { randomFrom } from '@agentkeep/testkit/random';
import { runCommand } from '@agentkeep/testkit/agentkeep-process';
import type { Finding, ProofProgram, ProofRun } from '../proof.js';
import { Crew } from '../workload/crew.js';
import { KeepChecker } from '../workload/keep-checker.js';
import { overHttp, partiesOf } from '../workload/parties.js';
import { compareWith, portraitOf } from '../workload/portrait.js';
import { prepareSite, serve, type Site } from '../workload/prepare.js';
import { SmallVolume } from './small-volume.js';

const MIB = 2 ** 20;
/** The reserve that a store keeps free, plus space for the work. */
const VOLUME_BYTES = 96 * MIB;

const SCALES = { short: { fillings: 2 }, full: { fillings: 6 } } as const;

/** Free bytes that remain: below the reserve, and none. */
const LEFT_FREE = [32 * MIB, 0];

/** Fills a volume and frees it again. */
export const fullVolume: ProofProgram = {
  name: 'full volume',
  claim: 'On a full disk writes are refused, reads continue, and writes resume with free space.',
  run: async (run) => {
    const home = await mkdtemp(join(tmpdir(), 'agentkeep-full-'));
    try {
      return await fillUp(home, run);
    } finally {
      await rm(home, { recursive: true, force: true });
    }
  },
};

async function fillUp(home: string, run: ProofRun): Promise<Finding> {
  const path = join(home, 'volume');
  await mkdir(path);
  await using volume = await SmallVolume.mount(path, VOLUME_BYTES);
  const site = { dataDir: join(path, 'data'), auditDir: join(path, 'audit') };
  const secrets = await prepareSite(site);
  const server = serve(site);
  try {
    const place = { url: await server.listens(), secrets };
    const crew = new Crew(randomFrom(run.seed));
    const { violations, refusals } = await fillAndFree(run, { site, place, crew, volume });
    if (server.hasEnded) violations.push(`It ended: ${(await server.ended).error}`);
    const status = await server.stop();
    if (status !== 0) violations.push(`It ended with ${status}: ${(await server.ended).error}`);
    using checker = new KeepChecker();
    const auditFiles = { directory: site.auditDir, mayHaveHoles: false };
    const expected = { secrets, accounts: crew.accounts() };
    const result = await checker.check({ dataDir: site.dataDir, auditFiles, expected });
    if (result.type === 'opened') violations.push(...result.violations);
    else violations.push(`Refused afterwards: ${result.reason}`);
    const { fillings } = SCALES[run.scale];
    const done = { fillings, 'acknowledged steps': crew.acknowledged, 'writes refused': refusals };
    return { done, violations };
  } finally {
    await server.kill();
  }
}

interface Filling {
  readonly site: Site & { readonly auditDir: string };
  readonly place: Parameters<Crew['work']>[0];
  readonly crew: Crew;
  readonly volume: SmallVolume;
}

async function fillAndFree(run: ProofRun, { site, place, crew, volume }: Filling) {
  const violations: string[] = [];
  let refusals = 0;
  for (let filling = 0; filling < SCALES[run.scale].fillings; filling += 1) {
    run.report(`filling ${filling + 1}`);
    const leaving = LEFT_FREE[filling % LEFT_FREE.length] ?? 0;
    const report = (fault: string): void => {
      violations.push(`Filling ${filling + 1}, ${leaving} bytes free: ${fault}`);
    };
    const before = crew.acknowledged;
    await crew.takeTurns(place, 2);
    if (crew.acknowledged === before) report('Nothing is written although there is free space.');
    const portrait = await portraitOf(await parties(place));
    const files = (await readdir(site.auditDir)).length;
    const free = await volume.fill(leaving);

    const written = crew.acknowledged;
    await crew.takeTurns(place, 2);
    // What frees space is taken as long as there is some (docs/contract/quotas.md#quo-16).
    const mayFree = leaving > 0;
    if (!mayFree && crew.acknowledged > written) report('Something was written.');
    const refused = crew.refusals.splice(0);
    refusals += refused.length;
    if (refused.length === 0) report('Nothing that adds data was refused.');
    for (const each of refused) if (!isRefusal(each)) report(`Refused by ${String(each)}`);
    const { status } = await fetch(`${place.url}/health`);
    if (status !== 200) report(`/health answers ${status}.`);
    const { altered, refused: unread, absent } = await compareWith(portrait, await parties(place));
    const lost = mayFree ? 0 : altered.length + absent;
    if (unread + lost > 0) report('Something cannot be read.');
    const taken = await runCommand(['snapshot', '--data-dir', site.dataDir]);
    if (taken.status !== 1 || !taken.error.startsWith('agentkeep: ')) {
      report(`A snapshot ended with ${taken.signal ?? taken.status}: ${taken.error}`);
    }
    const more = (await readdir(site.auditDir)).length - files;
    if (more > 1) report(`${more} audit files were created on it.`);
    await free();
  }
  const before = crew.acknowledged;
  await crew.takeTurns(place, 2);
  if (crew.acknowledged === before) violations.push('Writes did not resume with free space.');
  crew.refusals.length = 0;
  return { violations, refusals };
}

function parties({ url, secrets }: Filling['place']) {
  return partiesOf(secrets, overHttp({ url }));
}

/** Whether a write was refused for lack of space, by the reserve or by the disk itself. */
function isRefusal(error: unknown): boolean {
  const codes: readonly string[] = ['store_full', 'store_unavailable'];
  return error instanceof AgentkeepError && codes.includes(error.code);
}
