/**
 * One idempotency key of a subject: free until a command takes effect under it, and from then on
 * that command's alone.
 * @module
 */
import type { SequentialModel } from './linearizability.js';

/** What happens under one key; `command` tells commands apart. */
export type KeyEvent =
  /** Answered with a receipt, or, without one, not known to have taken effect. */
  | { readonly type: 'command'; readonly command: string; readonly receipt?: string }
  /** Refused because of the key. */
  | { readonly type: 'conflict'; readonly command: string }
  /** Refused for another reason, which is looked at only while the key is free. */
  | { readonly type: 'refusal' };

/** The command that took effect, with its receipt once that is known. */
export interface KeyUse {
  readonly command: string;
  readonly receipt?: string | undefined;
}

/** What a key answers. */
export const keyModel: SequentialModel<KeyUse | null, KeyEvent> = {
  initial: null,
  next(use, event) {
    switch (event.type) {
      case 'refusal':
        return use === null ? null : undefined;
      case 'conflict':
        return use !== null && use.command !== event.command ? use : undefined;
      case 'command': {
        const { command, receipt } = event;
        if (use === null) return { command, receipt };
        const isReplay = use.command === command && (use.receipt ?? receipt) === receipt;
        return receipt !== undefined && isReplay ? { command, receipt } : undefined;
      }
    }
  },
  keyOf: (use) => JSON.stringify(use),
};
