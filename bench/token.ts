/**
 * Compares a read by access token with the same read by the secret of its bound credential.
 * Authority is read from the store each time in both cases.
 */
import { operations } from '@agentkeep/core';
import { type CallerProof, createAdmin, embeddedInput } from '@agentkeep/core/operator';
import { keepWithAgent, recordAt, scope, temporaryDirectory } from './fixture.js';
import { compare, type Comparison, type Contender } from './measure.js';

const READS = 20_000;
const LOGIN = { username: 'ann', password: 'Correct-horse-1', tenantId: 'bench' };

/** One comparison without the audit log, which records each proof of a person, and one with it. */
export async function* tokenBenchmarks(): AsyncGenerator<Comparison, void> {
  for (const enabled of [false, true]) {
    await using directory = await temporaryDirectory();
    const where = { dataDir: directory.path, audit: { enabled } };
    const { keep, agent, secret } = await keepWithAgent(where);
    const { id: credentialId } = await agent.whoAmI();
    await createAdmin(keep, { ...LOGIN, credentialId });
    const { tokens } = await keep.logIn(LOGIN);
    const { record_id: id } = await agent.memory.in(scope).create(recordAt(0), {
      idempotencyKey: 'only',
    });
    const source = embeddedInput({ id, parameters: { contract_version: 1, ...scope } });
    const readsBy = (token: string): Contender => {
      const proof: CallerProof = { kind: 'bearer', token };
      return {
        operations: READS,
        round: async () => {
          for (let at = 0; at < READS; at++) {
            await keep.invoke(operations.readMemoryRecord, source, { proof });
          }
        },
      };
    };
    const name = enabled ? 'read by token, audited' : 'read by token';
    // At most a fifth slower than by secret.
    yield await compare(name, 0.83, readsBy(tokens.access_token), readsBy(secret));
    await keep.close();
  }
}
