/**
 * Runs proofs in sequence and collects their outcomes.
 */
import { performance } from 'node:perf_hooks';
import { CannotRunHereError, type Finding, type ProofProgram, type ProofRun } from './proof.js';

/** Outcome of one proof. */
export interface Outcome {
  readonly name: string;
  readonly claim: string;
  readonly seconds: number;
  /** Absent if the proof did not finish. */
  readonly finding?: Finding;
  /** Why there is no finding: what this machine lacks, or the error. */
  readonly unfinished?: string;
}

/** Runs every proof, even after one has failed. */
export async function runProofs(
  proofs: readonly ProofProgram[],
  run: ProofRun,
): Promise<Outcome[]> {
  const outcomes: Outcome[] = [];
  for (const proof of proofs) outcomes.push(await runProof(proof, run));
  return outcomes;
}

/** Whether the proof finished and its promise held. */
export function holds({ finding }: Outcome): boolean {
  return finding !== undefined && finding.violations.length === 0;
}

async function runProof(proof: ProofProgram, run: ProofRun): Promise<Outcome> {
  const { name, claim } = proof;
  const startedMs = performance.now();
  const report = (text: string): void => run.report(`${name}: ${text}`);
  const ended = await proof.run({ ...run, report }).then(
    (finding) => ({ finding }),
    (error: unknown) => ({ unfinished: reasonUnfinished(error) }),
  );
  return { name, claim, seconds: (performance.now() - startedMs) / 1000, ...ended };
}

function reasonUnfinished(error: unknown): string {
  if (error instanceof CannotRunHereError) return `Not run here: ${error.message}`;
  return `Failed: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}`;
}
