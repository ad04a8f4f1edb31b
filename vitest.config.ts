/**
 * Lets a bare `vitest` find the configuration of the workspace.
 *
 * @module
 */
export { default } from './vitest.workspace.ts';
