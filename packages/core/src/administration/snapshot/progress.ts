/**
 * How far a long piece of work has come.
 * @module
 */

/** What is being done; `copy` and `digest` count bytes, `read` counts entries. */
export type ProgressPhase = 'copy' | 'digest' | 'read';

/** One report; `done` never falls within a phase, but a phase may come again. */
export interface Progress {
  readonly phase: ProgressPhase;
  readonly done: number;
  readonly total: number;
}

/** Is told how far the work has come, some ten times a second at most on a usual machine. */
export type OnProgress = (progress: Progress) => void;
