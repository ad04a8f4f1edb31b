/**
 * Builds and configures the shim between a process and its disk (`native/disk-shim.c`).
 */
import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { CannotRunHereError } from '../proof.js';

const source = fileURLToPath(new URL('../../native/disk-shim.c', import.meta.url));
const FLAGS = ['-std=c11', '-O2', '-shared', '-fPIC', '-Wall', '-Wextra', '-Werror'];

/** Kinds of calls that the shim can make fail. */
export const faultyCalls = ['data', 'meta', 'other', 'sync'] as const;

/**
 * A call on a file: `data` writes pages of the data file, `meta` one of its two headers, `other`
 * anything else, and `sync` waits for the disk.
 */
export type FaultyCall = (typeof faultyCalls)[number];

/** Errors of a disk, with their numbers. */
export const diskErrors = { EIO: 5, ENOSPC: 28 } as const;

/** Configuration of the shim for one process. */
export interface ShimTask {
  /** The shim covers the files below this directory, which must exist. */
  readonly root: string;
  /** File that it appends all changes to. */
  readonly log?: string;
  /** Makes the nth such call fail, and creates the file `fired` when it does. */
  readonly fault?: {
    readonly call: FaultyCall;
    readonly nth: number;
    readonly error: keyof typeof diskErrors;
    readonly fired: string;
  };
  /** Extra time of each sync, in microseconds. */
  readonly syncMicros?: number;
}

/** Environment variables that load the shim into a process. */
export type ShimVariables = Readonly<Record<string, string>>;

/**
 * Compiles the shim into a directory.
 * @returns A function from a configuration to the variables for a process.
 * @throws {CannotRunHereError} without Linux or a C compiler.
 */
export async function buildDiskShim(directory: string): Promise<(task: ShimTask) => ShimVariables> {
  if (process.platform !== 'linux') {
    throw new CannotRunHereError(
      'Disk faults need a preloaded library, which works only on Linux.',
    );
  }
  const library = join(directory, 'disk-shim.so');
  try {
    await promisify(execFile)('cc', [...FLAGS, '-o', library, source, '-ldl', '-lpthread']);
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'ENOENT')) throw error;
    throw new CannotRunHereError(
      'Disk faults need a C compiler named cc; on Debian: apt-get install gcc libc6-dev.',
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
