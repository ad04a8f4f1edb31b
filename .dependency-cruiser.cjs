/**
 * The arrows between the parts of Agentkeep: what may import what.
 */
const { layerRules } = require('./scripts/layers.cjs');

const core = '^packages/core/src/';
const tests = '[.](?:test|test-d)[.]ts$';

/** Packages that plug Agentkeep into a framework. */
const adapters = '^packages/(?:ai-sdk|anthropic|langgraph|mcp|openai-agents)/src/';

const entries = `${core}(?:clients|index|operator|store|testing)[.]ts$`;

/** A rule that lets one package be imported from one place only. */
function onlyFrom(name, packages, place) {
  return {
    name,
    severity: 'error',
    from: { pathNot: place },
    to: { path: packages.map((each) => `(?:^|/)node_modules/${each}/`) },
  };
}

module.exports = {
  forbidden: [
    { name: 'no-cycles', severity: 'error', from: {}, to: { circular: true } },
    {
      name: 'resolvable',
      comment: 'Every import leads somewhere.',
      severity: 'error',
      from: {},
      to: { couldNotResolve: true },
    },
    onlyFrom('lmdb-in-its-store', ['lmdb'], `${core}storage/(?:lmdb-store|frames)/|^bench/`),
    onlyFrom('argon2-in-password', ['@node-rs/argon2'], `${core}domains/people/password/|^bench/`),
    onlyFrom(
      'jose-in-token',
      ['jose'],
      `${core}domains/(people/token|tenancy/federation)/|^bench/`,
    ),
    onlyFrom('openid-client-in-openid', ['openid-client'], '^packages/server/(?:src/openid|test)/'),
    onlyFrom(
      'pg-in-postgres',
      ['pg', '@types/pg'],
      '^packages/(?:postgres/|testkit/src/postgres/)|^bench/',
    ),
    onlyFrom(
      'oidc-provider-in-front-door',
      ['oidc-provider', '@types/oidc-provider', 'light-my-request'],
      '^packages/server/(?:src/front-door|test)/',
    ),
    onlyFrom('prom-client-in-metrics', ['prom-client'], '^packages/server/src/metrics/'),
    onlyFrom(
      'opentelemetry-in-tracing',
      ['@opentelemetry'],
      '^packages/server/(?:src/tracing|test)/',
    ),
    onlyFrom('models-in-meaning', ['@energetic-ai'], '^packages/meaning/'),
    onlyFrom('hono-in-server', ['hono', '@hono/node-server'], '^packages/server/|^bench/'),
    {
      name: 'core-knows-no-http',
      severity: 'error',
      from: { path: core },
      to: { path: '^(?:node:)?(?:http|https|http2)$' },
    },
    {
      name: 'server-calls-out-from-outgoing',
      comment: 'One client bounds and guards what the server calls; see also eslint.config.js.',
      severity: 'error',
      from: { path: '^packages/server/src/', pathNot: ['^packages/server/src/outgoing/', tests] },
      to: { path: '^(?:node:)?(?:dns|dns/promises|http2|https|tls)$' },
    },
    {
      name: 'core-knows-no-server',
      severity: 'error',
      from: { path: '^packages/core/' },
      to: { path: '^packages/server/|node_modules/@agentkeep/server/' },
    },
    {
      name: 'adapters-know-the-client-alone',
      comment: 'An adapter takes an agent, embedded or remote; what it needs more goes into core.',
      severity: 'error',
      from: { path: adapters, pathNot: tests },
      to: { path: '^packages/(?:core|server|postgres)/|node_modules/@agentkeep/(?!client/)' },
    },
    {
      name: 'client-and-postgres-know-no-server',
      severity: 'error',
      from: { path: '^packages/(?:client|postgres)/src/' },
      to: { path: '^packages/server/|node_modules/@agentkeep/server/' },
    },
    {
      name: 'packages-use-the-entries-of-core',
      severity: 'error',
      from: { path: ['^packages/server/', '^packages/client/src/', '^packages/postgres/src/'] },
      to: { path: core, pathNot: entries },
    },
    {
      name: 'policies-are-pure',
      comment: 'A policy imports types, other policies, numbers and limits; the rest is handed in.',
      severity: 'error',
      // These two are operations on something that is called a policy.
      from: { path: '-policy[.]ts$', pathNot: '/(?:get|register)-learning-policy[.]ts$' },
      to: {
        pathNot: '-policy[.]ts$|/scaled-number[.]ts$|/(?:levels|limits)[.]ts$',
        dependencyTypesNot: ['type-only'],
      },
    },
    {
      name: 'rooms-use-the-port',
      comment:
        'Only what opens, copies, sends or checks a store names one; all else sees the port.',
      severity: 'error',
      from: {
        path: core,
        pathNot: [
          `${core}(?:storage|upkeep/(?:snapshot|replication))/`,
          `${core}(?:keep/(?:open-keep|keep-options|store-level)|operator|index|store|testing)[.]ts$`,
          tests,
        ],
      },
      to: { path: `${core}storage/(?:lmdb-store|in-memory-store)/` },
    },
    {
      name: 'engines-know-no-domain',
      comment: 'They walk the domains that they are given; see upkeep/domain/domain.ts.',
      severity: 'error',
      from: { path: `${core}(?:contract|storage|kernel|upkeep)/`, pathNot: tests },
      to: { path: `${core}(?:domains/|domains[.]ts$|domain-list[.]ts$)` },
    },
    ...layerRules(tests),
    {
      name: 'packages-use-each-other-by-name',
      comment:
        'Import another package by its name; tests share packages/testkit and packages/contract-cases.',
      severity: 'error',
      from: { path: '^(packages/[^/]+|bench|examples/[^/]+)/' },
      to: { path: '^(?:packages|bench|examples)/', pathNot: '^$1/', dependencyTypes: ['local'] },
    },
    {
      name: 'only-tests-use-what-tests-share',
      severity: 'error',
      from: { path: '^packages/(?!testkit/|proof/)[^/]+/src/', pathNot: tests },
      to: { path: '(?:^packages|node_modules/@agentkeep)/(?:contract-cases|testkit)/' },
    },
    {
      name: 'client-holds-a-copy-of-core-alone',
      comment: 'Its bundle runs everywhere and needs no other package. It may name types of files.',
      severity: 'error',
      from: { path: '^packages/client/src/', pathNot: tests },
      to: {
        pathNot: ['^packages/client/src/', `${core}clients[.]ts$`],
        dependencyTypesNot: ['type-only'],
      },
    },
    {
      name: 'shipped-code-uses-no-dev-dependency',
      comment: 'An optional peer is a dev dependency too, so that tests have it.',
      severity: 'error',
      from: {
        path: '^packages/[^/]+/src/',
        pathNot: [tests, '^packages/client/'],
      },
      to: {
        dependencyTypes: ['npm-dev', 'npm-no-pkg', 'npm-unknown'],
        dependencyTypesNot: ['npm-peer'],
      },
    },
    {
      name: 'shipped-code-imports-no-test',
      severity: 'error',
      from: { path: '^packages/[^/]+/src/', pathNot: tests },
      to: { path: tests },
    },
  ],
  options: {
    doNotFollow: { path: 'node_modules' },
    exclude: { path: '^(?:packages|examples)/[^/]+/dist/' },
    tsPreCompilationDeps: true,
    tsConfig: { fileName: 'tsconfig.json' },
    combinedDependencies: false,
    enhancedResolveOptions: {
      exportsFields: ['exports'],
      conditionNames: ['agentkeep-source', 'types', 'node', 'import', 'default'],
      extensions: ['.ts', '.tsx', '.mjs', '.js', '.json'],
    },
  },
};
