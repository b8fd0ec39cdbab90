import { beforeAll, expect, test } from 'vitest';
import { onEachServer } from '../../../support/on-each-server.ts';
import { asRecorded } from '../../../support/recorded.ts';
import { decisionOf, installCases, sendRequest } from './policy-case.ts';
import { validatingCases } from './validating-cases.ts';

onEachServer('validating policies', (server) => {
  let refusals: string[] = [];

  beforeAll(async () => {
    refusals = await installCases(server.session, 'Validating', Object.values(validatingCases));
  });

  test('no policy is refused', () => expect(refusals).toEqual([]));

  test.each(Object.entries(validatingCases).map(([title, one], index) => [title, one, index] as const))(
    '%s',
    async (title, { requests = [{}] }, index) => {
      const decisions: unknown[] = [];
      for (const request of requests)
        decisions.push(decisionOf(await sendRequest(server.session, index, request)));
      const file = title.replaceAll(/[^a-z0-9]+/gi, '-');
      await expect(asRecorded(decisions)).toMatchFileSnapshot(
        `../../recorded/policies/validating/${file}.yaml`,
      );
    },
  );
});
