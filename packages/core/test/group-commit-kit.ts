/** A group commit over a fake environment with a disk that fails on demand. */
import { setImmediate } from 'node:timers/promises';
import { type Mock, vi } from 'vitest';
import { AgentkeepError } from '../src/contract/errors/agentkeep-error.js';
import type { CommitFailure } from '../src/storage/lmdb-store/environment.js';
import { GroupCommit, type GroupCommitOptions } from '../src/storage/lmdb-store/group-commit.js';
import type { WriteTarget } from '../src/storage/store/overlay.js';
import { Positions } from '../src/storage/store/position.js';

/** What the disk fails with. */
export const diskError = Object.assign(new Error('EIO: i/o error'), { code: 5 });

/** An environment that stores values under one-byte keys, and fails on demand. */
class FakeEnvironment {
  stored = new Map<number, number>();
  commits: number[] = [];
  failing = { put: false, commit: false, probe: false, read: false };
  /** The error of a failing commit. */
  failure: Error = diskError;
  onCommit: () => void = () => undefined;
  #pending: Map<number, number> | undefined;

  get(key: Uint8Array): Uint8Array | undefined {
    const value = (this.#pending ?? this.stored).get(key[0]!);
    return value === undefined ? undefined : Uint8Array.from([value]);
  }

  range() {
    return [];
  }

  write(apply: (target: WriteTarget) => void): void {
    this.#commit(this.#apply(apply));
  }

  /** Ends the commit aside that is under way; present while {@link holdsFlush} and there is one. */
  flush: (() => void) | undefined;
  holdsFlush = false;

  async writeAside(
    apply: (target: WriteTarget) => void,
    settled: (failure: CommitFailure | undefined) => void,
  ): Promise<void> {
    // Its thread is not ready at once.
    await setImmediate();
    let failure: CommitFailure | undefined;
    try {
      const applied = this.#apply(apply);
      await (this.holdsFlush
        ? new Promise<void>((resolve) => (this.flush = resolve))
        : setImmediate());
      this.flush = undefined;
      this.#commit(applied);
    } catch (cause) {
      failure = { cause };
    }
    settled(failure);
  }

  #apply(apply: (target: WriteTarget) => void): { pending: Map<number, number>; puts: number } {
    const pending = new Map(this.stored);
    this.#pending = pending;
    let puts = 0;
    try {
      apply({
        put: (text, value) => {
          if (this.failing.put) throw diskError;
          puts += 1;
          pending.set(text.charCodeAt(0), value[0]!);
        },
        remove: (text) => pending.delete(text.charCodeAt(0)),
      });
    } finally {
      this.#pending = undefined;
    }
    return { pending, puts };
  }

  #commit({ pending, puts }: { pending: Map<number, number>; puts: number }): void {
    if (this.failing.commit) throw this.failure;
    this.onCommit();
    this.stored = pending;
    this.commits.push(puts);
  }

  probe(): void {
    if (this.failing.probe) throw diskError;
  }

  isReadable(): boolean {
    return !this.failing.read;
  }
}

/** Opens a group commit over a fake environment. */
export function setUp(options: Partial<GroupCommitOptions> = {}) {
  const environment = new FakeEnvironment();
  const onFatal: Mock<(error: AgentkeepError) => void> = vi.fn();
  const commits = new GroupCommit({
    environment,
    positions: new Positions(1),
    freeBytes: () => 2 ** 40,
    reserveBytes: undefined,
    onFatal,
    // Time stands still, so that the size of a batch does not depend on the machine.
    nowMs: () => 0,
    // Most tests are about commits in one turn.
    asideBodiesMin: Infinity,
    ...options,
  });
  const put = (key: number, value = key) =>
    commits.submit((tx) => tx.put(Uint8Array.from([key]), Uint8Array.from([value])));
  return { environment, commits, onFatal, put };
}

/** Returns the code of the error of a call, or `fine`. */
export async function codeOf(call: Promise<unknown>): Promise<string> {
  try {
    await call;
    return 'fine';
  } catch (error) {
    return error instanceof AgentkeepError ? error.code : String(error);
  }
}
