/** Shows the progress of long work on a terminal; prints nothing elsewhere. */
import type { OnProgress, Progress } from '@agentkeep/core/operator';
import type { CommandIo } from '../command/command.js';

const PHASES: Readonly<Record<Progress['phase'], string>> = {
  copy: 'copying',
  digest: 'checking digests',
  read: 'reading entries',
  apply: 'applying commits',
};

/** Moves to the start of the line and clears it. */
const CLEAR_LINE = '\r\u001B[2K';

/** Runs some work with a progress line, which is cleared at the end. */
export async function withProgress<T>(
  io: Pick<CommandIo, 'writeError' | 'isWatched'>,
  work: (onProgress: OnProgress) => Promise<T>,
): Promise<T> {
  if (io.isWatched !== true) return work(() => undefined);
  let shown = '';
  try {
    return await work((progress) => {
      const line = lineOf(progress);
      if (line === shown) return;
      shown = line;
      io.writeError(`${CLEAR_LINE}${line}`);
    });
  } finally {
    if (shown !== '') io.writeError(CLEAR_LINE);
  }
}

function lineOf({ phase, done, total }: Progress): string {
  // A growing store may yield more entries than announced.
  const percent = total === 0 ? 100 : Math.min(100, Math.floor((100 * done) / total));
  return `${PHASES[phase]}: ${percent} %`;
}
