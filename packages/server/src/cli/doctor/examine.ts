/** Examines an installation and prints the findings. */
import { CONTRACT_VERSION } from '@agentkeep/core';
import { storeLevel } from '@agentkeep/core/operator';
import { urlOf } from '../../lifecycle/start-server.js';
import { readKeyFiles } from '../../options/read-key-files.js';
import { InvalidOptionsError } from '../../options/invalid-options-error.js';
import type { ServiceOptions } from '../../options/read-options.js';
import type { Invocation } from '../command/command.js';
import { CommandError } from '../command/command-error.js';
import { failureMessage } from '../output/failure.js';
import { jsonLine, printable } from '../output/printable.js';
import { styled } from '../output/table.js';
import { withDatabase } from '../store/open-store.js';
import { checkDirectory } from './directory-checks.js';
import { type Finding, type FindingState, findingsOf } from './finding.js';
import { checkServedLevel, levelFindings } from './level-checks.js';
import { checkModel } from './model-checks.js';
import { checkProfile } from './profile-checks.js';
import { checkReplica } from './replica-checks.js';
import { checkServer } from './server-checks.js';

const STYLES = { ok: 'green', warning: 'yellow', problem: 'red' } as const;

/**
 * Runs all checks.
 * @throws {CommandError} when there is a problem; the findings are printed before.
 */
export async function examine({ io, options, json }: Invocation): Promise<void> {
  const now = () => Date.now();
  const findings = [
    findingsOf('Node.js').ok(`${process.versions.node} is supported.`),
    ...(options.storeUrl === undefined
      ? await checkFiles(options, now())
      : await checkDatabase(options.storeUrl)),
    ...checkKeyFiles(options),
    ...(await checkModel(options)),
    ...(options.port === 0
      ? []
      : await checkServer('server', urlOf(options.host, options.port), now)),
    ...(await checkProfile(io, now)),
  ];
  if (json) {
    await io.writeOut(jsonLine({ contract_version: CONTRACT_VERSION, findings }));
  } else {
    await io.writeOut(findings.map((each) => linesOf(each, io.terminal)).join(''));
  }
  const count = (wanted: FindingState) => findings.filter(({ state }) => state === wanted).length;
  if (count('problem') > 0) {
    throw new CommandError(`Problems: ${count('problem')}, warnings: ${count('warning')}.`);
  }
}

async function checkFiles(options: ServiceOptions, nowMs: number): Promise<Finding[]> {
  const directory = await checkDirectory(options, nowMs);
  const hasStore = directory[0]?.state === 'ok';
  return [
    ...directory,
    ...(hasStore ? await checkServedLevel(options) : []),
    ...(await checkReplica(options, nowMs)),
  ];
}

async function checkDatabase(url: string): Promise<Finding[]> {
  const result = findingsOf('database');
  try {
    const levels = await withDatabase(url, async (store) => {
      await store.stats();
      return storeLevel.read({ store });
    });
    return [
      result.ok(
        'The database answers and holds a store.',
        'With several servers, measure what callers notice when one stops: `agentkeep drill failover`.',
      ),
      ...levelFindings(levels),
    ];
  } catch (error) {
    return [
      result.problem(
        failureMessage(error).replaceAll('\n', ' '),
        'See docs/guides/postgres.md for the role and the database that Agentkeep needs.',
      ),
    ];
  }
}

function checkKeyFiles({ tokens }: ServiceOptions): Finding[] {
  try {
    readKeyFiles(tokens);
    return [];
  } catch (error) {
    if (!(error instanceof InvalidOptionsError)) throw error;
    return [
      findingsOf('key files').problem(error.message, 'Name readable PEM files with EC keys.'),
    ];
  }
}

function linesOf(
  { check, state, found, advice }: Finding,
  terminal: Invocation['io']['terminal'],
): string {
  const head = `${styled(STYLES[state], state.padEnd(7), terminal)}  ${check}: ${printable(found)}\n`;
  return advice === undefined ? head : `${head}         ${printable(advice)}\n`;
}
