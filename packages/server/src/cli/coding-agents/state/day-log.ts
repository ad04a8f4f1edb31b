/** The log of a day: what was captured and recalled, in which project, for its person to see. */
import { appendFileSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { objectIn } from './private-json.js';

/** An entry: a text that was captured or recalled. */
export interface DayEntry {
  readonly what: 'captured' | 'recalled';
  readonly project: string;
  readonly host: string;
  readonly session: string;
  /** Who said a captured text, or the id of a recalled record. */
  readonly of: string;
  /** The begin of the text. */
  readonly text: string;
  readonly atMillis: number;
}

const TEXT_UNITS_MAX = 100;

/** Adds entries to the log of their day. */
export function addToDay(days: string, entries: readonly DayEntry[]): void {
  const [first] = entries;
  if (first === undefined) return;
  const lines = entries.map(
    (entry) => `${JSON.stringify({ ...entry, text: begin(entry.text) })}\n`,
  );
  appendFileSync(fileOf(days, first.atMillis), lines.join(''), { mode: 0o600 });
}

/** Returns the entries of a day, the first one first. */
export function entriesOfDay(days: string, atMillis: number): readonly DayEntry[] {
  let text;
  try {
    text = readFileSync(fileOf(days, atMillis), 'utf8');
  } catch {
    return [];
  }
  return text.split('\n').flatMap((line) => {
    const { what, project, host, session, of, text: said, atMillis: at } = objectIn(line) ?? {};
    if (what !== 'captured' && what !== 'recalled') return [];
    const texts = [project, host, session, of, said].map(String);
    const [inProject = '', byHost = '', inSession = '', ofWhat = '', begun = ''] = texts;
    return [
      {
        what,
        project: inProject,
        host: byHost,
        session: inSession,
        of: ofWhat,
        text: begun,
        atMillis: Number(at),
      },
    ];
  });
}

function begin(text: string): string {
  const line = text.replaceAll(/\s+/g, ' ');
  return line.length <= TEXT_UNITS_MAX ? line : `${line.slice(0, TEXT_UNITS_MAX).toWellFormed()}…`;
}

/** A day is that of the person's clock. */
function fileOf(days: string, atMillis: number): string {
  const at = new Date(atMillis);
  const two = (part: number) => String(part).padStart(2, '0');
  const name = `${at.getFullYear()}-${two(at.getMonth() + 1)}-${two(at.getDate())}.jsonl`;
  return join(days, name);
}
