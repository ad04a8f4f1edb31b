/** The options of replication. */
import { wrongMembers } from '../../contract/errors/arguments.js';

/** How a keep copies its data directory to a target while it runs. */
export interface ReplicationOptions {
  /**
   * A folder as a path or a `file:` URL, or a bucket as `s3://bucket/prefix`, with
   * `?endpoint=https://…` and `&region=…` where it needs them. A bucket needs the package
   * `@aws-sdk/client-s3`. Its content belongs to one store.
   */
  readonly target: string;
  /**
   * When a write is answered: `async` before the target has it, `acknowledged` once it has. Default:
   * `async`.
   */
  readonly mode?: 'async' | 'acknowledged';
  /**
   * Milliseconds after which a commit has been sent, while the target answers, 100 to 3,600,000.
   * Unused with `acknowledged`. Default: 5,000.
   */
  readonly lagMs?: number;
  /** How many days back a moment can be restored, 1 to 3,650. Default: 7. */
  readonly days?: number;
  /** Most hours from one whole copy to the next, 1 to 8,784. Default: 24. */
  readonly copyHours?: number;
  /**
   * Bytes of commits that wait for a target at most, from 1 MiB. What is more is dropped: then a
   * whole copy is made once the target answers. Default: 1 GiB.
   */
  readonly waitingBytes?: number;
  /**
   * Milliseconds for which a call of `acknowledged` waits for the target, 100 to 600,000. Then it
   * is answered with `replica_unavailable`. Default: 10,000.
   */
  readonly acknowledgeMs?: number;
}

/** Checked options. */
export type ReplicationSettings = Required<ReplicationOptions>;

const DAY_HOURS = 24;

/** Bounds and default of each number. */
const numbers = {
  lagMs: [100, 3_600_000, 5_000],
  days: [1, 3_650, 7],
  copyHours: [1, 366 * DAY_HOURS, DAY_HOURS],
  waitingBytes: [2 ** 20, 2 ** 46, 2 ** 30],
  acknowledgeMs: [100, 600_000, 10_000],
} as const;

const modes = ['async', 'acknowledged'] as const;

/**
 * Checks the options of replication; a text is the target.
 * @throws {AgentkeepError} `invalid_request` with the members that are wrong.
 */
export function replicationSettings(given: string | ReplicationOptions): ReplicationSettings {
  const options = typeof given === 'string' ? { target: given } : given;
  const wrong: { path: string; expected: string }[] = [];
  const { target, mode = 'async' } = options;
  if (typeof target !== 'string' || target === '') {
    wrong.push({ path: 'replicateTo.target', expected: 'the path or URL of a target' });
  }
  if (!modes.includes(mode)) {
    wrong.push({ path: 'replicateTo.mode', expected: "'async' or 'acknowledged'" });
  }
  const numberOf = (name: keyof typeof numbers): number => {
    const [min, max, otherwise] = numbers[name];
    const value = options[name] ?? otherwise;
    if (!Number.isSafeInteger(value) || value < min || value > max) {
      wrong.push({ path: `replicateTo.${name}`, expected: `an integer from ${min} to ${max}` });
    }
    return value;
  };
  const known = [...Object.keys(numbers), 'target', 'mode'];
  for (const name of Object.keys(options)) {
    if (!known.includes(name)) wrong.push({ path: `replicateTo.${name}`, expected: 'no member' });
  }
  const settings = {
    ...{ target, mode },
    lagMs: numberOf('lagMs'),
    days: numberOf('days'),
    copyHours: numberOf('copyHours'),
    waitingBytes: numberOf('waitingBytes'),
    acknowledgeMs: numberOf('acknowledgeMs'),
  };
  if (wrong.length > 0) throw wrongMembers('openKeep()', wrong);
  return settings;
}
