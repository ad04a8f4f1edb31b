/** Settings of the page that the browser keeps. They say nothing of who is signed in. */
import { type Signal, signal } from '@preact/signals';

/** A setting that is on or off, and outlives the page. */
export interface StoredSetting {
  readonly value: Signal<boolean>;
  readonly set: (value: boolean) => void;
}

/** Returns a setting, which is on until a person turns it off. */
export function storedSetting(name: string): StoredSetting {
  const value = signal(readStored(name) !== 'off');
  return {
    value,
    set: (next) => {
      value.value = next;
      store(name, next ? 'on' : 'off');
    },
  };
}

/** Stores a setting as a text. A browser that stores nothing keeps it until the page is left. */
export function store(name: string, value: string): void {
  try {
    localStorage.setItem(keyOf(name), value);
  } catch {
    // The setting is what the page shows, whether it is stored or not.
  }
}

/** Returns a setting as a text, or `null`. */
export function readStored(name: string): string | null {
  try {
    return localStorage.getItem(keyOf(name));
  } catch {
    return null;
  }
}

function keyOf(name: string): string {
  return `agentkeep.${name}`;
}
