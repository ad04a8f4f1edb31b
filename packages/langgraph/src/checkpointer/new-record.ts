/** The form of the records that hold checkpoints. */
import type { RecordInput } from '@agentkeep/client';

/** Returns a record with data that no search by words or meaning finds. */
export function newRecord(kind: string, data: object, tags: readonly string[]): RecordInput {
  return {
    episode_type: { Custom: `langgraph.${kind}` },
    content: { primary: '', data: data },
    event_time_millis: Date.now(),
    tags: [...tags],
  };
}
