/** What a hook of a coding agent is called with, in the names of all hosts. */
import { closeSync, fstatSync, openSync, readSync } from 'node:fs';
import { asObject, objectIn } from '../state/private-json.js';

/** What happened in a host. */
export interface HostEvent {
  /** `prompt` before the model is asked, `answer` after it answered, `start` of a session. */
  readonly kind: 'start' | 'prompt' | 'answer';
  /** The host's own name of it. */
  readonly name: string;
  readonly session: string;
  readonly turn: string;
  readonly folder: string;
  /** What was said; empty at a start. */
  readonly text: string;
}

/** The names that hosts give to the same events. */
const KINDS: Readonly<Record<string, HostEvent['kind'] | 'end'>> = {
  SessionStart: 'start',
  sessionStart: 'start',
  UserPromptSubmit: 'prompt',
  BeforeAgent: 'prompt',
  beforeSubmitPrompt: 'prompt',
  Stop: 'answer',
  AfterAgent: 'answer',
  afterAgentResponse: 'answer',
  PreCompact: 'end',
  PreCompress: 'end',
  SessionEnd: 'end',
};

/** Bytes of a transcript that are read from its end. */
const TRANSCRIPT_BYTES_MAX = 1_048_576;

/** Returns the event that a host describes; `undefined` for one without anything to do. */
export function hostEventIn(input: string): HostEvent | undefined {
  const given = objectIn(input);
  if (given === undefined) return undefined;
  const name = textOf(given, ['hook_event_name', 'hookEventName']);
  const kind = Object.hasOwn(KINDS, name) ? KINDS[name] : undefined;
  const session = textOf(given, ['session_id', 'sessionId', 'conversation_id']);
  if (kind === undefined || session === '') return undefined;
  const turn = textOf(given, ['prompt_id', 'turn_id', 'generation_id', 'timestamp']);
  const at = { name, session, turn, folder: folderOf(given) };
  if (kind === 'start') return { ...at, kind, text: '' };
  if (kind === 'prompt') return { ...at, kind, text: textOf(given, ['prompt']) };
  const said = textOf(given, ['last_assistant_message', 'prompt_response', 'text']);
  // Before a compaction and at the end, an answer that was broken off is in the transcript only.
  const text = said === '' ? lastAnswerIn(textOf(given, ['transcript_path'])) : said;
  return { ...at, kind: 'answer', text };
}

function folderOf(given: Readonly<Record<string, unknown>>): string {
  const roots: unknown = given['workspace_roots'];
  const root: unknown = Array.isArray(roots) ? roots[0] : undefined;
  const named = textOf(given, ['cwd']);
  if (named !== '') return named;
  return typeof root === 'string' && root !== '' ? root : process.cwd();
}

function textOf(given: Readonly<Record<string, unknown>>, names: readonly string[]): string {
  const texts = names.map((name) => given[name]);
  return texts.find((text): text is string => typeof text === 'string' && text !== '') ?? '';
}

/**
 * Returns the last answer of the current turn in a transcript of Claude Code; else an empty text.
 */
function lastAnswerIn(path: string): string {
  if (path === '') return '';
  const lines = endOf(path).split('\n').toReversed();
  for (const line of lines) {
    const { type, message, isSidechain } = objectIn(line) ?? {};
    const content = asObject(message)?.['content'];
    if (isSidechain === true) continue;
    if (type === 'assistant' && Array.isArray(content)) {
      const texts = content.flatMap((part: unknown) => {
        const { type: kind, text } = asObject(part) ?? {};
        return kind === 'text' && typeof text === 'string' ? [text] : [];
      });
      if (texts.length > 0) return texts.join('\n');
    }
    // The prompt of the turn: what is before it was captured with its own turn.
    if (type === 'user' && typeof content === 'string') return '';
  }
  return '';
}

function endOf(path: string): string {
  let file;
  try {
    file = openSync(path, 'r');
  } catch {
    return '';
  }
  try {
    const { size } = fstatSync(file);
    const bytes = Buffer.alloc(Math.min(size, TRANSCRIPT_BYTES_MAX));
    const read = readSync(file, bytes, 0, bytes.length, size - bytes.length);
    return bytes.subarray(0, read).toString('utf8');
  } finally {
    closeSync(file);
  }
}
