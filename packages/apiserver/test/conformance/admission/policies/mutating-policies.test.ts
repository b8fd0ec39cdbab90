import { beforeAll, expect, test } from 'vitest';
import { normalize } from '../../../support/normalize.ts';
import { onEachServer } from '../../../support/on-each-server.ts';
import { asRecorded } from '../../../support/recorded.ts';
import type { Answer } from '../../../support/session.ts';
import { withSortedKeys } from '../../../support/with-sorted-keys.ts';
import { mutatingCases } from './mutating-cases.ts';
import { decisionOf, installCases, sendRequest } from './policy-case.ts';

onEachServer('mutating policies', (server) => {
  let refusals: string[] = [];

  beforeAll(async () => {
    refusals = await installCases(server.session, 'Mutating', Object.values(mutatingCases));
  });

  test('no policy is refused', () => expect(refusals).toEqual([]));

  test.each(Object.entries(mutatingCases).map(([title, one], index) => [title, one, index] as const))(
    '%s',
    async (title, { requests = [{}] }, index) => {
      const decisions: unknown[] = [];
      for (const request of requests)
        decisions.push(outcomeOf(await sendRequest(server.session, index, request)));
      const file = title.replaceAll(/[^a-z0-9]+/gi, '-');
      await expect(asRecorded(decisions)).toMatchFileSnapshot(
        `../../recorded/policies/mutating/${file}.yaml`,
      );
    },
  );
});

/** The decision, with the object that it leads to. */
function outcomeOf(answer: Answer): unknown {
  const decision = decisionOf(answer) as object;
  return answer.code < 400 ? { ...decision, object: objectOf(answer.body) } : decision;
}

function objectOf(body: object): unknown {
  const text = JSON.stringify(withSortedKeys(normalize(body))).replaceAll(
    /\bgenerated-[a-z0-9]{5}\b/g,
    'generated-…',
  );
  return JSON.parse(text);
}
