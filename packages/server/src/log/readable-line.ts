/** Formats log lines for people at a terminal. */
import { escapeHidden, formatLine, type LineHead } from './format-line.js';

/** A text that needs no quotes around it. */
const PLAIN = /^[\x21-\x7e]+$/;

const LEVEL_WIDTH = 5;

/**
 * Returns a line of the local time, the level, the message and `name=value` of the fields. Its
 * values are those of the JSON line: without secrets, and with escapes for what a terminal obeys.
 */
export function readableLine(head: LineHead, fields?: object): string {
  const line = JSON.parse(formatLine(head, fields)) as Record<string, unknown>;
  const time = new Date(head.timeMs).toTimeString().slice(0, 'hh:mm:ss'.length);
  const { level, message } = line;
  const start = `${time} ${String(level).padEnd(LEVEL_WIDTH)} ${quoted(message).slice(1, -1)}`;
  const shown = Object.entries(line)
    .filter(([name]) => !['time', 'level', 'message'].includes(name))
    .map(([name, value]) => `${plainOrQuoted(name)}=${plainOrQuoted(value)}`);
  return `${[start, ...shown].join('  ')}\n`;
}

function plainOrQuoted(value: unknown): string {
  return typeof value === 'string' && PLAIN.test(value) ? value : quoted(value);
}

function quoted(value: unknown): string {
  return escapeHidden(JSON.stringify(value));
}
