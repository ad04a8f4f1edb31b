/** Client of the subjects of a tenant: what may be done for them. */
import { hasCode } from '../contract/errors/agentkeep-error.js';
import { requireArguments } from '../contract/errors/arguments.js';
import { CONTRACT_VERSION } from '../contract/version.js';
import type { CallOperation, CallOptions, OutputOf, PartsOf } from './call.js';
import { directoryParameters, type DirectoryRequest, everyItem } from './lists/page-walk.js';

type Subject = OutputOf<'getSubject'>['subject'];
type SubjectPage = OutputOf<'listSubjects'>['page'];

/** What may be done for a subject. */
type SubjectLimits = Omit<
  PartsOf<'putSubject'>['document'],
  'contract_version' | 'expected_revision'
>;

/** Subjects that services act for; needs the capability `credential_admin`. */
export class SubjectClient {
  readonly #call: CallOperation;

  constructor(call: CallOperation) {
    this.#call = call;
  }

  /**
   * States what may be done for a subject at most, or blocks it: then nothing acts for it from the
   * commit on, and calls with its own credentials, sessions and API keys are `subject_blocked`
   * until it is unblocked. A subject that was erased is admitted anew: nothing else does that.
   * @throws {AgentkeepError} `revision_conflict` unless the subject has this revision, 0 if nothing
   * is stored of it; `erasure_in_progress`; `forbidden` for the subject of the caller.
   */
  async put(
    id: string,
    limits: SubjectLimits,
    expectedRevision: number,
    options?: CallOptions,
  ): Promise<Subject> {
    requireArguments('subjects.put()', { id, limits, expectedRevision });
    const document = {
      contract_version: CONTRACT_VERSION,
      expected_revision: expectedRevision,
      ...limits,
    };
    const { subject } = await this.#call('putSubject', { id, document }, options);
    return subject;
  }

  /**
   * Blocks an agent or a person until it is resumed, and keeps its limits. For a person who was
   * invited it is the username. The reason is for administrators, up to 256 bytes.
   *
   * @throws {AgentkeepError} as {@link put}; `revision_conflict` after a change in between.
   * @example
   * await admin.subjects.pause('nightly-agent', 'It writes the same record again and again.');
   */
  async pause(id: string, reason?: string | null, options?: CallOptions): Promise<Subject> {
    requireArguments('subjects.pause()', { id });
    const { revision, ...limits } = limitsOf(await this.#known(id, options));
    const stated = { ...limits, is_blocked: true, reason: reason ?? null };
    return this.put(id, stated, revision, options);
  }

  /**
   * Unblocks an agent or a person, and keeps its limits. One that is not blocked stays as it is.
   *
   * @throws {AgentkeepError} `subject_not_found` where nothing is stored of it, so no erased
   * subject is admitted by it; `revision_conflict` after a change in between.
   */
  async resume(id: string, options?: CallOptions): Promise<Subject> {
    requireArguments('subjects.resume()', { id });
    const subject = await this.get(id, options);
    if (!subject.is_blocked) return subject;
    const { revision, ...limits } = limitsOf(subject);
    return this.put(id, { ...limits, is_blocked: false }, revision, options);
  }

  async #known(id: string, options: CallOptions | undefined): Promise<Subject | undefined> {
    try {
      return await this.get(id, options);
    } catch (error) {
      if (hasCode(error, 'subject_not_found')) return undefined;
      throw error;
    }
  }

  /** Returns the limits of a subject. One without limits is `subject_not_found`. */
  async get(id: string, options?: CallOptions): Promise<Subject> {
    requireArguments('subjects.get()', { id });
    const { subject } = await this.#call('getSubject', { id }, options);
    return subject;
  }

  /** Returns one page of 1 to 100 subjects that have limits or are blocked. */
  async listPage(request: DirectoryRequest = {}): Promise<SubjectPage> {
    const { signal } = request;
    const parameters = directoryParameters(request);
    const { page } = await this.#call('listSubjects', { parameters }, { signal });
    return page;
  }

  /** Yields every subject that has limits or is blocked. */
  list(options: { limit?: number } & CallOptions = {}): AsyncGenerator<Subject, void> {
    return everyItem((position) => this.listPage({ ...options, ...position }));
  }
}

/** The limits of a subject that a change of its block keeps, and the revision that it expects. */
function limitsOf(subject: Subject | undefined) {
  const { revision = 0, capabilities = null, scope_policy = null } = subject ?? {};
  return { revision, capabilities, scope_policy };
}
