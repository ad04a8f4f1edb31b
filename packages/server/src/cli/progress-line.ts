/**
 * Shows on a terminal how far long work has come; says nothing where nobody watches.
 * @module
 */
import type { OnProgress, Progress } from '@agentkeep/core/operator';
import type { CommandIo } from './command.js';

const PHASES: Readonly<Record<Progress['phase'], string>> = {
  copy: 'copying',
  digest: 'checking digests',
  read: 'reading entries',
};

/** Back to the start of the line, and everything on it gone. */
const CLEAR_LINE = '\r\u001B[2K';

/** Does some work with one line of progress, which is gone when it ends. */
export async function withProgress<T>(
  io: CommandIo,
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
  // A store that goes on growing may give more than was announced.
  const percent = total === 0 ? 100 : Math.min(100, Math.floor((100 * done) / total));
  return `${PHASES[phase]}: ${percent} %`;
}
