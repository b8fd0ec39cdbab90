import { beforeAll, expect, test } from 'vitest';
import { onEachServer } from '../../../support/on-each-server.ts';
import { Randomness } from '../../../support/randomness.ts';
import { asRecorded } from '../../../support/recorded.ts';
import { decisionOf, installCases, namespaceOf, registration, sendRequest } from './policy-case.ts';
import { statusOf } from './policy-status.ts';
import { randomCase } from './random-policies.ts';

const policies = 60;
const path = `${registration}/validatingadmissionpolicies`;

onEachServer('random policies', { controllers: true }, (server) => {
  const random = new Randomness(37);
  const cases = Array.from({ length: policies }, () => randomCase(random));
  let refusals: string[] = [];

  beforeAll(async () => {
    refusals = await installCases(server.session, 'Validating', cases);
  });

  test('some are refused', async () => {
    await expect(asRecorded(refusals)).toMatchFileSnapshot('../../recorded/policies/random-refusals.yaml');
  });

  test('random requests', async () => {
    const decisions: string[] = [];
    for (const [index, { requests = [] }] of cases.entries())
      for (const request of requests) {
        const decision = decisionOf(await sendRequest(server.session, index, request));
        decisions.push(`${namespaceOf(index)}: ${JSON.stringify(decision)}`);
      }
    expect(decisions.filter((decision) => decision.includes('denied')).length).toBeGreaterThan(policies);
    await expect(asRecorded(decisions)).toMatchFileSnapshot('../../recorded/policies/random-requests.yaml');
  });

  test('type errors', async () => {
    const statuses: Record<string, unknown> = {};
    for (const index of cases.keys()) {
      const policy = `${path}/${namespaceOf(index)}`;
      if ((await server.session.get(policy)).code === 200)
        statuses[namespaceOf(index)] = await statusOf(server.session, policy);
    }
    await expect(asRecorded(statuses)).toMatchFileSnapshot('../../recorded/policies/random-types.yaml');
  });
});
