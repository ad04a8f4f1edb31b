/** The paths of the console. */

/** The page. Paths with one more segment show it too. */
export const CONSOLE_PAGE = '/console';

/** The door: where the page keeps, renews and ends a session. */
export const CONSOLE_DOOR = '/console/session';

/** The assets, each by its name. */
export const CONSOLE_ASSET = '/console/assets/{file}';

/** Returns whether a path of this server is one of the console. */
export function isConsolePath(path: string): boolean {
  return path === CONSOLE_PAGE || /^\/console[/?#]/.test(path);
}
