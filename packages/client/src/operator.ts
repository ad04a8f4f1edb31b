/**
 * Agents for the subjects of a tenant, over a server: for a program that holds the secret of an
 * administrator. It is an entry of its own, because it needs a file system.
 */
import {
  type Agent,
  AgentkeepError,
  type Capability,
  type Credential,
  refuseUnknownOptions,
  requireArguments,
  type ScopeInput,
} from '@agentkeep/core/clients';
import { agentIn, connect, type ConnectOptions } from './connect.js';
import { SecretFile } from './secret-file.js';
import { decideSubject, type WantedSubject, wantedScopes } from './subject-policy.js';

const CALL = 'agentFor()';

/** The subject that a program acts for, as for `agentFor()` of `@agentkeep/core/operator`. */
export interface SubjectOptions {
  /** Whose memory it is: 1 to 256 UTF-8 bytes, compared exactly. Private records belong to it. */
  readonly subject: string;
  /**
   * Path of the file that keeps the secret of the subject between runs. It is made with mode 0600.
   * Each subject needs a file of its own.
   */
  readonly secretFile: string;
  /** The name of the agent in its private scope, by default `default`; not with `scopes`. */
  readonly agent?: string | undefined;
  /**
   * The scopes that the agent may act in, beside those that its subject has. `memory.remember()`
   * and `memory.recall()` use the first one. Default: a private scope of the subject.
   */
  readonly scopes?: readonly ScopeInput[] | undefined;
  /** Whether `scopes` take the place of those that the subject has. Default: false. */
  readonly replace?: boolean | undefined;
  /** Default: `memory_read` and `memory_write`. */
  readonly capabilities?: readonly Capability[] | undefined;
  /**
   * Whether to issue a new credential if the kept secret is no longer valid or has other
   * capabilities. Default: false.
   */
  readonly renew?: boolean | undefined;
}

const OPTIONS = [
  ...(['subject', 'secretFile', 'agent', 'scopes'] as const),
  ...(['replace', 'capabilities', 'renew'] as const),
];

/** Tries beside changes of other processes. */
const TRIES_MAX = 5;

/**
 * Returns the agent of a subject, for a program that holds the secret of an administrator of the
 * tenant. It does over a server what `agentFor(keep, …)` of `@agentkeep/core/operator` does in
 * process.
 *
 * The first call issues a credential. A server shows a secret once and stores a digest of it, so it
 * cannot give the secret to a second run; this call keeps it in `secretFile`. Later calls, also of
 * other processes with that file, find the same credential. Rotating the credential at each start
 * would need no file, but would end the processes that still run.
 *
 * `scopes`, `replace`, `capabilities` and `renew` mean what they mean in process. Where there is no
 * such file, as on another machine, another credential of the same subject is issued: it has the
 * same memory.
 * @param server the server, with the secret of an administrator (`credential_admin`)
 * @throws {AgentkeepError} `invalid_request` with the wrong options as `members`;
 * `credential_revoked` if the kept secret was revoked or rotated; `capabilities_differ`; and what the
 * calls of the administrator end in.
 * @example
 * ```ts
 * import { mkdtemp } from 'node:fs/promises';
 * import { tmpdir } from 'node:os';
 * import { join } from 'node:path';
 * import { agentFor } from '@agentkeep/client/operator';
 * import { inMemoryStore, openKeep } from '@agentkeep/core';
 * import { bootstrapTenant } from '@agentkeep/core/operator';
 * import { createServer } from '@agentkeep/server';
 *
 * await using keep = await openKeep({ store: inMemoryStore() });
 * const { secret } = await bootstrapTenant(keep, { tenantId: 'acme', subjectId: 'ops' });
 * const server = { url: 'http://localhost', secret, fetch: createServer(keep).request };
 * const secretFile = join(await mkdtemp(join(tmpdir(), 'agentkeep-')), 'ann.secret');
 * const { memory } = await agentFor(server, { subject: 'ann', secretFile });
 * await memory.remember('Ann prefers short answers.');
 * ```
 */
export async function agentFor(server: ConnectOptions, options: SubjectOptions): Promise<Agent> {
  requireArguments(CALL, { server, options });
  refuseUnknownOptions(CALL, options, OPTIONS);
  const { subject, secretFile } = options;
  requireArguments(CALL, { subject, secretFile });
  return new SubjectCredential(server, options).agent();
}

/** Finds, makes and changes the credential of a subject. */
class SubjectCredential {
  readonly #server: ConnectOptions;
  readonly #subject: string;
  readonly #wanted: WantedSubject;
  readonly #mayRenew: boolean;
  readonly #file: SecretFile;
  readonly #credentials: Agent['credentials'];

  constructor(server: ConnectOptions, options: SubjectOptions) {
    const { subject, agent, scopes, replace = false, renew = false } = options;
    if (scopes !== undefined && agent !== undefined) throw wrong('agent', BESIDE_SCOPES);
    const { capabilities = ['memory_read', 'memory_write'] } = options;
    this.#wanted = { grants: wantedScopes(scopes, agent), capabilities, replace };
    this.#mayRenew = renew;
    this.#server = server;
    this.#subject = subject;
    this.#file = new SecretFile(options.secretFile);
    this.#credentials = connect(server).credentials;
  }

  async agent(): Promise<Agent> {
    for (let tries = 1; ; tries += 1) {
      const secret = await this.#file.read();
      try {
        if (secret === undefined) await this.#issue(false);
        else if (await this.#isFitting(secret)) {
          return agentIn({ ...this.#server, secret }, CALL, this.#wanted.grants[0]);
        }
      } catch (error) {
        // Another process changed the credential since it was read.
        const isOvertaken = error instanceof AgentkeepError && error.code === 'revision_conflict';
        if (!isOvertaken || tries >= TRIES_MAX) throw error;
      }
    }
  }

  /** Returns whether the kept secret stays, once its credential is as it has to be. */
  async #isFitting(secret: string): Promise<boolean> {
    const credential = await this.#credentialOf(secret);
    if (credential === undefined) {
      if (!this.#mayRenew) throw new AgentkeepError('credential_revoked');
      await this.#issue(true);
      return false;
    }
    const { id, revision, spec } = credential;
    if (spec.subject_id !== this.#subject) throw wrong('secretFile', OF_SUBJECT);
    const decision = decideSubject(credential, this.#wanted);
    if (decision === 'use') return true;
    if (decision === 'capabilities_differ') {
      if (!this.#mayRenew) throw new AgentkeepError('capabilities_differ');
      await this.#issue(true);
      await this.#credentials.revoke(id, revision);
      return false;
    }
    await this.#credentials.changeScopeAuthority(id, revision, decision);
    return true;
  }

  /** Returns the credential of a secret, or `undefined` if it was revoked or rotated. */
  async #credentialOf(secret: string): Promise<Credential | undefined> {
    try {
      return await connect({ ...this.#server, secret }).whoAmI();
    } catch (error) {
      if (error instanceof AgentkeepError && error.code === 'unauthorized') return undefined;
      throw error;
    }
  }

  async #issue(mayReplace: boolean): Promise<void> {
    const { grants, capabilities } = this.#wanted;
    const spec = { subject_id: this.#subject, capabilities: [...capabilities], grants };
    let made: Credential | undefined;
    const kept = await this.#file.keep(async () => {
      const { credential, secret } = await this.#credentials.issue(spec);
      made = credential;
      return secret;
    }, mayReplace);
    // Another process was first, and its credential is used.
    if (kept === 'taken' && made !== undefined) {
      await this.#credentials.revoke(made.id, made.revision);
    }
  }
}

const BESIDE_SCOPES = 'no value beside `scopes`';
const OF_SUBJECT = 'a file of its own for each subject';

function wrong(path: string, expected: string): AgentkeepError {
  return new AgentkeepError('invalid_request', {
    members: [{ path, expected }],
    advice: `See the options of ${CALL}.`,
  });
}
