/**
 * Plays rounds and prints one line of JSON for each. Started by the launcher, in namespaces where
 * they can be made, and ends with it.
 */
import { argv, env, exit, stdin, stdout } from 'node:process';
import { INSIDE_VARIABLE } from './ground.js';
import { playRounds } from './rounds.js';

const [seed, rounds, mode, only, logs] = argv.slice(2);
// Its input ends when the launcher does, even if that is killed.
stdin.resume().once('end', () => exit(1));

await playRounds({
  seed: Number(seed),
  rounds: Number(rounds),
  only: only === '' ? undefined : only,
  logs: logs === '' ? undefined : logs,
  isSafe: mode === 'synchronous',
  isIsolated: env[INSIDE_VARIABLE] === 'namespaces',
  report: (row) => stdout.write(`${JSON.stringify(row)}\n`),
});
exit(0);
