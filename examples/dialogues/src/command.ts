/**
 * The command line of the example: reads options, opens or connects to a keep, prints the report.
 */
import { mkdtemp, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { embeddedAccess, type KeepAccess, openDirectory, serverAccess } from './keep-access.js';
import { progressBar, type Screen } from './progress-bar.js';
import { readDialogues } from './read-dialogues.js';
import { reportOf } from './report.js';
import { complaintsOf, type ExampleOutcome, runExample } from './run-example.js';

/** The sample dialogue of the example. */
export const sampleFile = new URL('../sample.jsonl', import.meta.url);

const usage = `Usage: npm run example:dialogues -- [file] [options]

  file                  one turn a line, as JSON; without it, the sample that ships with this
  --data-dir <dir>      keep the store there; without it, a directory that is removed at the end
  --tenant <id>         tenant to make in the directory (default "dialogues")
  --url <address>       use the server at this address instead of a store in this process
  --admin-secret <s>    secret of the tenant's administrator; needed with --url, and to run again
                        in a directory (or set AGENTKEEP_ADMIN_SECRET, which others cannot see)
  --ask <text>          text to look for; may be repeated
  --help                show this`;

const defaultWords = ['birthday', 'photo', 'thank you'];

/** Output stream and environment of the command. */
export interface Surroundings {
  readonly out: Screen;
  readonly err: Screen;
  readonly env: Readonly<Record<string, string | undefined>>;
}

type Options = ReturnType<typeof parseOptions>;

/** Runs the command and returns its exit code: 0 when every check passed. */
export async function runCommand(args: readonly string[], around: Surroundings): Promise<number> {
  try {
    const options = parseOptions(args, around.env);
    if (options.help) {
      say(around.out, usage);
      return 0;
    }
    const outcome = await run(options, around);
    say(around.out, reportOf(outcome).join('\n'));
    return complaintsOf(outcome).length === 0 ? 0 : 1;
  } catch (error) {
    say(around.err, error instanceof Error ? error.message : String(error));
    return 1;
  }
}

function parseOptions(args: readonly string[], env: Surroundings['env']) {
  const text = { type: 'string' } as const;
  const { values, positionals } = parseArgs({
    args: [...args],
    allowPositionals: true,
    options: {
      url: text,
      tenant: { ...text, default: 'dialogues' },
      'data-dir': text,
      'admin-secret': text,
      ask: { ...text, multiple: true },
      help: { type: 'boolean', default: false },
    },
  });
  return {
    help: values.help,
    file: positionals[0],
    url: values.url,
    tenantId: values.tenant,
    dataDir: values['data-dir'],
    adminSecret: values['admin-secret'] ?? env['AGENTKEEP_ADMIN_SECRET'],
    words: values.ask ?? defaultWords,
  };
}

async function run(options: Options, around: Surroundings): Promise<ExampleOutcome> {
  const conversations = await readDialogues(await chooseFile(options.file, around.out));
  const job = (access: KeepAccess) =>
    runExample(access, conversations, {
      words: options.words,
      progress: (label, total) => progressBar(around.err, { label, total }),
    });
  const { url, adminSecret, dataDir } = options;
  if (url !== undefined) {
    if (adminSecret === undefined) throw new Error('--url needs --admin-secret.');
    say(around.out, `Over HTTP, with the server at ${url}`);
    return job(serverAccess({ url, secret: adminSecret }));
  }
  if (dataDir !== undefined) return runEmbedded({ ...options, dataDir }, around.out, job);
  const temporary = await mkdtemp(join(tmpdir(), 'agentkeep-dialogues-'));
  try {
    return await runEmbedded({ ...options, dataDir: temporary }, undefined, job);
  } finally {
    await rm(temporary, { recursive: true, force: true });
  }
}

/** Falls back to the sample when the file does not exist. */
async function chooseFile(path: string | undefined, out: Screen): Promise<string | URL> {
  if (path !== undefined && (await isFile(path))) {
    say(out, `Conversations of ${path}`);
    return path;
  }
  const reason = path === undefined ? '' : `There is no file ${path}. `;
  say(out, `${reason}Conversations of the sample that ships with the example`);
  return sampleFile;
}

async function isFile(path: string): Promise<boolean> {
  const found = await stat(path).catch(() => undefined);
  return found?.isFile() ?? false;
}

/** Works in a directory; prints a new administrator's secret once if the directory stays. */
async function runEmbedded(
  options: Options & { readonly dataDir: string },
  tellSecret: Screen | undefined,
  job: (access: KeepAccess) => Promise<ExampleOutcome>,
): Promise<ExampleOutcome> {
  const { adminSecret, ...opened } = await openDirectory(options);
  await using keep = opened.keep;
  if (tellSecret !== undefined && options.adminSecret === undefined) {
    say(tellSecret, `Made tenant "${options.tenantId}" in ${options.dataDir}. To run again there,`);
    say(tellSecret, `set AGENTKEEP_ADMIN_SECRET, which is shown only now: ${adminSecret}`);
  }
  // Awaited here, or the keep would close first.
  return await job(await embeddedAccess(keep, adminSecret));
}

function say(screen: Screen, text: string): void {
  screen.write(`${text}\n`);
}
