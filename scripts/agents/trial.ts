/** The trial of one program with one memory: what its model is asked, and what is left in files. */
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { KeptServer } from './kept-server.ts';
import { type HookTime, Person } from './person.ts';
import type { AgentProgram } from './programs.ts';
import type { ScriptedModel } from './scripted-model.ts';

/** What was seen: an empty text for what holds, else what was wrong. */
export interface Seen {
  readonly recalled: string;
  readonly others: string;
  readonly secrets: string;
  readonly parsed: string;
  readonly uninstalled: string;
  /** Hooks that a person waits for, while a helper or a server was killed, stopped or silent. */
  readonly times: readonly HookTime[];
}

/** A busy machine answers late; the bound is measured by itself. */
const PATIENT_MS = 20_000;
const CANARY = 'Zanzibar';
const ANSWERED = 'Pemba';
const QUESTION = 'What is the canary bird called, and where does it sing?';
const SECRET = `ghp_${'a1b2c3d4e5'.repeat(4)}`;
const PRIVATE = 'Ann has a cold';
const KEPT = 'the heron flies on Fridays';

/** Where memory is in a trial. */
export type MemoryLocation = 'store' | 'server';

/** Runs the trial. */
export async function tryProgram(
  program: AgentProgram,
  bin: string,
  model: ScriptedModel,
  location: MemoryLocation,
): Promise<Seen> {
  const data = mkdtempSync(join(tmpdir(), 'agentkeep-agents-server-'));
  const server = location === 'server' ? await KeptServer.open(data) : undefined;
  const secrets = (await server?.secrets()) ?? [];
  try {
    await using ann = new Person(program, bin, model.url);
    await using bob = new Person(program, bin, model.url);
    const before = ann.files();
    for (const [index, person] of [ann, bob].entries()) {
      const secret = secrets[index];
      await person.install(server && secret ? { url: server.url, secret } : undefined);
    }
    // A store has no entry of MCP; there, only hooks that run show that the host reads its files.
    const parsed = server === undefined ? '' : listedIn(await ann.listed());
    const recalled = await recalledBy(ann, model);
    const others = await leakedTo(ann, bob, model);
    const secretsIn = await secretsLeft(ann, model, [ann.machine.agents, data]);
    const times = await timesOfFaults(ann, server);
    await ann.agentkeep(['uninstall', program.host]);
    return {
      ...{ recalled, others, secrets: secretsIn, parsed, times },
      uninstalled: isDeepStrictEqual(ann.files(), before) ? '' : 'the files differ',
    };
  } finally {
    await server?.[Symbol.asyncDispose]();
    rmSync(data, { recursive: true, force: true });
  }
}

function listedIn(list: string): string {
  return list.includes('agentkeep') ? '' : `it lists no server: ${list.slice(0, 200)}`;
}

/** What one session said and was answered has to be in the request of the next one. */
async function recalledBy(ann: Person, model: ScriptedModel): Promise<string> {
  const shop = ann.machine.project('shop');
  model.answer = `The canary bird sings in ${ANSWERED}.`;
  await ann.ask(shop, `The canary bird is called ${CANARY}.`, PATIENT_MS);
  await ann.settled();
  model.answer = 'I see.';
  model.takeAsked();
  await ann.ask(shop, QUESTION, PATIENT_MS);
  const asked = model.takeAsked().filter((body) => body.includes('agentkeep-recalled'));
  if (asked.length === 0) return 'nothing was recalled';
  const missing = [CANARY, ANSWERED].filter((name) => asked.every((body) => !body.includes(name)));
  return missing.length === 0 ? '' : `not recalled: ${missing.join(', ')}`;
}

/** Neither another project of the person nor another person in the project may get it. */
async function leakedTo(ann: Person, bob: Person, model: ScriptedModel): Promise<string> {
  model.takeAsked();
  await ann.ask(ann.machine.project('blog'), QUESTION, PATIENT_MS);
  const inBlog = model.takeAsked();
  await bob.ask(bob.machine.project('shop'), QUESTION, PATIENT_MS);
  const byBob = model.takeAsked();
  if (inBlog.length === 0 || byBob.length === 0) return 'the model was not asked';
  const leaks = (asked: readonly string[]) =>
    asked.some((body) => body.includes(CANARY) || body.includes(ANSWERED));
  return [leaks(inBlog) ? 'another project' : '', leaks(byBob) ? 'another person' : '']
    .filter(Boolean)
    .join(', ');
}

/** Secrets and private parts may be in no file of the memory; the rest of the text has to be. */
async function secretsLeft(
  ann: Person,
  model: ScriptedModel,
  folders: readonly string[],
): Promise<string> {
  model.answer = `I use ${SECRET} for it.`;
  const said = `Use ${SECRET} here. <private>${PRIVATE}</private> Note that ${KEPT}.`;
  await ann.ask(ann.machine.project('shop'), said, PATIENT_MS);
  await ann.settled();
  model.answer = 'Noted.';
  const found = [SECRET, PRIVATE].filter((bytes) => isInFiles(folders, bytes));
  if (!isInFiles(folders, KEPT)) return 'nothing was stored';
  return found.length === 0 ? '' : `in a file: ${found.join(', ')}`;
}

function isInFiles(folders: readonly string[], bytes: string): boolean {
  return folders.some((folder) =>
    readdirSync(folder, { withFileTypes: true, recursive: true })
      .filter((entry) => entry.isFile())
      .some((entry) => readFileSync(join(entry.parentPath, entry.name)).includes(bytes)),
  );
}

/** A helper or a server that is killed, stopped or silent. */
async function timesOfFaults(
  ann: Person,
  server: KeptServer | undefined,
): Promise<readonly HookTime[]> {
  const { machine } = ann;
  const shop = machine.project('shop');
  const signal = (name: NodeJS.Signals) => {
    for (const pid of machine.helpers()) process.kill(pid, name);
  };
  const times: HookTime[] = [];
  const timed = async (fault: string) => {
    ann.takeTimes();
    await ann.ask(shop, `What of the canary bird is known, with ${fault}?`);
    const taken = ann.takeTimes();
    if (taken.length === 0) throw new Error(`No hook was timed with ${fault}.`);
    times.push(...taken);
  };
  signal('SIGKILL');
  await timed('a killed helper');
  signal('SIGSTOP');
  await timed('a stopped helper');
  signal('SIGCONT');
  if (server !== undefined) {
    await server.stop();
    await timed('a killed server');
    await server.beSilent();
    await timed('a silent server');
    signal('SIGKILL');
    await timed('a silent server and a killed helper');
    await server.start();
    signal('SIGKILL');
    await timed('a server that is back');
  }
  await ann.settled();
  return times;
}
