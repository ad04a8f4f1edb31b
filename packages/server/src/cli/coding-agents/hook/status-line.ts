/** `agentkeep hook status-line`: one line for the status of a host. */
import { stdin, stdout } from 'node:process';
import { agentsFolder, type Environment } from '../state/agents-folder.js';
import { entriesOfDay } from '../state/day-log.js';
import { isPaused } from '../state/paused-projects.js';
import { asObject, objectIn } from '../state/private-json.js';
import { projectOf } from '../state/project-of.js';
import { keysInSpool } from '../capture/spool.js';

/** Prints how much of the session was stored and recalled today, and what still waits. */
export async function statusLine(environment: Environment): Promise<void> {
  let input = '';
  stdin.setEncoding('utf8');
  for await (const part of stdin) input += String(part);
  stdout.write(`${statusOf(input, environment)}\n`);
}

/** Returns the line for what the host describes. */
function statusOf(input: string, environment: Environment): string {
  const given = objectIn(input) ?? {};
  const { current_dir: current } = asObject(given['workspace']) ?? {};
  const named = [given['cwd'], current, process.cwd()];
  const folder = named.find((each): each is string => typeof each === 'string') ?? '';
  const { days, spool, paused } = agentsFolder(environment);
  if (isPaused(paused, projectOf(folder))) return 'memory: paused here';
  const { session_id: session } = given;
  const all = entriesOfDay(days, Date.now()).filter((entry) => entry.session === session);
  const count = (what: string) => all.filter((entry) => entry.what === what).length;
  const waiting = keysInSpool(spool).length;
  const more = waiting === 0 ? '' : `, ${waiting} waiting`;
  return `memory: ${count('captured')} stored, ${count('recalled')} recalled${more}`;
}
