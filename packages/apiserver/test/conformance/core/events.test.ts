import { expect, test } from 'vitest';
import { coreEventCases, eventCases, eventChanges, plainEvent } from './event-cases.ts';
import { type Change, askCreates, outcomeOf } from '../../support/kind-cases.ts';
import { onEachServer } from '../../support/on-each-server.ts';
import { asRecorded } from '../../support/recorded.ts';

const core = '/api/v1/namespaces/default/events';
const events = '/apis/events.k8s.io/v1/namespaces/default/events';
const changesTo = (cases: Record<string, any>): Record<string, Change> =>
  Object.fromEntries(
    Object.entries(cases).map(([name, fields]) => [name, (object: any) => Object.assign(object, fields)]),
  );

onEachServer('events', (server) => {
  test.each([
    ['core-events', core, coreEventCases],
    ['core-events-of-the-system', core.replace('default', 'kube-system'), coreEventCases],
    ['events', events, eventCases],
  ])('%s', async (name, path, cases) => {
    const base = { metadata: { name: 'case' } };
    const outcomes = await askCreates(server.session, { path, base, cases: changesTo(cases) });
    await expect(asRecorded(outcomes)).toMatchFileSnapshot(`../recorded/core/${name}.yaml`);
  });

  test('the mutable fields in both groups, and how the other group shows them', async () => {
    expect((await server.session.post(events, { ...plainEvent, metadata: { name: 'changed' } })).code).toBe(
      201,
    );
    const outcomes: Record<string, unknown> = {};
    for (const [group, path] of Object.entries({ core, events })) {
      for (const [name, change] of Object.entries(eventChanges)) {
        outcomes[`${name} in ${group}`] = outcomeOf(
          await server.session.merge(`${path}/changed?dryRun=All`, change),
        );
      }
      outcomes[`shown in ${group}`] = outcomeOf(await server.session.get(`${path}/changed`));
    }
    await expect(asRecorded(outcomes)).toMatchFileSnapshot('../recorded/core/event-updates.yaml');
  });
});
