/**
 * The log: JSON lines for machines to read, without secrets and without control characters.
 * @module
 */
import { loggable, loggableText } from './loggable.js';

/** Levels from the gravest to the most talkative. */
export const logLevels = ['error', 'warn', 'info', 'debug'] as const;

/** How grave a line is. */
export type LogLevel = (typeof logLevels)[number];

/** A method of a logger. */
export type LogLine = (message: string, fields?: object) => void;

/** Where the service tells what it does. Messages are static; what varies goes into fields. */
export type Logger = Readonly<Record<LogLevel, LogLine>>;

/** A logger that holds lines back for a moment. */
export interface BufferedLogger extends Logger {
  /** Writes the lines that wait, at once. */
  readonly flush: () => void;
}

/** How to log JSON lines. */
export interface JsonLoggerOptions {
  /** The most talkative level that is written. */
  readonly level: LogLevel;
  /** Takes one or more whole lines; must not throw. */
  readonly write: (text: string) => void;
  /** Unix milliseconds. Default: the clock of the machine. */
  readonly now?: () => number;
}

/** Characters that end lines, hide or reorder text and that JSON lets stand as they are. */
const HIDDEN = /[\u007f-\u009f\p{Cf}\p{Zl}\p{Zp}]/gu;

/** Waiting text beyond which it is written before the turn ends, in UTF-16 units. */
const WAITING_MAX = 65_536;

/** Logs nothing. */
export const silentLogger: Logger = {
  error: () => undefined,
  warn: () => undefined,
  info: () => undefined,
  debug: () => undefined,
};

/**
 * Logs one JSON object a line: `time` (RFC 3339, UTC), `level`, `message` and the fields, of which
 * none can take the place of these three. Lines are written once per turn of the event loop, and
 * before the process exits.
 */
export function jsonLogger({ level, write, now = Date.now }: JsonLoggerOptions): BufferedLogger {
  const threshold = logLevels.indexOf(level);
  let waiting = '';

  const flush = (): void => {
    process.removeListener('exit', flush);
    const text = waiting;
    waiting = '';
    if (text !== '') write(text);
  };
  const lineOf =
    (own: LogLevel): LogLine =>
    (message, fields) => {
      if (logLevels.indexOf(own) > threshold) return;
      if (waiting === '') {
        process.once('exit', flush);
        setImmediate(flush);
      }
      waiting += formatLine(now(), own, message, fields);
      if (waiting.length > WAITING_MAX) flush();
    };

  return {
    error: lineOf('error'),
    warn: lineOf('warn'),
    info: lineOf('info'),
    debug: lineOf('debug'),
    flush,
  };
}

function formatLine(nowMs: number, level: LogLevel, message: string, fields?: object): string {
  const time = new Date(nowMs).toISOString();
  const fixed = { time, level, message: loggableText(message) };
  const given = fields === undefined ? {} : loggable(fields);
  const isObject = typeof given === 'object' && !Array.isArray(given);
  const members = isObject ? given : { fields: given };
  // Twice: first for the order of members, then so that none of them is replaced.
  const line = JSON.stringify({ ...fixed, ...members, ...fixed });
  return `${line.replaceAll(HIDDEN, escaped)}\n`;
}

/** A character as JSON escapes it, unit by unit. */
function escaped(character: string): string {
  return character
    .split('')
    .map((unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`)
    .join('');
}
