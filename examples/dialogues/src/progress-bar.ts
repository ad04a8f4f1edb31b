/**
 * A bar that shows on a terminal how far a long job is, and is silent anywhere else.
 * @module
 */

/** Where a job says how far it is. */
export interface Progress {
  /** One more step is done. */
  advance(): void;
  /** The job is done; nothing of it stays on the screen. */
  finish(): void;
}

/** A stream that may be a terminal. */
export interface Screen {
  readonly isTTY?: boolean;
  write(text: string): unknown;
}

/** What the bar is for. */
export interface BarOptions {
  readonly label: string;
  readonly total: number;
  /** Milliseconds by a clock that never goes back. */
  readonly now?: () => number;
}

const BAR_CELLS = 30;
const REDRAW_MS = 50;
/** Carriage return, then erase to the end of the line. */
const CLEAR_LINE = '\r\u001B[K';

const silent: Progress = { advance: () => undefined, finish: () => undefined };

/** A bar on the terminal; on any other stream one that writes nothing. */
export function progressBar(screen: Screen, options: BarOptions): Progress {
  if (screen.isTTY !== true) return silent;
  const { label, total, now = () => performance.now() } = options;
  const startedMs = now();
  let done = 0;
  let drawnMs = -Infinity;
  return {
    advance: () => {
      done += 1;
      const atMs = now();
      if (atMs - drawnMs < REDRAW_MS && done < total) return;
      drawnMs = atMs;
      screen.write(CLEAR_LINE + drawBar({ label, total, done, elapsedMs: atMs - startedMs }));
    },
    finish: () => {
      screen.write(CLEAR_LINE);
    },
  };
}

interface BarState {
  readonly label: string;
  readonly total: number;
  readonly done: number;
  readonly elapsedMs: number;
}

function drawBar({ label, total, done, elapsedMs }: BarState): string {
  const share = total === 0 ? 1 : done / total;
  const filled = Math.round(share * BAR_CELLS);
  const bar = '█'.repeat(filled) + '░'.repeat(BAR_CELLS - filled);
  const perSecond = elapsedMs > 0 ? ` ${Math.round((done * 1_000) / elapsedMs)}/s` : '';
  return `${label} ${bar} ${Math.floor(share * 100)} % ${done}/${total}${perSecond}`;
}
