/** The coding agents that are tried: how each is asked without a person, at a scripted model. */

/** A program of the registry. */
export interface AgentProgram {
  /** Its name for `agentkeep install`. */
  readonly host: string;
  readonly package: string;
  readonly bin: string;
  /** Files of the person before the installation, by their paths in the home folder. */
  readonly files: (model: string) => Readonly<Record<string, string>>;
  readonly environment: (model: string) => Readonly<Record<string, string>>;
  /** The words that ask one prompt in a session of its own. */
  readonly words: (prompt: string) => readonly string[];
  /** The words with which it lists the servers of MCP in its configuration. */
  readonly listWords: readonly string[];
}

const KEY = 'not-a-key';

/** All that can be run here. */
export const programs: readonly AgentProgram[] = [
  {
    host: 'claude-code',
    package: '@anthropic-ai/claude-code',
    bin: 'claude',
    files: () => ({ '.claude/settings.json': '{\n  "cleanupPeriodDays": 7\n}\n' }),
    environment: (model) => ({
      ANTHROPIC_BASE_URL: model,
      ANTHROPIC_API_KEY: KEY,
      CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1',
    }),
    words: (prompt) => ['-p', prompt],
    listWords: ['mcp', 'list'],
  },
  {
    host: 'codex',
    package: '@openai/codex',
    bin: 'codex',
    files: (model) => ({
      '.codex/config.toml': [
        '# mine',
        'model = "scripted"',
        'model_provider = "scripted"',
        '[model_providers.scripted]',
        'name = "scripted"',
        `base_url = "${model}/v1"`,
        'wire_api = "responses"',
        '',
      ].join('\n'),
    }),
    environment: () => ({}),
    // A person trusts the hooks once, by a screen.
    words: (prompt) => [
      'exec',
      '--skip-git-repo-check',
      '--strict-config',
      '--dangerously-bypass-hook-trust',
      prompt,
    ],
    listWords: ['mcp', 'list'],
  },
  {
    host: 'gemini',
    package: '@google/gemini-cli',
    bin: 'gemini',
    files: () => ({
      '.gemini/settings.json':
        '{ // mine\n  "security": { "auth": { "selectedType": "gemini-api-key" } }\n}\n',
    }),
    environment: (model) => ({
      GOOGLE_GEMINI_BASE_URL: model,
      GEMINI_API_KEY: KEY,
      GEMINI_CLI_TRUST_WORKSPACE: 'true',
    }),
    words: (prompt) => ['-m', 'gemini-2.5-flash', '-p', prompt],
    listWords: ['mcp', 'list'],
  },
  {
    host: 'opencode',
    package: 'opencode-ai',
    bin: 'opencode',
    files: (model) => ({
      '.config/opencode/opencode.json': JSON.stringify({
        // It adds this member to a file that has none.
        $schema: 'https://opencode.ai/config.json',
        model: 'scripted/scripted',
        small_model: 'scripted/scripted',
        provider: {
          scripted: {
            npm: '@ai-sdk/openai-compatible',
            options: { baseURL: `${model}/v1`, apiKey: KEY },
            models: { scripted: {} },
          },
        },
      }),
    }),
    environment: () => ({}),
    words: (prompt) => ['run', prompt],
    listWords: ['mcp', 'list'],
  },
];

/** The hosts that cannot be run by a script, and why. */
export const untried: readonly (readonly [host: string, reason: string])[] = [
  ['cursor', 'it has no package in the registry, and its agent needs a signed-in account'],
  ['vscode', 'its agent needs a window and a signed-in account'],
];
