import { expect, test } from 'vitest';
import { VirtualClock } from '../../../runtime/test/virtual-clock.ts';
import { configMaps } from '../../test/support/fixtures.ts';
import { Session } from '../../test/support/session.ts';
import { ApiServer } from '../api-server.ts';
import type { ApiServerOptions } from '../api-server-options.ts';
import { createRandom } from './random.ts';

const uuid = /^[\da-f]{8}-[\da-f]{4}-4[\da-f]{3}-[89ab][\da-f]{3}-[\da-f]{12}$/;
const collections = [
  '/api/v1/namespaces',
  '/apis/rbac.authorization.k8s.io/v1/clusterroles',
  '/apis/networking.k8s.io/v1/servicecidrs',
  configMaps,
];

/** The same numbers for the same seed (the generator of Park and Miller). */
function numbersFrom(seed: number): () => number {
  let state = seed;
  return () => (state = (state * 48_271) % 2_147_483_647) / 2_147_483_647;
}

/** What some requests show of a server's chance and time. */
async function outcomesOf(options: ApiServerOptions): Promise<object[]> {
  await using server = await ApiServer.start({ ...options, clock: new VirtualClock() });
  const session = new Session(server.connection);
  await session.post(configMaps, { metadata: { generateName: 'map-' } });
  const spec = { type: 'NodePort', ports: [{ port: 80 }] };
  const service = await session.post('/api/v1/namespaces/default/services', {
    metadata: { name: 'a' },
    spec,
  });
  const lists = await Promise.all(collections.map((path) => session.get(path)));
  session.close();
  return [service, ...lists].map(({ body }) => body);
}

test('servers with the same seed and clock have the same UIDs, names, addresses and ports', async () => {
  const [first, same, other] = await Promise.all([
    outcomesOf({ random: numbersFrom(7) }),
    outcomesOf({ random: numbersFrom(7) }),
    outcomesOf({ random: numbersFrom(8) }),
  ]);
  expect(same).toStrictEqual(first);
  expect(other).not.toStrictEqual(first);
});

test.each([
  ['of chance', undefined],
  ['of a seed', numbersFrom(1)],
])('UUIDs %s are of version 4', (_, draw) => {
  const random = createRandom(draw);
  const made = Array.from({ length: 1000 }, () => random.uuid());
  expect(made.filter((each) => !uuid.test(each))).toStrictEqual([]);
  expect(new Set(made).size).toBe(1000);
});

test.each([0, 1 - 2 ** -53])('the number %d of a source is in range', (number) => {
  const random = createRandom(() => number);
  expect(random.uuid()).toMatch(uuid);
  expect(random.integer(3, 6)).toBe(number === 0 ? 3 : 5);
});
