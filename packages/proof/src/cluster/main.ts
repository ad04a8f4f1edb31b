/**
 * Plays rounds on a cluster as the page about high availability sets it up, then its control, and
 * prints their tables. Options: `--seed n`, `--rounds n`, `--control n`, `--only fault`, `--logs
 * folder`, `--install`. Exits with 1 if a promise did not hold, or if the control lost nothing.
 */
import { execFileSync } from 'node:child_process';
import { parseArgs } from 'node:util';
import { groundText, PACKAGES, playSession } from './play.js';
import type { RoundRow } from './rounds.js';
import { faultsOf, roundsTable } from './rounds-table.js';

const { values } = parseArgs({
  options: {
    seed: { type: 'string' },
    rounds: { type: 'string', default: '20' },
    control: { type: 'string', default: '2' },
    only: { type: 'string' },
    logs: { type: 'string' },
    install: { type: 'boolean', default: false },
  },
});
const seed = Number(values.seed ?? Date.now() % 1_000_000);
const rounds = Number(values.rounds);
const control = Number(values.control);
if (![seed, rounds, control].every(Number.isSafeInteger)) {
  console.error('--seed, --rounds and --control take whole numbers.');
  process.exit(2);
}
if (values.install) install();

console.log(`${String(rounds)} rounds; repeat with --seed ${String(seed)}.\n${await groundText()}`);
const report = ({ round, fault, away }: RoundRow): void => {
  console.error(`round ${String(round)}: ${fault}, ${away.toFixed(1)} s without service`);
};
const { only, logs } = values;
const rows = await playSession({ seed, rounds, mode: 'synchronous', only, logs, report });
console.log(`\nSynchronous copies, as the page says:\n\n${roundsTable(rows)}`);
const lossy = await playSession({ seed, rounds: control, mode: 'asynchronous', report });
console.log(`\nThe control, with asynchronous copies, must lose some:\n\n${roundsTable(lossy)}`);
const isControlSeen = control === 0 || lossy.some(({ lost }) => lost > 0);
if (!isControlSeen) console.log('\nThe control lost nothing, so the judge may be blind.');
process.exitCode = isControlSeen && rows.every((row) => faultsOf(row) === 0) ? 0 : 1;

/** Installs what is missing, without starting its services. Needs root and Debian. */
function install(): void {
  const options = { stdio: 'inherit', env: { ...process.env, RUNLEVEL: '1' } } as const;
  for (const words of ['update', `install --yes --no-install-recommends ${PACKAGES}`]) {
    execFileSync('sh', ['-c', `apt-get ${words}`], options);
  }
}
