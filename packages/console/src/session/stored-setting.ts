/** Settings of the page that the browser keeps. They say nothing of who is signed in. */
import { type Signal, signal } from '@preact/signals';

/** A setting that is on or off, and outlives the page. */
export interface StoredSetting {
  readonly value: Signal<boolean>;
  readonly set: (value: boolean) => void;
}

/** Returns a setting, which is on until a person turns it off. */
export function storedSetting(name: string): StoredSetting {
  const key = `agentkeep.${name}`;
  const value = signal(readStored(key) !== 'off');
  return {
    value,
    set: (next) => {
      value.value = next;
      try {
        localStorage.setItem(key, next ? 'on' : 'off');
      } catch {
        // A browser that stores nothing keeps the setting until the page is left.
      }
    },
  };
}

function readStored(key: string): string | null {
  try {
    return localStorage.getItem(key);
  } catch {
    return null;
  }
}
