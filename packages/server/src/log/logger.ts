/** The log: JSON lines without secrets and without control characters. */
import { setImmediate } from 'node:timers';
import { formatLine } from './format-line.js';

/** Levels, most severe first. */
export const logLevels = ['error', 'warn', 'info', 'debug'] as const;

/** The severity of a line. */
export type LogLevel = (typeof logLevels)[number];

/** Logs one line at one level. */
type LogLine = (message: string, fields?: object) => void;

/** The log of the service. Messages are static; variable data goes into the fields. */
export type Logger = Readonly<Record<LogLevel, LogLine>>;

/** A logger that buffers lines for a short time. */
export interface BufferedLogger extends Logger {
  /** Writes the buffered lines now. */
  readonly flush: () => void;
}

/** Options of {@link jsonLogger}. */
export interface JsonLoggerOptions {
  /** The least severe level that is written. */
  readonly level: LogLevel;
  /** Writes one or more whole lines; must not throw. */
  readonly write: (text: string) => void;
  /** Returns the time in Unix milliseconds. Default: the system clock. */
  readonly now?: () => number;
}

/** Size of the buffer that is written before the turn ends, in UTF-16 units. */
const WAITING_MAX = 65_536;

/** A logger that discards everything. */
export const silentLogger: Logger = Object.freeze({
  error: () => undefined,
  warn: () => undefined,
  info: () => undefined,
  debug: () => undefined,
});

/**
 * Logs one JSON object per line: `time` (RFC 3339, UTC), `level`, `message` and the fields, which
 * cannot replace these three. Lines are written once per turn of the event loop, and before the
 * process exits.
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
      waiting += formatLine({ timeMs: now(), level: own, message }, fields);
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
