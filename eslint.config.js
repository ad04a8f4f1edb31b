/**
 * What ESLint checks: types, regular expressions, and a docstring on everything exported.
 */
import js from '@eslint/js';
import jsdoc from 'eslint-plugin-jsdoc';
import * as regexp from 'eslint-plugin-regexp';
import { defineConfig, globalIgnores } from 'eslint/config';
import typescript from 'typescript-eslint';

const tests = ['**/*.test.ts', '**/*.test-d.ts', 'packages/*/test/**/*.ts'];
const plainNode = ['**/*.js', '**/*.cjs', '**/*.mjs'];

const nodeGlobals = Object.fromEntries(
  ['console', 'process', 'URL', 'setTimeout', 'clearTimeout', 'Buffer', 'module', 'require'].map(
    (name) => [name, 'readonly'],
  ),
);

const documented = {
  rules: {
    'jsdoc/require-jsdoc': [
      'error',
      {
        publicOnly: { ancestorsOnly: true, esm: true, cjs: false, window: false },
        enableFixer: false,
        require: { ClassDeclaration: true, FunctionDeclaration: true, MethodDefinition: true },
        contexts: [
          'TSInterfaceDeclaration',
          // The type of a schema has the name of the schema, and its docstring stands there.
          'TSTypeAliasDeclaration:not([typeAnnotation.typeName.right.name="InferOutput"])',
          'TSEnumDeclaration',
          'ExportNamedDeclaration > VariableDeclaration',
        ],
        checkConstructors: false,
      },
    ],
    'jsdoc/require-description': ['error', { contexts: ['any'], descriptionStyle: 'body' }],
    'jsdoc/check-alignment': 'error',
    'jsdoc/check-param-names': 'error',
    'jsdoc/check-tag-names': ['error', { typed: false }],
    'jsdoc/no-types': 'error',
  },
};

/** The client bounds what tenants cause, and the command line calls what its user names. */
const WAY_OUT = 'What the server calls goes through packages/server/src/outgoing/.';

/** Globals that the fake timers of a test replace. A keep works on below them. */
const replacedTimers = [
  ...['setTimeout', 'setInterval', 'setImmediate'].map((name) => [name, 'node:timers']),
  ['performance', 'node:perf_hooks'],
].map(([name, module]) => ({ name, message: `Import it from ${module}.` }));

export default defineConfig(
  globalIgnores(['**/dist/', '**/node_modules/', 'coverage/', '**/.cache/', 'docs/reference/']),
  { linterOptions: { reportUnusedDisableDirectives: 'error', noInlineConfig: true } },
  js.configs.recommended,
  regexp.configs['flat/recommended'],
  {
    rules: {
      eqeqeq: 'error',
      // The key encoding looks for control characters on purpose.
      'no-control-regex': 'off',
      'regexp/no-super-linear-move': 'error',
      // Spelled out where the pattern is published or a standard writes it so.
      'regexp/prefer-w': 'off',
      'regexp/use-ignore-case': 'off',
    },
  },
  {
    files: ['**/*.{ts,tsx}'],
    extends: [typescript.configs.strictTypeChecked],
    languageOptions: {
      parserOptions: {
        project: ['./tsconfig.json', './packages/console/tsconfig.json'],
        tsconfigRootDir: import.meta.dirname,
      },
    },
    rules: {
      '@typescript-eslint/consistent-type-imports': ['error', { fixStyle: 'inline-type-imports' }],
      '@typescript-eslint/no-confusing-void-expression': ['error', { ignoreArrowShorthand: true }],
      '@typescript-eslint/no-unused-vars': ['error', { argsIgnorePattern: '^_' }],
      '@typescript-eslint/restrict-template-expressions': ['error', { allowNumber: true }],
      '@typescript-eslint/switch-exhaustiveness-check': 'error',
    },
  },
  {
    files: ['packages/*/src/**/*.{ts,tsx}'],
    ignores: tests,
    plugins: { jsdoc },
    ...documented,
  },
  {
    files: ['packages/{core,postgres,server}/src/**/*.ts'],
    ignores: [...tests, 'packages/core/src/client/**'],
    rules: { 'no-restricted-globals': ['error', ...replacedTimers] },
  },
  {
    files: ['packages/server/src/**/*.ts'],
    ignores: [...tests, 'packages/server/src/{cli,outgoing}/**'],
    rules: {
      'no-restricted-globals': ['error', { name: 'fetch', message: WAY_OUT }, ...replacedTimers],
      'no-restricted-syntax': [
        'error',
        {
          selector:
            'ImportDeclaration[source.value="node:http"] > ImportSpecifier[imported.name=/^(?:get|request|Agent)$/]',
          message: WAY_OUT,
        },
      ],
    },
  },
  {
    files: ['packages/*/src/**/*.ts'],
    ignores: [
      ...tests,
      'packages/core/src/contract/digest.ts',
      // A person waits for hooks, which therefore load nothing of core.
      'packages/server/src/cli/coding-agents/state/digest.ts',
      'packages/{proof,testkit}/**',
    ],
    rules: {
      'no-restricted-imports': [
        'error',
        {
          paths: [
            {
              name: 'node:crypto',
              importNames: ['hash', 'createHash', 'createHmac'],
              message: 'Digests come from packages/core/src/contract/digest.ts.',
            },
          ],
        },
      ],
    },
  },
  {
    files: [...tests, 'packages/{proof,testkit}/src/**/*.ts'],
    rules: {
      // Matchers such as expect.any() are typed as any, and a fake may have nothing to await.
      '@typescript-eslint/no-unsafe-assignment': 'off',
      '@typescript-eslint/no-non-null-assertion': 'off',
      '@typescript-eslint/require-await': 'off',
    },
  },
  {
    // Deprecated forms, which the next version does not have.
    files: [
      'packages/core/src/client/scope-first-memory.ts',
      'packages/server/test/deprecated-forms.test.ts',
    ],
    rules: { '@typescript-eslint/no-deprecated': 'off', 'jsdoc/require-description': 'off' },
  },
  { files: plainNode, languageOptions: { globals: nodeGlobals } },
  {
    files: ['packages/server/reference-page/*.js'],
    languageOptions: {
      globals: { document: 'readonly', matchMedia: 'readonly', SwaggerUIBundle: 'readonly' },
    },
  },
);
