/** The way from a page back to the console. */
import { CONSOLE_PAGE } from '../../console/console-paths.js';
import { html, type Markup } from './html.js';

/** Returns a link to the console, where it is served. */
export function consoleLink({ hasConsole }: { readonly hasConsole: boolean }): Markup | '' {
  if (!hasConsole) return '';
  return html`<p class="soft small"><a href="${CONSOLE_PAGE}">Go to the console</a></p>`;
}
