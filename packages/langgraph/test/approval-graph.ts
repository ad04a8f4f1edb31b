/** A graph that asks before it acts, and remembers what it did in a store. */
import type { Agent, ScopeInput } from '@agentkeep/client';
import {
  Annotation,
  END,
  interrupt,
  type LangGraphRunnableConfig,
  START,
  StateGraph,
} from '@langchain/langgraph';
import { AgentkeepCheckpointer, AgentkeepStore } from '../src/index.js';

const State = Annotation.Root({
  steps: Annotation<string[]>({
    reducer: (before, added) => [...before, ...added],
    default: () => [],
  }),
});

/** Makes the graph with a checkpointer and a store of an agent. */
export function approvalGraph(agent: Agent, scope: ScopeInput) {
  const store = new AgentkeepStore(agent, { scope });
  const checkpointer = new AgentkeepCheckpointer(agent, { scope });
  const graph = new StateGraph(State)
    .addNode('left', () => ({ steps: ['left'] }))
    .addNode('right', () => ({ steps: ['right'] }))
    .addNode('ask', () => ({ steps: [`answer ${interrupt<string, string>('Go on?')}`] }))
    .addNode('note', async ({ steps }, { store: given }: LangGraphRunnableConfig) => {
      await given?.put(['notes', 'graph'], 'steps', { steps });
      return { steps: ['noted'] };
    })
    .addEdge(START, 'left')
    .addEdge(START, 'right')
    .addEdge(['left', 'right'], 'ask')
    .addEdge('ask', 'note')
    .addEdge('note', END)
    .compile({ checkpointer, store });
  return { graph, store, checkpointer };
}
