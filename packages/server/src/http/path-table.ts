/** Finds the targets of a path: by the whole path, or else by the parts around its parameter. */
import type { PathTargets } from './path-targets.js';

/** A table of path templates with at most one parameter each. */
export class PathTable {
  readonly #exact = new Map<string, PathTargets>();
  /** By the template without the name of its parameter: `/a/{id}/b` as `/a//b`. */
  readonly #withParameter = new Map<string, PathTargets>();
  /** How many of the last segments of a path can be a parameter. */
  #lastSegments = 0;

  constructor(all: readonly PathTargets[]) {
    for (const targets of all) {
      const { path, parameterIndex } = targets;
      if (parameterIndex === undefined) {
        this.#exact.set(path, targets);
        continue;
      }
      const segments = path.split('/');
      this.#withParameter.set(segments.with(parameterIndex, '').join('/'), targets);
      this.#lastSegments = Math.max(this.#lastSegments, segments.length - parameterIndex);
    }
  }

  /** Returns the targets of a path, or `undefined`. A fixed path precedes a template. */
  find(path: string): PathTargets | undefined {
    return this.#exact.get(path) ?? this.#findByParameter(path);
  }

  /** Tries the last segments as the parameter. It is never empty. */
  #findByParameter(path: string): PathTargets | undefined {
    let end = path.length;
    for (let tried = 0; tried < this.#lastSegments && end > 0; tried += 1) {
      const slash = path.lastIndexOf('/', end - 1);
      const isEmpty = slash === end - 1;
      const around = isEmpty ? undefined : path.slice(0, slash + 1) + path.slice(end);
      const found = around === undefined ? undefined : this.#withParameter.get(around);
      if (found !== undefined) return found;
      end = slash;
    }
    return undefined;
  }
}
