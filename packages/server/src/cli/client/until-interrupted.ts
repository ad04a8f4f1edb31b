/** Runs a command that continues until Ctrl+C. */
import type { CommandIo } from '../command/command.js';

/** Runs `follow` with a signal that Ctrl+C aborts. An interruption is not a failure. */
export async function untilInterrupted(
  { interrupted }: Pick<CommandIo, 'interrupted'>,
  follow: (signal: AbortSignal) => Promise<void>,
): Promise<void> {
  const signal = interrupted?.() ?? new AbortController().signal;
  try {
    await follow(signal);
  } catch (error) {
    if (!signal.aborted) throw error;
  }
}
