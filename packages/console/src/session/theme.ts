/** Light or dark: as the system says, until a person chooses. */
import { signal } from '@preact/signals';
import { readStored, store } from './stored-setting.js';

const names = ['system', 'light', 'dark'] as const;

/** The name of a theme. */
export type Theme = (typeof names)[number];

/** The theme that is shown. */
export const theme = signal<Theme>('system');

/** Shows the theme that was chosen before. */
export function startTheme(): void {
  const stored = readStored('theme');
  show(names.find((name) => name === stored) ?? 'system');
}

/** Shows a theme from now on, also after a reload. */
export function chooseTheme(name: Theme): void {
  store('theme', name);
  show(name);
}

function show(name: Theme): void {
  document.documentElement.dataset['theme'] = name;
  theme.value = name;
}
