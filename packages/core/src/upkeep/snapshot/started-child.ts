/**
 * Starts a child process from a thread. Starting one copies the page tables of this process, for
 * about 60 ms per GB. A thread that does it holds the event loop for a third to a half of that.
 */
import { Worker } from 'node:worker_threads';

/** Events of a child process, in order. */
export interface ChildEvents {
  readonly onMessage: (message: unknown) => void;
  /** It could not be started. */
  readonly onError: (error: unknown) => void;
  /** It has ended, with `exit status 1` or `SIGBUS`, for example. */
  readonly onEnd: (end: string) => void;
}

/** A process of this Node.js executable with a channel, and without other input and output. */
export interface StartedChild {
  /** Sends a message, if the child still runs. */
  send(message: string): void;
}

/** A message from the thread. */
type ChildReport =
  { readonly message: unknown } | { readonly error: unknown } | { readonly end: string };

/** The program of the thread, as a text, so that every bundle contains it. */
const RELAY = `
const { spawn } = require('node:child_process');
const { parentPort, workerData } = require('node:worker_threads');
const child = spawn(process.execPath, workerData, { stdio: ['ignore', 'ignore', 'ignore', 'ipc'] });
child.on('message', (message) => parentPort.postMessage({ message }));
child.once('error', (error) => {
  parentPort.postMessage({ error });
  parentPort.close();
});
child.once('close', (status, signal) => {
  parentPort.postMessage({ end: signal ?? 'exit status ' + status });
  parentPort.close();
});
parentPort.on('message', (message) => {
  if (child.connected) child.send(message, () => undefined);
});
`;

/** Starts a program with arguments. */
export function startChild(words: readonly string[], events: ChildEvents): StartedChild {
  const relay = new Worker(RELAY, { eval: true, workerData: words, execArgv: [] });
  let hasEnded = false;
  const end = (how: string): void => {
    if (!hasEnded) events.onEnd(how);
    hasEnded = true;
  };
  relay.on('message', (told: ChildReport) => {
    if ('message' in told) events.onMessage(told.message);
    else if ('error' in told) events.onError(told.error);
    else end(told.end);
  });
  relay.once('error', events.onError);
  relay.once('exit', (status) => {
    end(`exit status ${status}`);
  });
  return {
    send: (message) => {
      relay.postMessage(message);
    },
  };
}
