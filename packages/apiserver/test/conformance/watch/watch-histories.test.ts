import { expect, test } from 'vitest';
import { ApiServer } from '../../../src/api-server.ts';
import { Informer } from './informer.ts';
import { onBothServers } from '../../support/on-each-server.ts';
import { Randomness } from '../../support/randomness.ts';
import { Session } from '../../support/session.ts';

const names = ['a', 'b', 'c', 'd', 'e'];
const colors = ['red', 'green', 'blue'];
const selectors = [
  '',
  'labelSelector=color%3Dred',
  'labelSelector=color!%3Dred',
  'fieldSelector=metadata.name%3Db',
  'labelSelector=color',
];

interface History {
  /** The number of every write that changed something, by its resource version. */
  ranks: Map<string, number>;
  informers: Informer[];
}

/** Writes at random while informers watch, disconnect and resume. The same seed gives the same writes. */
async function replay(session: Session, namespace: string, seed: number, rounds: number): Promise<History> {
  const random = new Randomness(seed);
  const path = `/api/v1/namespaces/${namespace}/configmaps`;
  await session.post('/api/v1/namespaces', { metadata: { name: namespace } });
  const informers = selectors.map((selector) => new Informer(session, path, selector));
  for (const informer of informers) await informer.start();
  const ranks = new Map<string, number>();
  for (let round = 0; round < rounds; round += 1) {
    const name = random.pick(names);
    const labels = random.chance(0.3) ? {} : { color: random.pick(colors) };
    const object = { metadata: { name, labels }, data: { round: `${round}` } };
    const action = random.pick(['create', 'replace', 'patch', 'delete', 'break']);
    if (action === 'break') {
      const informer = random.pick(informers);
      if (informer.isRunning) informer.stop();
      else await informer.start();
      continue;
    }
    const answer = await (action === 'create'
      ? session.post(path, object)
      : action === 'replace'
        ? session.put(`${path}/${name}`, object)
        : action === 'patch'
          ? session.merge(`${path}/${name}`, {
              metadata: { labels: { color: random.pick([...colors, null]) } },
            })
          : session.delete(`${path}/${name}`));
    const version = answer.body.metadata?.resourceVersion;
    if (version !== undefined && answer.code < 300) ranks.set(version, ranks.get(version) ?? ranks.size);
  }
  await Promise.all(informers.map((informer) => informer.finish()));
  return { ranks, informers };
}

/** What each informer received about each object, with versions that do not differ from server to server. */
function sequencesOf({ informers, ranks }: History): unknown {
  return informers.map(({ heard }) =>
    names.map((name) =>
      heard
        .filter(({ object }) => object.metadata.name === name)
        .map(({ type, object }) => {
          const { labels, resourceVersion } = object.metadata;
          return `${type} ${JSON.stringify(labels ?? {})} ${object.data?.round} ${ranks.get(resourceVersion) ?? 'deletion'}`;
        }),
    ),
  );
}

onBothServers('random histories', (servers) => {
  test.each([1, 2, 3, 4, 5, 6])(
    'watchers hear the same of every object: seed %i',
    async (seed) => {
      const histories = [];
      for (const { session } of servers) histories.push(await replay(session, `history-${seed}`, seed, 150));
      const [embedded, real] = histories.map(sequencesOf);
      expect(embedded).toStrictEqual(real);
    },
    60_000,
  );
});

test.each([7, 8, 9])(
  'informers end with what is there also when history is forgotten: seed %i',
  async (seed) => {
    await using server = await ApiServer.start({ watchHistory: 5 });
    const session = new Session({ server: server.url });
    const { informers } = await replay(session, 'history', seed, 200);
    for (const informer of informers) {
      const { items } = (await session.get(`/api/v1/namespaces/history/configmaps?${informer.selector}`))
        .body;
      expect(informer.state()).toStrictEqual(
        items.map(({ metadata }: any) => `${metadata.name} ${metadata.resourceVersion}`),
      );
    }
    expect(informers.some(({ relists }) => relists > 0)).toBe(true);
    session.close();
  },
);
