/**
 * What the linter checks: types, regular expressions, and a docstring on everything exported.
 */
import * as regexp from 'eslint-plugin-regexp';

const tests = ['**/*.test.ts', '**/*.test-d.ts', 'packages/*/test/**/*.ts'];
const typed = ['**/*.{ts,tsx}'];

/** Rules on what may be wrong, beyond those of the category `correctness`. */
const strict = {
  eqeqeq: 'error',
  'no-case-declarations': 'error',
  'no-empty': 'error',
  'no-fallthrough': 'error',
  'no-prototype-builtins': 'error',
  'no-regex-spaces': 'error',
  'no-unexpected-multiline': 'error',
  'no-useless-assignment': 'error',
  'prefer-regex-literals': 'error',
  'preserve-caught-error': 'error',
};

/** The same for rules that know types. */
const strictTypes = {
  'no-array-constructor': 'error',
  'no-useless-constructor': 'error',
  'no-unused-vars': ['error', { argsIgnorePattern: '^_' }],
  ...Object.fromEntries(
    [
      'no-deprecated',
      'no-dynamic-delete',
      'no-empty-object-type',
      'no-explicit-any',
      'no-extraneous-class',
      'no-generated-empty-object-type',
      'no-invalid-void-type',
      'no-misused-promises',
      'no-mixed-enums',
      'no-namespace',
      'no-non-null-asserted-nullish-coalescing',
      'no-non-null-assertion',
      'no-require-imports',
      'no-unnecessary-boolean-literal-compare',
      'no-unnecessary-condition',
      'no-unnecessary-template-expression',
      'no-unnecessary-type-arguments',
      'no-unnecessary-type-assertion',
      'no-unnecessary-type-constraint',
      'no-unnecessary-type-conversion',
      'no-unnecessary-type-parameters',
      'no-unsafe-argument',
      'no-unsafe-assignment',
      'no-unsafe-call',
      'no-unsafe-enum-comparison',
      'no-unsafe-function-type',
      'no-unsafe-member-access',
      'no-unsafe-return',
      'only-throw-error',
      'prefer-literal-enum-member',
      'prefer-promise-reject-errors',
      'prefer-reduce-type-parameter',
      'prefer-return-this-type',
      'related-getter-setter-pairs',
      'require-await',
      'switch-exhaustiveness-check',
      'unified-signatures',
      'use-unknown-in-catch-callback-variable',
    ].map((name) => [`typescript/${name}`, 'error']),
  ),
  'typescript/ban-ts-comment': ['error', { minimumDescriptionLength: 10 }],
  'typescript/consistent-type-imports': ['error', { fixStyle: 'inline-type-imports' }],
  'typescript/no-confusing-void-expression': ['error', { ignoreArrowShorthand: true }],
  'typescript/restrict-plus-operands': [
    'error',
    {
      allowAny: false,
      allowBoolean: false,
      allowNullish: false,
      allowNumberAndString: false,
      allowRegExp: false,
    },
  ],
  'typescript/restrict-template-expressions': ['error', { allowNumber: true }],
  'typescript/return-await': ['error', 'error-handling-correctness-only'],
};

const documented = {
  'docs/require-jsdoc': [
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
  'docs/require-description': ['error', { contexts: ['any'], descriptionStyle: 'body' }],
  'docs/check-alignment': 'error',
  'docs/check-param-names': 'error',
  'docs/check-tag-names': ['error', { typed: false }],
  'docs/no-types': 'error',
};

/** The client bounds what tenants cause, and the command line calls what its user names. */
const WAY_OUT = 'What the server calls goes through packages/server/src/outgoing/.';

/** Globals that the fake timers of a test replace. A keep works on below them. */
const replacedTimers = [
  ...['setTimeout', 'setInterval', 'setImmediate'].map((name) => [name, 'node:timers']),
  ['performance', 'node:perf_hooks'],
].map(([name, module]) => ({ name, message: `Import it from ${module}.` }));

const digests = {
  name: 'node:crypto',
  importNames: ['hash', 'createHash', 'createHmac'],
  message: 'Digests come from packages/core/src/contract/digest.ts.',
};
const requests = {
  name: 'node:http',
  importNames: ['get', 'request', 'Agent'],
  message: WAY_OUT,
};

export default {
  plugins: ['typescript'],
  jsPlugins: ['eslint-plugin-regexp', { name: 'docs', specifier: 'eslint-plugin-jsdoc' }],
  categories: { correctness: 'error' },
  options: { typeAware: true, reportUnusedDisableDirectives: 'error' },
  ignorePatterns: ['**/dist/', 'coverage/', '**/.cache/', 'docs/reference/'],
  rules: {
    ...strict,
    ...regexp.configs['flat/recommended'].rules,
    // The key encoding looks for control characters on purpose.
    'no-control-regex': 'off',
    // Without a function, texts are compared by code units, which is what is meant.
    'typescript/require-array-sort-compare': 'off',
    'regexp/no-super-linear-move': 'error',
    // Spelled out where the pattern is published or a standard writes it so.
    'regexp/prefer-w': 'off',
    'regexp/use-ignore-case': 'off',
  },
  overrides: [
    {
      // The compiler looks up the names of the others.
      files: ['**/*.js', '**/*.cjs', '**/*.mjs'],
      env: { node: true },
      rules: { 'no-undef': 'error' },
    },
    {
      files: ['packages/server/reference-page/*.js'],
      env: { browser: true },
      globals: { SwaggerUIBundle: 'readonly' },
    },
    { files: typed, rules: strictTypes },
    { files: ['packages/*/src/**/*.{ts,tsx}'], rules: documented },
    {
      files: ['packages/{core,postgres,server}/src/**/*.ts'],
      rules: { 'no-restricted-globals': ['error', ...replacedTimers] },
    },
    {
      files: ['packages/*/src/**/*.ts'],
      rules: { 'no-restricted-imports': ['error', { paths: [digests] }] },
    },
    {
      files: ['packages/server/src/**/*.ts'],
      rules: {
        'no-restricted-globals': ['error', { name: 'fetch', message: WAY_OUT }, ...replacedTimers],
        'no-restricted-imports': ['error', { paths: [digests, requests] }],
      },
    },
    {
      files: ['packages/server/src/cli/**/*.ts', 'packages/server/src/outgoing/**/*.ts'],
      rules: {
        'no-restricted-globals': ['error', ...replacedTimers],
        'no-restricted-imports': ['error', { paths: [digests] }],
      },
    },
    {
      files: ['packages/core/src/client/**/*.ts'],
      rules: { 'no-restricted-globals': 'off' },
    },
    {
      files: [
        'packages/core/src/contract/digest.ts',
        // A person waits for hooks, which therefore load nothing of core.
        'packages/server/src/cli/coding-agents/state/digest.ts',
        'packages/{proof,testkit}/**/*.ts',
      ],
      rules: { 'no-restricted-imports': 'off' },
    },
    {
      files: [...tests, 'packages/{proof,testkit}/src/**/*.ts'],
      rules: {
        // Matchers such as expect.any() are typed as any, and a fake may have nothing to await.
        'typescript/no-unsafe-assignment': 'off',
        'typescript/no-non-null-assertion': 'off',
        'typescript/require-await': 'off',
      },
    },
    {
      files: tests,
      rules: {
        'no-restricted-globals': 'off',
        'no-restricted-imports': 'off',
        ...Object.fromEntries(Object.keys(documented).map((rule) => [rule, 'off'])),
      },
    },
  ],
};
