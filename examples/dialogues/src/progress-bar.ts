/** A progress bar for terminals; other streams get no output. */

/** Receives the progress of a job. */
export interface Progress {
  /** Counts one finished step. */
  advance(): void;
  /** Ends the job and clears the bar. */
  finish(): void;
}

/** A stream that may be a terminal. */
export interface Screen {
  readonly isTTY?: boolean;
  write(text: string): unknown;
}

/** The label and length of the job. */
export interface BarOptions {
  readonly label: string;
  readonly total: number;
  /** Returns milliseconds of a monotonic clock. */
  readonly now?: () => number;
}

const BAR_CELLS = 30;
const REDRAW_MS = 50;
/** Carriage return, then erase to the end of the line. */
const CLEAR_LINE = '\r\u001B[K';

const silent: Progress = { advance: () => undefined, finish: () => undefined };

/** Returns a bar for a terminal, or a silent one for any other stream. */
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
