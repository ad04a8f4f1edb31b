/** How far a store is sealed, as this process knows it. */

/** Whether values that are still plain may be read; it changes once. */
export interface SealingProgress {
  isComplete: boolean;
}
