/**
 * Model of one idempotency key of a subject: free until a command takes effect with it, and
 * reserved for that command afterwards.
 */
import type { SequentialModel } from './linearizability.js';

/** An event of a key; `command` identifies the command. */
export type KeyEvent =
  /** Answered with a receipt, or without one: an unknown outcome. */
  | { readonly type: 'command'; readonly command: string; readonly receipt?: string }
  /** Refused because the key was used. */
  | { readonly type: 'conflict'; readonly command: string }
  /** Refused for another reason, which is checked only while the key is free. */
  | { readonly type: 'refusal' };

/** The command that took effect, with its receipt if known. */
export interface KeyUse {
  readonly command: string;
  readonly receipt?: string | undefined;
}

/** The model of a key. */
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
