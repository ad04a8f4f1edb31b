/** The port that wakes the sweep of memory. */
import { Port } from '../../../kernel/ports/port.js';

/** Removes memory that is no longer kept, in the background. */
export const sweepMemory = new Port<() => void>('sweepMemory');
