/** The files and sockets that a process has open, at their most. */
import { readdirSync } from 'node:fs';

const EVERY_MS = 50;

/** Watches the open files of a process until it is disposed. */
export class OpenFiles implements Disposable {
  readonly #timer: NodeJS.Timeout;
  readonly #pid: () => number;
  #most = 0;

  /** `pid` returns the process, which may be another one later. */
  constructor(pid: () => number) {
    this.#pid = pid;
    this.#timer = setInterval(() => {
      this.#look();
    }, EVERY_MS);
  }

  /** The most that were seen open at once. */
  get most(): number {
    return this.#most;
  }

  /** Ends the watch. */
  [Symbol.dispose](): void {
    clearInterval(this.#timer);
  }

  #look(): void {
    try {
      this.#most = Math.max(this.#most, readdirSync(`/proc/${this.#pid()}/fd`).length);
    } catch {
      // The process has ended, which the proof notices elsewhere.
    }
  }
}
