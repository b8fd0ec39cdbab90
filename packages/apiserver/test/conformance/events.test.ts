import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { TestEnvironment } from 'ots-testing';
import { coreEventCases, eventCases, eventChanges, plainEvent } from './event-cases.ts';
import { type Change, askCreates, outcomeOf } from './kind-cases.ts';
import { asRecorded } from './recorded.ts';
import { servers } from './servers.ts';
import type { Session } from './session.ts';

const core = '/api/v1/namespaces/default/events';
const events = '/apis/events.k8s.io/v1/namespaces/default/events';
const changesTo = (cases: Record<string, any>): Record<string, Change> =>
  Object.fromEntries(
    Object.entries(cases).map(([name, fields]) => [name, (object: any) => Object.assign(object, fields)]),
  );

describe.each(servers)('events on $name', (server) => {
  let environment: TestEnvironment;
  let session: Session;
  beforeAll(async () => {
    ({ environment, session } = await server.start());
  }, 90_000);
  afterAll(async () => {
    session.close();
    await environment.stop();
  });

  test.each([
    ['core-events', core, coreEventCases],
    ['core-events-of-the-system', core.replace('default', 'kube-system'), coreEventCases],
    ['events', events, eventCases],
  ])('%s', async (name, path, cases) => {
    const base = { metadata: { name: 'case' } };
    const outcomes = await askCreates(session, { path, base, cases: changesTo(cases) });
    await expect(asRecorded(outcomes)).toMatchFileSnapshot(`recorded/core/${name}.yaml`);
  });

  test('what may change of them, in both groups, and what the other group shows', async () => {
    expect((await session.post(events, { ...plainEvent, metadata: { name: 'changed' } })).code).toBe(201);
    const outcomes: Record<string, unknown> = {};
    for (const [group, path] of Object.entries({ core, events })) {
      for (const [name, change] of Object.entries(eventChanges)) {
        outcomes[`${name} in ${group}`] = outcomeOf(
          await session.merge(`${path}/changed?dryRun=All`, change),
        );
      }
      outcomes[`shown in ${group}`] = outcomeOf(await session.get(`${path}/changed`));
    }
    await expect(asRecorded(outcomes)).toMatchFileSnapshot('recorded/core/event-updates.yaml');
  });
});
