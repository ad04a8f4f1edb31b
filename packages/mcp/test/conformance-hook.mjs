/**
 * Lets the conformance suite run on Node.js 20: it imports `globSync`, which came with Node.js 22,
 * for a command that is not used here.
 */
import { register } from 'node:module';

const substitute = `data:text/javascript,${encodeURIComponent(`
  export * from 'node:fs';
  export { default } from 'node:fs';
  export const globSync = () => { throw new Error('There is no globSync here.'); };
`)}`;

register(
  `data:text/javascript,${encodeURIComponent(`
    export const resolve = (specifier, context, next) =>
      specifier === 'fs' && context.parentURL?.includes('/conformance/')
        ? { url: ${JSON.stringify(substitute)}, shortCircuit: true }
        : next(specifier, context);
  `)}`,
);
