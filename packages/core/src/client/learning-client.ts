/** Client of learning: policies, contexts, procedures and their evaluations. */
import { requireArguments } from '../contract/errors/arguments.js';
import type { ScopeInput } from '../kernel/access/scope.js';
import type {
  AdmissionReceipt,
  EvaluationSubmissionInput,
} from '../domains/learning/procedure/evaluation-schema.js';
import type { ListedProcedure } from '../domains/learning/listing/list-schema.js';
import type {
  LearningProposal,
  LearningSelection,
  Procedure,
  ProposalReceipt,
} from '../domains/learning/procedure/procedure-schema.js';
import type {
  ContextEntry,
  EvaluationContext,
  PolicyDefinition,
  PolicyEntry,
} from '../domains/learning/policy/schema.js';
import { CONTRACT_VERSION } from '../contract/version.js';
import type { CallOperation, CallOptions, OutputOf } from './call.js';
import {
  type DirectoryRequest,
  everyItem,
  scopeListDocument,
  tenantListParameters,
} from './lists/page-walk.js';

/** What a selected procedure must fit. */
export interface SelectOptions extends CallOptions {
  readonly policyId: string;
  readonly contextId: string;
  /** Longest instructions that the caller accepts, 0 to 65,536 UTF-8 bytes. */
  readonly maxInstructionBytes: number;
}

/** The learning of one agent. Errors are those of the operations, as `AgentkeepError`. */
export class LearningClient {
  readonly #call: CallOperation;

  constructor(call: CallOperation) {
    this.#call = call;
  }

  /** Registers a policy. The same policy again returns the first entry. Needs `policy_admin`. */
  async registerPolicy(
    id: string,
    definition: PolicyDefinition,
    options?: CallOptions,
  ): Promise<PolicyEntry> {
    requireArguments('learning.registerPolicy()', { id, definition });
    const document = { contract_version: CONTRACT_VERSION, id, definition };
    const { entry } = await this.#call('registerLearningPolicy', { document }, options);
    return entry;
  }

  /** Returns a policy. Needs `policy_admin`. */
  async policy(id: string, options?: CallOptions): Promise<PolicyEntry> {
    requireArguments('learning.policy()', { id });
    const { entry } = await this.#call('getLearningPolicy', { id }, options);
    return entry;
  }

  /** Registers a context. The same context again returns the first entry. Needs `policy_admin`. */
  async registerContext(
    id: string,
    context: EvaluationContext,
    options?: CallOptions,
  ): Promise<ContextEntry> {
    requireArguments('learning.registerContext()', { id, context });
    const document = { contract_version: CONTRACT_VERSION, id, context };
    const { entry } = await this.#call('registerLearningContext', { document }, options);
    return entry;
  }

  /** Returns a context. Needs `policy_admin`. */
  async context(id: string, options?: CallOptions): Promise<ContextEntry> {
    requireArguments('learning.context()', { id });
    const { entry } = await this.#call('getLearningContext', { id }, options);
    return entry;
  }

  /** Returns one page of the policies of the tenant. Needs `policy_admin`. */
  async policiesPage(
    options: DirectoryRequest = {},
  ): Promise<OutputOf<'listLearningPolicies'>['page']> {
    const parameters = tenantListParameters('learning.policiesPage()', options);
    const { signal } = options;
    return (await this.#call('listLearningPolicies', { parameters }, { signal })).page;
  }

  /**
   * Yields the policies of the tenant. The order is fixed and isn't of time. Needs `policy_admin`.
   */
  policies(options: Omit<DirectoryRequest, 'cursor'> = {}): AsyncGenerator<PolicyEntry, void> {
    return everyItem((position) => this.policiesPage({ ...options, ...position }));
  }

  /** Returns one page of the contexts of the tenant. Needs `policy_admin`. */
  async contextsPage(
    options: DirectoryRequest = {},
  ): Promise<OutputOf<'listLearningContexts'>['page']> {
    const parameters = tenantListParameters('learning.contextsPage()', options);
    const { signal } = options;
    return (await this.#call('listLearningContexts', { parameters }, { signal })).page;
  }

  /**
   * Yields the contexts of the tenant. The order is fixed and isn't of time. Needs `policy_admin`.
   */
  contexts(options: Omit<DirectoryRequest, 'cursor'> = {}): AsyncGenerator<ContextEntry, void> {
    return everyItem((position) => this.contextsPage({ ...options, ...position }));
  }

  /** Proposes a procedure. A repeat returns the first receipt. Needs `procedure_propose`. */
  async propose(
    scope: ScopeInput,
    proposal: LearningProposal,
    options?: CallOptions,
  ): Promise<ProposalReceipt> {
    requireArguments('learning.propose()', { scope, proposal });
    const document = { contract_version: CONTRACT_VERSION, scope, proposal };
    const { receipt } = await this.#call('proposeProcedure', { document }, options);
    return receipt;
  }

  /** Returns a procedure with its statistics. Needs `memory_read`. */
  async procedure(scope: ScopeInput, id: string, options?: CallOptions): Promise<Procedure> {
    requireArguments('learning.procedure()', { scope, id });
    const document = { contract_version: CONTRACT_VERSION, scope, procedure_id: id };
    const { procedure } = await this.#call('readProcedure', { document }, options);
    return procedure;
  }

  /**
   * Submits an evaluation. Only for the policy's evaluator, with `procedure_evaluate`. A repeat
   * returns the first receipt. `outcome` says whether the evaluation counted.
   */
  async evaluate(
    scope: ScopeInput,
    procedureId: string,
    submission: EvaluationSubmissionInput,
    options?: CallOptions,
  ): Promise<AdmissionReceipt> {
    requireArguments('learning.evaluate()', { scope, procedureId, submission });
    const document = {
      contract_version: CONTRACT_VERSION,
      scope,
      procedure_id: procedureId,
      submission,
    };
    const { receipt } = await this.#call('admitEvaluation', { document }, options);
    return receipt;
  }

  /** Returns the receipt of an evaluation. Needs `memory_read`. */
  async admission(
    scope: ScopeInput,
    procedureId: string,
    caseId: string,
    options?: CallOptions,
  ): Promise<AdmissionReceipt> {
    requireArguments('learning.admission()', { scope, procedureId, caseId });
    const document = {
      contract_version: CONTRACT_VERSION,
      scope,
      procedure_id: procedureId,
      case_id: caseId,
    };
    const { receipt } = await this.#call('readEvaluationAdmission', { document }, options);
    return receipt;
  }

  /** Returns the best qualified procedure, or the baseline. Needs `memory_read`. */
  async select(scope: ScopeInput, options: SelectOptions): Promise<LearningSelection> {
    requireArguments('learning.select()', { scope, options });
    const { signal, policyId, contextId, maxInstructionBytes } = options;
    requireArguments('learning.select()', { policyId, contextId, maxInstructionBytes });
    const document = {
      contract_version: CONTRACT_VERSION,
      scope,
      policy_id: policyId,
      context_id: contextId,
      max_instruction_bytes: maxInstructionBytes,
    };
    const { selection } = await this.#call('selectProcedure', { document }, { signal });
    return selection;
  }

  /** Returns one page of the procedures of a scope, with where each stands. Needs `memory_read`. */
  async proceduresPage(
    scope: ScopeInput,
    options: DirectoryRequest = {},
  ): Promise<OutputOf<'listProcedures'>['page']> {
    const document = scopeListDocument('learning.proceduresPage()', scope, options);
    return (await this.#call('listProcedures', { document }, { signal: options.signal })).page;
  }

  /**
   * Yields the procedures of a scope, with where each stands. The order is fixed and isn't of time.
   * Needs `memory_read`.
   */
  procedures(
    scope: ScopeInput,
    options: Omit<DirectoryRequest, 'cursor'> = {},
  ): AsyncGenerator<ListedProcedure, void> {
    return everyItem((position) => this.proceduresPage(scope, { ...options, ...position }));
  }

  /** Returns one page of the receipts of the evaluations of a procedure. Needs `memory_read`. */
  async evaluationsPage(
    scope: ScopeInput,
    procedureId: string,
    options: DirectoryRequest = {},
  ): Promise<OutputOf<'listEvaluations'>['page']> {
    const call = 'learning.evaluationsPage()';
    requireArguments(call, { procedureId });
    const document = { ...scopeListDocument(call, scope, options), procedure_id: procedureId };
    return (await this.#call('listEvaluations', { document }, { signal: options.signal })).page;
  }

  /**
   * Yields the receipts of the evaluations of a procedure. The order is fixed and isn't of time.
   * Needs `memory_read`.
   */
  evaluations(
    scope: ScopeInput,
    procedureId: string,
    options: Omit<DirectoryRequest, 'cursor'> = {},
  ): AsyncGenerator<AdmissionReceipt, void> {
    return everyItem((position) =>
      this.evaluationsPage(scope, procedureId, { ...options, ...position }),
    );
  }
}
