/** Asks a person at a terminal. */
import { once } from 'node:events';

/** The streams of a terminal. */
interface TerminalStreams {
  readonly input: NodeJS.ReadableStream;
  readonly output: NodeJS.WritableStream;
}

/** Returns the answer to a question; an empty text if the person ends it with Ctrl+C or Ctrl+D. */
export async function ask(question: string, streams: TerminalStreams): Promise<string> {
  // Loaded here, because most commands ask nothing.
  const { createInterface } = await import('node:readline/promises');
  const terminal = createInterface({ ...streams, terminal: true });
  // Without a listener, readline rejects with the error of an aborted question.
  const leaving = new AbortController();
  terminal.once('SIGINT', () => leaving.abort());
  const closed = once(terminal, 'close').then(() => '');
  try {
    const answer = terminal.question(question, { signal: leaving.signal });
    return await Promise.race([answer, closed]);
  } catch (error) {
    if (error instanceof Error && error.name === 'AbortError') {
      streams.output.write('\n');
      return '';
    }
    throw error;
  } finally {
    terminal.close();
  }
}
