/** Tests the rule for commands that fetch the program from a registry. */
import { expect, test } from 'vitest';
import { namesScopedPackages } from './tidy-commands.ts';

const fileOf = (text: string) => {
  const file = { path: 'page.md', name: 'page.md', bytes: text.length, text };
  return { ...file, isCode: false, isGenerated: false };
};

// Joined here, so that the rule does not find them in this file.
const name = 'agent' + 'keep';

test.each([
  `Run \`npx ${name} dev\` here.`,
  `npx -y ${name} mcp`,
  `"command": "npx",\n "args": [\n "-y",\n "${name}", "mcp"]`,
  `npm exec -- ${name} serve`,
  `npm install --global ${name}`,
  `pnpm dlx ${name}`,
])('%s asks for a package that is not ours', (text) => {
  expect(namesScopedPackages(fileOf(text))).toHaveLength(1);
});

test.each([
  `npx -y -p @${name}/server -p @${name}/mcp ${name} mcp`,
  `npx --package=@${name}/server ${name} dev`,
  `"command": "npx", "args": ["-y", "-p", "@${name}/server", "${name}", "mcp"]`,
  `npm install --global @${name}/server`,
  `npm install ./${name}-server.tgz`,
  `npx tsx --conditions=${name}-source main.ts`,
  `\`npx vitest\`, and ${name} dev`,
])('%s does not', (text) => {
  expect(namesScopedPackages(fileOf(text))).toEqual([]);
});
