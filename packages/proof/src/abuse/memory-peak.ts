/**
 * The resident memory of a process, now and at its highest.
 */
import { readFile } from 'node:fs/promises';
import { CannotRunHereError } from '../proof.js';

/** Resident memory in MB. */
export interface ResidentMemory {
  readonly now: number;
  /** The highest since the process began. */
  readonly peak: number;
}

/**
 * Reads the memory of a process.
 * @throws {CannotRunHereError} where the kernel does not report it.
 */
export async function residentMemory(pid: number): Promise<ResidentMemory> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8');
  return { now: megabytes(status, 'VmRSS'), peak: megabytes(status, 'VmHWM') };
}

function megabytes(status: string, name: string): number {
  const [, kilobytes] = new RegExp(`^${name}:\\s+(\\d+) kB$`, 'm').exec(status) ?? [];
  if (kilobytes === undefined) {
    throw new CannotRunHereError(`The kernel does not report ${name}.`);
  }
  return Number(kilobytes) / 1_024;
}
