/**
 * Lets a bare `vitest` find the configuration of the workspace.
 */
export { default } from './vitest.workspace.ts';
