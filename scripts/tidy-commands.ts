/** The rule for commands that fetch the program `agentkeep` from a registry. */
import type { Rule } from './tidy-rules.ts';

/** Words of a command, with the marks between them that prose, shells and JSON have. */
const MARKS = /[\s"'`,:[\]()]+/gu;

const RUNNER = 'npx|bunx|npm (?:exec|install|i)|(?:pnpm|yarn) (?:add|dlx)';

/** A runner or installer, its flags, and the name without a scope. */
const UNSCOPED = new RegExp(
  String.raw`(?:^| )((?:${RUNNER}) (?:(?:args|-[^ @]+) )*agentkeep)(?= |$)`,
  'gu',
);

/**
 * A command names our scoped packages. The npm package `agentkeep` is not ours, so a registry would
 * answer with nothing, or with a program of others.
 */
export const namesScopedPackages: Rule = ({ path, text }) =>
  Array.from(
    text.replaceAll(MARKS, ' ').matchAll(UNSCOPED),
    ([, command = '']) => `${path} has "${command}"; say: npx -y -p @agentkeep/server agentkeep`,
  );
