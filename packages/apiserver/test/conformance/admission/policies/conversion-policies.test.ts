import { afterAll, beforeAll, expect, test } from 'vitest';
import { sorted } from '../../../support/apply-session.ts';
import { ConversionWebhook } from '../../../support/conversion-webhook.ts';
import { installCrd } from '../../../support/fixtures.ts';
import { normalize } from '../../../support/normalize.ts';
import { onEachServer } from '../../../support/on-each-server.ts';
import { asRecorded } from '../../../support/recorded.ts';
import type { Answer } from '../../../support/session.ts';
import { convertEndpoint, endpointCrd } from '../../../support/versioned-endpoint.ts';
import { failingMutating, failingValidating, mutating, validating } from './conversion-cases.ts';
import { type PolicyCase, decisionOf, installCases, sendRequest } from './policy-case.ts';

const cases: Record<'Validating' | 'Mutating', Record<string, PolicyCase>> = {
  Validating: { ...validating, ...failingValidating },
  Mutating: { ...mutating, ...failingMutating },
};

for (const kind of ['Validating', 'Mutating'] as const)
  onEachServer(`${kind} policies and kinds that a webhook converts`, (server) => {
    let webhook: ConversionWebhook;
    let refusals: string[] = [];
    beforeAll(async () => {
      webhook = await ConversionWebhook.start(convertEndpoint);
      webhook.failAsLabeled();
      for (const one of ['Converted', 'Param', 'Broken'])
        await installCrd(server.session, endpointCrd(one, webhook));
      refusals = await installCases(server.session, kind, Object.values(cases[kind]));
    });
    afterAll(() => webhook.close());

    test('no policy is refused', () => expect(refusals).toEqual([]));

    test.each(Object.entries(cases[kind]).map(([title, one], index) => [title, one, index] as const))(
      '%s',
      async (title, { requests = [{}] }, index) => {
        const decisions: unknown[] = [];
        for (const request of requests)
          decisions.push(shown(await sendRequest(server.session, index, request)));
        const file = `${kind}-${title}`.toLowerCase().replaceAll(/[^a-z0-9]+/g, '-');
        await expect(asRecorded(decisions)).toMatchFileSnapshot(
          `../../recorded/policies/conversion/${file}.yaml`,
        );
      },
    );
  });

function shown(answer: Answer): unknown {
  const { spec, data } = normalize(answer.body);
  const object = answer.code < 400 ? sorted({ spec, data }) : undefined;
  const text = JSON.stringify({ ...(decisionOf(answer) as object), ...(object && { object }) });
  // A real server asks the bindings of a policy in any order.
  return JSON.parse(text.replaceAll(/(with binding 'case-\d+)-\d+'/g, "$1'"));
}
