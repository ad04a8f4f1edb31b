/** Runs the model command of a person: a text goes in, and its output is the answer. */
import { spawn } from 'node:child_process';
import { clearTimeout, setTimeout } from 'node:timers';
import { CommandError } from '../../command/command-error.js';

/** The bounds of a run. */
export interface ModelBounds {
  readonly timeoutMs: number;
  /** UTF-8 bytes of its output. */
  readonly bytesMax: number;
}

const BOUNDS: ModelBounds = { timeoutMs: 120_000, bytesMax: 65_536 };

/**
 * Returns what the command prints for a text. Its words are separated by spaces and go to no shell,
 * so nothing in them or in the text is executed.
 * @throws {CommandError} when it can't be started, fails, prints too much or takes too long.
 */
export function askModel(
  command: string,
  text: string,
  { timeoutMs, bytesMax }: ModelBounds = BOUNDS,
): Promise<string> {
  const [program = '', ...words] = command.split(' ').filter(Boolean);
  return new Promise((resolve, reject) => {
    const child = spawn(program, words, { stdio: ['pipe', 'pipe', 'ignore'], shell: false });
    const fail = (reason: string) => {
      child.kill('SIGKILL');
      // What the command itself started may hold the pipe open.
      child.stdout.destroy();
      reject(new CommandError(`The model command ${program} ${reason}.`));
    };
    const timer = setTimeout(() => fail(`took longer than ${timeoutMs} ms`), timeoutMs);
    const parts: Buffer[] = [];
    let bytes = 0;
    child.on('error', (error) => fail(`could not be started: ${error.message}`));
    // A command that doesn't read its input still may answer.
    child.stdin.on('error', () => undefined);
    child.stdout.on('data', (part: Buffer) => {
      bytes += part.length;
      if (bytes > bytesMax) fail(`printed more than ${bytesMax} bytes`);
      else parts.push(part);
    });
    child.on('close', (status) => {
      clearTimeout(timer);
      if (status === 0) resolve(Buffer.concat(parts).toString('utf8'));
      else fail(`ended with ${status ?? 'a signal'}`);
    });
    child.stdin.end(text);
  });
}
