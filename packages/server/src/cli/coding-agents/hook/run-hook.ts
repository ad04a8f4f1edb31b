/**
 * The hook process: captures what was said, and prints what is recalled. It loads nothing but
 * Node.js and a few small modules, because a person waits for it.
 */
import { chdir, exit, stderr, stdin, stdout, uptime } from 'node:process';
import { clearTimeout, setTimeout } from 'node:timers';
import { capture } from '../capture/capture.js';
import { storable } from '../capture/leave-out.js';
import { askHelper } from '../companion/ask-companion.js';
import { agentsFolder, type AgentsFolder, type Environment } from '../state/agents-folder.js';
import { isPaused } from '../state/paused-projects.js';
import { projectOf } from '../state/project-of.js';
import { titleOfSession } from '../state/session-title.js';
import { type HostEvent, hostEventIn } from './host-event.js';

/**
 * A person waits no longer than this for a prompt and for the start of a session, counted from the
 * start of the process; `AGENTKEEP_AGENTS_PROMPT_MS` names another number.
 */
const PROMPT_MS_MAX = 300;
/** What ending the process takes, also on a busy machine. */
const END_MS = 80;
/** At the end of a turn there is time to tell the helper. */
const OTHER_MS_MAX = 1_000;
const INPUT_CHARS_MAX = 4_194_304;

/** The hosts whose prompts take no text from a hook. */
const MUTE_HOSTS = new Set(['cursor', 'vscode']);

/** Runs a hook and ends the process: 0, or 1 if what was said could not be captured. */
export async function runHook(host: string, environment: Environment): Promise<void> {
  try {
    const input = await inputText();
    const event = hostEventIn(input);
    if (event !== undefined) await handle(host, event, environment);
    exit(0);
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    stderr.write(`agentkeep: this turn was not stored: ${reason}\n`, () => exit(1));
  }
}

async function handle(host: string, event: HostEvent, environment: Environment): Promise<void> {
  const project = projectOf(event.folder);
  const folder = agentsFolder(environment);
  if (isPaused(folder.paused, project)) return;
  chdir(folder.path);
  const { kind, session } = event;
  const text = storable(event.text);
  const asks = kind === 'prompt' && text !== '' && !MUTE_HOSTS.has(host);
  const asked = { project, session, host, ...(asks ? { question: text } : {}) };
  const aborter = new AbortController();
  const promptMs = Number(environment['AGENTKEEP_AGENTS_PROMPT_MS'] ?? PROMPT_MS_MAX);
  const most = kind === 'answer' ? OTHER_MS_MAX : promptMs - END_MS;
  const timer = setTimeout(() => aborter.abort(), Math.max(0, most - uptime() * 1_000));
  if (!asks) captureEvent(folder, { host, project, event, text });
  const answer = askHelper(asked, aborter.signal);
  if (asks) captureEvent(folder, { host, project, event, text });
  const recalled = await answer;
  clearTimeout(timer);
  if (asks && recalled !== '') await print(outputOf(event.name, recalled));
}

interface Said {
  readonly host: string;
  readonly project: string;
  readonly event: HostEvent;
  readonly text: string;
}

function captureEvent(folder: AgentsFolder, { host, project, event, text }: Said): void {
  if (event.kind === 'start' || text === '') return;
  const { session, turn } = event;
  const isPrompt = event.kind === 'prompt';
  const first = { prompt: isPrompt ? text : '', folder: event.folder };
  const title = titleOfSession(folder.sessions, session, first);
  const source = isPrompt ? 'user' : 'model';
  capture(folder, { project, host, session, turn, title, source, text, atMillis: Date.now() });
}

/** The form that Claude Code brought in and the others took over. */
function outputOf(hookEventName: string, additionalContext: string): string {
  return `${JSON.stringify({ hookSpecificOutput: { hookEventName, additionalContext } })}\n`;
}

function print(text: string): Promise<void> {
  return new Promise((resolve) => {
    stdout.write(text, () => resolve());
  });
}

async function inputText(): Promise<string> {
  let text = '';
  stdin.setEncoding('utf8');
  for await (const part of stdin) {
    text += String(part);
    if (text.length > INPUT_CHARS_MAX) throw new Error('the host sent more than 4 MiB.');
  }
  return text;
}
