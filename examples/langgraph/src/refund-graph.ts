/** A graph that decides about refunds: small ones by itself, others after a person agreed. */
import {
  AgentkeepCheckpointer,
  AgentkeepStore,
  type Agent,
  type ScopeInput,
} from '@agentkeep/langgraph';
import {
  Annotation,
  END,
  interrupt,
  type LangGraphRunnableConfig,
  START,
  StateGraph,
} from '@langchain/langgraph';

const State = Annotation.Root({
  customer: Annotation<string>,
  amount: Annotation<number>,
  isGranted: Annotation<boolean>,
});

/** Refunds up to this amount need no approval. */
const SMALL = 20;

/** The question that the graph waits with. */
const question = ({ customer, amount }: typeof State.State) => `Refund ${amount} to ${customer}?`;

/** Makes the graph. Its threads and what it learns of customers are in one scope of the agent. */
export function refundGraph(agent: Agent, scope: ScopeInput) {
  const store = new AgentkeepStore(agent, { scope });
  const checkpointer = new AgentkeepCheckpointer(agent, { scope });
  const graph = new StateGraph(State)
    .addNode('decide', (state) => {
      if (state.amount <= SMALL) return { isGranted: true };
      return { isGranted: interrupt<string, boolean>(question(state)) };
    })
    .addNode('remember', async (state, { store: given }: LangGraphRunnableConfig) => {
      const { customer, ...decision } = state;
      await given?.put(['customers', customer], 'last refund', decision);
      return {};
    })
    .addEdge(START, 'decide')
    .addEdge('decide', 'remember')
    .addEdge('remember', END)
    .compile({ checkpointer, store });
  return { graph, store };
}
