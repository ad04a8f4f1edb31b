/** Samples of the values of learning, tools and experiences. */
import {
  experienceEvents,
  experiences,
} from '../../src/domains/learning/experience/experience-store.js';
import {
  submissionFingerprint,
  learningAdmissions,
  learningEvidence,
} from '../../src/domains/learning/procedure/admission-store.js';
import {
  contextDigest,
  policyDigest,
  learningContexts,
  learningPolicies,
} from '../../src/domains/learning/policy/entry-store.js';
import { candidateFamilies } from '../../src/domains/learning/procedure/family-store.js';
import { noFigures } from '../../src/domains/learning/evidence/hoeffding-policy.js';
import {
  proposalFingerprint,
  learningProcedures,
  learningProposals,
} from '../../src/domains/learning/procedure/procedure-store.js';
import { learningSelection } from '../../src/domains/learning/procedure/selection-store.js';
import {
  toolArtifacts,
  toolDevelopmentEvents,
  toolDevelopments,
  toolExecutors,
} from '../../src/domains/learning/tool/tool-store.js';
import {
  actor,
  artifact,
  attempt,
  attemptEvent,
  context,
  development,
  developmentEvent,
  executor,
  policy,
  proposal,
  submission,
} from './sample-documents.js';
import { sample } from './sample.js';

const digest = Buffer.alloc(32, 7);

export const learningSamples = {
  learningPolicies: [
    sample(
      learningPolicies,
      {
        payload: policy,
        payloadDigest: policyDigest(policy),
        registeredBy: 'c:s',
        recordedAtMillis: 5,
      },
      'acme',
      'pol',
    ),
  ],
  learningContexts: [
    sample(
      learningContexts,
      {
        payload: context,
        payloadDigest: contextDigest(context),
        registeredBy: 'c:s',
        recordedAtMillis: 5,
      },
      'acme',
      'ctx',
    ),
  ],
  learningSelection: [
    sample(
      learningSelection,
      { id: 'proc', lowerImprovementBound: 0.25, instructionBytes: 15 },
      'acme',
      digest,
      digest,
      4,
      -0.25,
      'proc',
    ),
  ],
  learningProposals: [
    sample(
      learningProposals,
      {
        request: proposal,
        fingerprint: proposalFingerprint(proposal),
        policyDigest: policyDigest(policy),
        contextDigest: contextDigest(context),
        actor: 'c:s',
        createdAtMillis: 5,
      },
      'acme',
      digest,
      'proc',
    ),
  ],
  learningProcedures: [
    sample(
      learningProcedures,
      {
        state: 'Active',
        figures: noFigures,
        decisions: [
          {
            from: 'Candidate',
            to: 'Active',
            reason: 'r',
            triggering_case: 'case-1',
            recorded_at_millis: 5,
          },
        ],
      },
      'acme',
      digest,
      'proc',
    ),
    sample(
      learningProcedures,
      {
        state: 'Candidate',
        figures: {
          ...noFigures,
          qualificationCount: 3,
          betting: {
            differences: [
              [-250, 1],
              [1_000, 2],
            ],
            utilities: 2_500,
          },
        },
        decisions: [],
      },
      'acme',
      digest,
      'proc',
    ),
  ],
  learningAdmissions: [
    sample(
      learningAdmissions,
      {
        submission,
        fingerprint: submissionFingerprint(submission),
        outcome: 'cancelled',
        reason: 'evaluator_reported_cancelled',
        stateAfter: 'Candidate',
        actor,
        recordedAtMillis: 5,
      },
      'acme',
      digest,
      digest,
      'case-1',
    ),
  ],
  learningFamilies: [
    sample(
      candidateFamilies,
      { id: 'proc', wealth: 2_500_000, isAccepted: false },
      'acme',
      digest,
      digest,
      'proc',
    ),
  ],
  learningEvidence: [sample(learningEvidence, 'case-1', 'acme', digest, digest, digest)],
  toolExecutors: [sample(toolExecutors, executor, 'acme', 'exec')],
  toolArtifacts: [sample(toolArtifacts, artifact, 'acme', digest, 'tool')],
  toolDevelopments: [sample(toolDevelopments, development, 'acme', digest, 'dev')],
  toolDevelopmentEvents: [
    sample(toolDevelopmentEvents, developmentEvent, 'acme', digest, digest, 'ev'),
  ],
  experiences: [sample(experiences, attempt, 'acme', digest, 'att')],
  experienceEvents: [sample(experienceEvents, attemptEvent, 'acme', digest, digest, 2, 'ev')],
};
