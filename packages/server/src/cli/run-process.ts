/** Runs the command line of the process and sets the exit status. */
import { ask } from './output/ask.js';
import { failureMessage } from './output/failure.js';
import { runCommandLine } from './run-command-line.js';

function write(stream: NodeJS.WriteStream, text: string): Promise<void> {
  return new Promise((resolve, reject) => {
    stream.write(text, (error) => {
      if (error) reject(error);
      else resolve();
    });
  });
}

// A failed write rejects its own promise; an unhandled event would end the process.
for (const stream of [process.stdout, process.stderr]) stream.on('error', () => undefined);

const writeError = (text: string): void => {
  process.stderr.write(text);
};

process.on('uncaughtException', (error) => {
  writeError(`agentkeep: ${failureMessage(error)}\n`);
  process.exit(1);
});

const { stdin, stdout, stderr } = process;

/** The second Ctrl+C ends the process at once. */
function interrupted(): AbortSignal {
  const controller = new AbortController();
  process.once('SIGINT', () => controller.abort());
  return controller.signal;
}

const status = await runCommandLine(process.argv.slice(2), {
  environment: process.env,
  writeOut: (text) => write(stdout, text),
  writeError,
  readInput: () => stdin,
  interrupted,
  // On standard error, since standard output may be read by a program.
  ask:
    stdin.isTTY && stderr.isTTY
      ? (question) => ask(question, { input: stdin, output: stderr })
      : undefined,
  isWatched: stderr.isTTY,
  // Some terminals do not know their width.
  terminal: stdout.isTTY
    ? { columns: stdout.columns || 80, hasColors: stdout.hasColors() }
    : undefined,
});
// Pipes are asynchronous on some platforms: wait for pending writes before exiting.
await Promise.allSettled([write(process.stdout, ''), write(process.stderr, '')]);
process.exit(status);
