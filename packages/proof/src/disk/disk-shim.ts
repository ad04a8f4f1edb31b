/**
 * Builds the shim between a process and its disk (`native/disk-shim.c`), and puts it there.
 * @module
 */
import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { CannotRunHereError } from '../proof.js';

const source = fileURLToPath(new URL('../../native/disk-shim.c', import.meta.url));
const FLAGS = ['-std=c11', '-O2', '-shared', '-fPIC', '-Wall', '-Wextra', '-Werror'];

/** Calls that the shim can let fail, told apart by what they mean to a store. */
export const faultyCalls = ['data', 'meta', 'other', 'sync'] as const;

/**
 * A call on a file: `data` writes pages of the data file, `meta` one of its two headers, `other`
 * anything else, and `sync` waits for the disk.
 */
export type FaultyCall = (typeof faultyCalls)[number];

/** Errors of a disk, with their numbers. */
export const diskErrors = { EIO: 5, ENOSPC: 28 } as const;

/** What the shim does for a process. */
export interface ShimTask {
  /** Files below this directory are its concern; it has to exist. */
  readonly root: string;
  /** File to which it appends everything that is done to them. */
  readonly log?: string;
  /** Lets the nth such call fail, and makes a file of this name when it does. */
  readonly fault?: {
    readonly call: FaultyCall;
    readonly nth: number;
    readonly error: keyof typeof diskErrors;
    readonly fired: string;
  };
  /** Microseconds that each sync takes longer. */
  readonly syncMicros?: number;
}

/** Variables that put a shim before a process. */
export type ShimVariables = Readonly<Record<string, string>>;

/**
 * Compiles the shim into a directory.
 * @returns How to put it before a process.
 * @throws {CannotRunHereError} where there is no C compiler, or no Linux.
 */
export async function buildDiskShim(directory: string): Promise<(task: ShimTask) => ShimVariables> {
  if (process.platform !== 'linux') {
    throw new CannotRunHereError(
      'Faults of a disk are made by a preloaded library, on Linux only.',
    );
  }
  const library = join(directory, 'disk-shim.so');
  try {
    await promisify(execFile)('cc', [...FLAGS, '-o', library, source, '-ldl', '-lpthread']);
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'ENOENT')) throw error;
    throw new CannotRunHereError(
      'Faults of a disk need a C compiler named cc; on Debian: apt-get install gcc libc6-dev.',
    );
  }
  return (task) => ({ LD_PRELOAD: library, ...variablesOf(task) });
}

function variablesOf({ root, log, fault, syncMicros }: ShimTask): ShimVariables {
  return {
    DISK_SHIM_ROOT: root,
    ...(log === undefined ? {} : { DISK_SHIM_LOG: log }),
    ...(syncMicros === undefined ? {} : { DISK_SHIM_SYNC_US: String(syncMicros) }),
    ...(fault === undefined
      ? {}
      : {
          DISK_SHIM_FAULT: `${fault.call}:${fault.nth}:${diskErrors[fault.error]}`,
          DISK_SHIM_FIRED: fault.fired,
        }),
  };
}
