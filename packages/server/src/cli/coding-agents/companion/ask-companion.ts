/** Asks the helper over its socket, and starts it where none answers. */
import { spawn } from 'node:child_process';
import { connect, type Socket } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { SOCKET } from '../state/agents-folder.js';

/** What a hook asks for. Without a question, only that what waits is sent. */
export interface HelperQuestion {
  readonly project: string;
  readonly session: string;
  readonly host: string;
  readonly question?: string;
}

/** Between two tries to reach a helper that was just started. */
const RETRY_MS = 20;
const ANSWER_BYTES_MAX = 65_536;

/**
 * Returns the answer of the helper, an empty text if it has none until `signal` aborts. The process
 * must be in the folder of coding agents: the path of its socket may be too long otherwise.
 */
export async function askHelper(asked: HelperQuestion, signal: AbortSignal): Promise<string> {
  let started = false;
  while (!signal.aborted) {
    const socket = await reach(signal);
    if (socket !== undefined) return answerOn(socket, asked, signal);
    if (!started) startHelper();
    started = true;
    await delay(RETRY_MS, undefined, { signal }).catch(() => undefined);
  }
  return '';
}

/** Starts a helper that lives on when this process ends. */
function startHelper(): void {
  const [program = ''] = process.argv.slice(1);
  const words = [...process.execArgv, program, 'hook', 'helper'];
  const child = spawn(process.execPath, words, { detached: true, stdio: 'ignore' });
  child.on('error', () => undefined);
  child.unref();
}

function reach(signal: AbortSignal): Promise<Socket | undefined> {
  return new Promise((resolve) => {
    const socket = connect(SOCKET);
    const stop = () => {
      socket.destroy();
      resolve(undefined);
    };
    signal.addEventListener('abort', stop, { once: true });
    socket.once('error', () => {
      signal.removeEventListener('abort', stop);
      stop();
    });
    socket.once('connect', () => {
      signal.removeEventListener('abort', stop);
      socket.removeAllListeners('error');
      resolve(socket);
    });
  });
}

function answerOn(socket: Socket, asked: HelperQuestion, signal: AbortSignal): Promise<string> {
  return new Promise((resolve) => {
    let answer = '';
    const end = (text: string) => {
      socket.destroy();
      resolve(text);
    };
    signal.addEventListener('abort', () => end(''), { once: true });
    socket.setEncoding('utf8');
    socket.on('data', (part: string) => {
      answer += part;
      if (answer.length > ANSWER_BYTES_MAX) end('');
    });
    socket.on('error', () => end(''));
    socket.on('end', () => end(answer));
    socket.write(`${JSON.stringify(asked)}\n`);
  });
}
