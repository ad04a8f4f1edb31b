/**
 * Runs proofs one after another and keeps what each of them came to.
 * @module
 */
import { performance } from 'node:perf_hooks';
import { CannotRunHereError, type Finding, type Proof, type ProofRun } from './proof.js';

/** What running one proof came to. */
export interface Outcome {
  readonly name: string;
  readonly claim: string;
  readonly seconds: number;
  /** Absent if the proof did not come to an end. */
  readonly finding?: Finding;
  /** Why there is no finding: what is missing here, or what went wrong. */
  readonly unfinished?: string;
}

/** Runs every proof, also after one has failed. */
export async function runProofs(proofs: readonly Proof[], run: ProofRun): Promise<Outcome[]> {
  const outcomes: Outcome[] = [];
  for (const proof of proofs) outcomes.push(await runProof(proof, run));
  return outcomes;
}

/** Whether it ran to its end and its promise held. */
export function holds({ finding }: Outcome): boolean {
  return finding !== undefined && finding.violations.length === 0;
}

async function runProof(proof: Proof, run: ProofRun): Promise<Outcome> {
  const { name, claim } = proof;
  const startedMs = performance.now();
  const report = (text: string): void => run.report(`${name}: ${text}`);
  const ended = await proof.run({ ...run, report }).then(
    (finding) => ({ finding }),
    (error: unknown) => ({ unfinished: whyUnfinished(error) }),
  );
  return { name, claim, seconds: (performance.now() - startedMs) / 1000, ...ended };
}

function whyUnfinished(error: unknown): string {
  if (error instanceof CannotRunHereError) return `Not run here: ${error.message}`;
  return `Broke off: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}`;
}
