/** Reads what the metrics of a server say, in the text format of Prometheus. */

/** What the console shows of the metrics. Counts begin with the process. */
export interface Readings {
  readonly requests: number;
  /** Requests that failed because of the server. */
  readonly failures: number;
  readonly inFlight: number;
  /** How many requests took at most so many seconds, from the shortest on. */
  readonly durations: readonly (readonly [seconds: number, requests: number])[];
  readonly queues: readonly (readonly [name: string, length: number])[];
  /** Left out where nothing is copied. */
  readonly replication?: ReplicationReadings;
}

/** How far a replication target is behind. */
export interface ReplicationReadings {
  /** Whether it takes commits. */
  readonly isUp: boolean;
  /** Age of the oldest commit that it lacks. */
  readonly lagMs: number;
  /** Commits that it lacks, and their bytes. */
  readonly commits: number;
  readonly bytes: number;
  /** When its newest whole copy was made, in Unix milliseconds. */
  readonly copyMs: number | undefined;
}

interface Line {
  readonly name: string;
  readonly labels: Readonly<Record<string, string>>;
  readonly value: number;
}

const LINE = /^(?<name>[a-z_][\w:]*)(?:\{(?<labels>.*)\})? (?<value>\S+)/i;
const LABEL = /(?<=^|,)(\w+)="((?:[^"\\]|\\.)*)"/g;

/** Returns the readings of a text. */
export function readMetrics(text: string): Readings {
  const lines = text.split('\n').flatMap(lineOf);
  const named = (name: string): Line[] => lines.filter((line) => line.name === name);
  const requests = named('agentkeep_requests_total');
  const durations = new Map<number, number>();
  for (const { labels, value } of named('agentkeep_request_duration_seconds_bucket')) {
    const seconds = numberOf(labels['le'] ?? '');
    durations.set(seconds, (durations.get(seconds) ?? 0) + value);
  }
  return {
    requests: sum(requests),
    failures: sum(requests.filter(({ labels }) => labels['status'] === '5xx')),
    inFlight: sum(named('agentkeep_requests_in_flight')),
    durations: [...durations].toSorted(([one], [other]) => one - other),
    queues: named('agentkeep_waiting').map(({ labels, value }) => [labels['queue'] ?? '', value]),
    ...replicationIn((name) => named(`agentkeep_replication_${name}`)[0]?.value),
  };
}

function replicationIn(value: (name: string) => number | undefined): Pick<Readings, 'replication'> {
  const [up, lag, commits, bytes] = [
    value('up'),
    value('lag_seconds'),
    value('lag_commits'),
    value('waiting_bytes'),
  ];
  if (up === undefined || lag === undefined) return {};
  if (commits === undefined || bytes === undefined) return {};
  const copied = value('copy_time_seconds');
  const copyMs = copied === undefined ? undefined : copied * 1_000;
  return { replication: { isUp: up === 1, lagMs: lag * 1_000, commits, bytes, copyMs } };
}

/**
 * Returns the time in milliseconds within which a part of the requests between two readings was
 * answered, or `undefined` if there was none. It is estimated from the bounds that are counted.
 */
export function durationBetween(
  { before, after }: { readonly before: Readings; readonly after: Readings },
  part: number,
): number | undefined {
  const earlier = new Map(before.durations);
  const counts = after.durations.map(
    ([seconds, requests]) => [seconds, requests - (earlier.get(seconds) ?? 0)] as const,
  );
  const all = counts.at(-1)?.[1] ?? 0;
  if (all <= 0) return undefined;
  const wanted = part * all;
  let [fromS, fromCount] = [0, 0];
  for (const [seconds, count] of counts) {
    if (count >= wanted) {
      // Beyond the last bound nothing is known, so it is the answer.
      if (!Number.isFinite(seconds)) return fromS * 1_000;
      const share = count === fromCount ? 1 : (wanted - fromCount) / (count - fromCount);
      return (fromS + share * (seconds - fromS)) * 1_000;
    }
    [fromS, fromCount] = [seconds, count];
  }
  return undefined;
}

function lineOf(text: string): Line[] {
  const { name, labels = '', value = '' } = LINE.exec(text)?.groups ?? {};
  if (name === undefined) return [];
  const pairs = [...labels.matchAll(LABEL)].map(([, key = '', quoted = '']) => [key, quoted]);
  return [{ name, labels: Object.fromEntries(pairs) as Line['labels'], value: numberOf(value) }];
}

function numberOf(text: string): number {
  return text === '+Inf' ? Infinity : Number(text);
}

function sum(lines: readonly Line[]): number {
  return lines.reduce((total, { value }) => total + value, 0);
}
