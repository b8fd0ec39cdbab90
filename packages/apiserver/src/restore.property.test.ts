import { expect, onTestFinished, test } from 'vitest';
import { configMaps, crdOf, crdsPath, objectOf, pathOf } from '../test/support/fixtures.ts';
import { Randomness } from '../test/support/randomness.ts';
import { Session } from '../test/support/session.ts';
import { ApiServer } from './api-server.ts';
import type { Snapshot } from './storage/snapshot.ts';

const rbac = '/apis/rbac.authorization.k8s.io/v1';
const policies = '/apis/admissionregistration.k8s.io/v1/validatingadmissionpolicies';
const namespaces = '/api/v1/namespaces';
const services = '/api/v1/namespaces/default/services';
const deployments = '/apis/apps/v1/namespaces/default/deployments';
const collections = [
  configMaps,
  services,
  deployments,
  namespaces,
  `${rbac}/clusterroles`,
  `${rbac}/clusterrolebindings`,
  policies,
  crdsPath,
  pathOf('Thing'),
];

const podSpec = { containers: [{ name: 'a', image: 'a' }] };
const bodies: Record<string, (name: string) => object> = {
  [configMaps]: (name) => ({ metadata: { name }, data: { a: 'b' } }),
  [services]: (name) => ({ metadata: { name }, spec: { type: 'NodePort', ports: [{ port: 80 }] } }),
  [deployments]: (name) => ({
    metadata: { name },
    spec: {
      selector: { matchLabels: { a: 'b' } },
      template: { metadata: { labels: { a: 'b' } }, spec: podSpec },
    },
  }),
  [namespaces]: (name) => ({ metadata: { name } }),
  [`${rbac}/clusterroles`]: (name) => ({
    metadata: { name },
    rules: [{ apiGroups: [''], resources: ['pods'], verbs: ['get'] }],
  }),
  [policies]: (name) => ({
    metadata: { name },
    spec: {
      matchConstraints: {
        resourceRules: [
          { apiGroups: [''], apiVersions: ['v1'], operations: ['CREATE'], resources: ['secrets'] },
        ],
      },
      validations: [{ expression: 'false' }],
    },
  }),
  [pathOf('Thing')]: (name) => objectOf('Thing', name, { size: 1 }),
};

function repeated<Item>(times: number, item: Item): Item[] {
  return Array.from({ length: times }, () => item);
}

/** Random writes to one server. */
class Writer {
  readonly random: Randomness;
  readonly #url: string;
  #session: Session;
  #changes = 0;

  constructor(url: string, seed: number) {
    this.random = new Randomness(seed);
    this.#url = url;
    this.#session = new Session({ server: url });
  }

  /** A server that restarts drops the connections. */
  reconnect(): void {
    this.close();
    this.#session = new Session({ server: this.#url });
  }

  close(): void {
    this.#session.close();
  }

  /** Writes something, which the server may refuse. */
  async write(): Promise<void> {
    const { random } = this;
    const session = this.#session;
    const collection = random.pick(Object.keys(bodies));
    const path = `${collection}/${random.pick(['written-a', 'written-b', 'written-c'])}`;
    const name = path.slice(collection.length + 1);
    const merge = (metadata: object) => session.merge(path, { metadata });
    await random.pick([
      () => session.post(crdsPath, crdOf('Thing', { size: { type: 'integer' } })),
      () => session.delete(`${crdsPath}/things.conformance.example.com`),
      ...repeated(12, () => session.post(collection, bodies[collection]!(name))),
      ...repeated(6, () => merge({ labels: { at: `${(this.#changes += 1)}` } })),
      () => merge({ finalizers: ['example.com/keep'] }),
      () => merge({ finalizers: null }),
      () => session.delete(`${collection}?labelSelector=at`),
      ...repeated(4, () => session.delete(`${path}?propagationPolicy=Foreground`)),
    ])();
  }

  /** All that it writes, as the server shows it. */
  async state(): Promise<object> {
    const lists = await Promise.all(collections.map((collection) => this.#session.get(collection)));
    return Object.fromEntries(lists.map(({ code, body }, index) => [collections[index], body.items ?? code]));
  }
}

test.each([1, 2, 3, 4])(
  'a restore returns to the state of the snapshot, whatever was written: seed %i',
  async (seed) => {
    // What the controllers do takes time of its own, which a snapshot may cut short.
    const server = await ApiServer.start({ controllers: false });
    const writer = new Writer(server.url, seed);
    onTestFinished(async () => {
      writer.close();
      await server.stop();
    });
    const taken: { snapshot: Snapshot; state: object }[] = [];
    for (let round = 0; round < 3; round += 1) {
      for (let writes = 0; writes < 15; writes += 1) await writer.write();
      taken.push({ snapshot: server.snapshot(), state: await writer.state() });
      for (let writes = 0; writes < 15; writes += 1) await writer.write();
      const { snapshot, state } = writer.random.pick(taken);
      if (round === 1) {
        const before = await writer.state();
        await server.restart();
        writer.reconnect();
        expect(await writer.state()).toStrictEqual(before);
      }
      await server.restore(snapshot);
      expect(await writer.state()).toStrictEqual(state);
    }
  },
);
