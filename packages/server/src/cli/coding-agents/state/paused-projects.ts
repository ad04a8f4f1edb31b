/** The projects in which a person paused capture and recall. */
import { readObject, replaceFile } from './private-json.js';

/** Returns whether a project is paused. */
export function isPaused(file: string, project: string): boolean {
  return Object.hasOwn(readObject(file) ?? {}, project);
}

/** Pauses a project, or resumes it. */
export function setPaused(file: string, project: string, paused: boolean): void {
  const others = Object.entries(readObject(file) ?? {}).filter(([name]) => name !== project);
  const all = Object.fromEntries(paused ? [...others, [project, true]] : others);
  replaceFile(file, `${JSON.stringify(all, undefined, 2)}\n`);
}
