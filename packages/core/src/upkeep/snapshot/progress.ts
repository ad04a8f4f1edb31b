/** Progress reports of long work. */

/**
 * The phase of the work; `copy` and `digest` count bytes, `read` counts entries, `apply` commits.
 */
export type ProgressPhase = 'copy' | 'digest' | 'read' | 'apply';

/** One report. `done` never decreases within a phase, but a phase may repeat. */
export interface Progress {
  readonly phase: ProgressPhase;
  readonly done: number;
  readonly total: number;
}

/** Receives reports, about ten a second at most. */
export type OnProgress = (progress: Progress) => void;
