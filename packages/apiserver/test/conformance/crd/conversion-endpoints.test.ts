import { afterAll, beforeAll, expect, test } from 'vitest';
import { outcome, sorted } from '../../support/apply-session.ts';
import { ConversionWebhook } from '../../support/conversion-webhook.ts';
import { installCrd, pathOf } from '../../support/fixtures.ts';
import { masked } from '../../support/masked.ts';
import { onEachServer } from '../../support/on-each-server.ts';
import { asRecorded } from '../../support/recorded.ts';
import type { Answer, Session } from '../../support/session.ts';
import { untilCached } from '../../support/until-cached.ts';
import { convertGauge, gauge, gaugeCrd } from '../../support/versioned-gauge.ts';

/** @param object its state in the stored version */
type Request = (session: Session, path: string, object: any) => Promise<Answer>;

const recorded = (name: string) => `../recorded/conversion-endpoints/${name}.yaml`;

const applyPatch = 'application/apply-patch+yaml';
const asTable = 'application/json;as=Table;v=v1;g=meta.k8s.io';
const asMetadata = 'application/json;as=PartialObjectMetadata;v=v1;g=meta.k8s.io';
const scaleOf = ({ metadata: { name } }: any, replicas: number) => ({
  apiVersion: 'autoscaling/v1',
  kind: 'Scale',
  metadata: { name },
  spec: { replicas },
});
const applied = ({ kind, metadata: { name } }: any, rest: object) => ({
  apiVersion: 'conformance.example.com/v1',
  kind,
  metadata: { name },
  ...rest,
});
const replaced = (object: any, rest: object) => ({
  ...object,
  apiVersion: 'conformance.example.com/v1',
  ...rest,
});
/** Requests for an object in the version that is not stored. */
const requests: Record<string, Request> = {
  get: (session, path) => session.get(path),
  'get as a table': (session, path) => session.send('GET', path, { accept: asTable }),
  'get the metadata': (session, path) => session.send('GET', path, { accept: asMetadata }),
  'get the status': (session, path) => session.get(`${path}/status`),
  'get the scale': (session, path) => session.get(`${path}/scale`),
  'replace the scale': (session, path, object) => session.put(`${path}/scale`, scaleOf(object, 2)),
  'merge the scale': (session, path) => session.merge(`${path}/scale`, { spec: { replicas: 3 } }),
  'patch the scale': (session, path) =>
    session.jsonPatch(`${path}/scale`, [{ op: 'replace', path: '/spec/replicas', value: 4 }]),
  'apply the scale': (session, path, object) =>
    session.send('PATCH', `${path}/scale?fieldManager=me&force=true`, {
      body: scaleOf(object, 5),
      contentType: applyPatch,
    }),
  'replace the status': (session, path, object) =>
    session.put(`${path}/status`, replaced(object, { status: { replicas: 6 } })),
  'merge the status': (session, path) => session.merge(`${path}/status`, { status: { replicas: 7 } }),
  'apply the status': (session, path, object) =>
    session.send('PATCH', `${path}/status?fieldManager=me&force=true`, {
      body: applied(object, { status: { ready: true } }),
      contentType: applyPatch,
    }),
  merge: (session, path) => session.merge(path, { spec: { replicas: 8 } }),
  'merge without a change': (session, path) => session.merge(path, { spec: {} }),
  patch: (session, path) => session.jsonPatch(path, [{ op: 'replace', path: '/spec/replicas', value: 9 }]),
  'patch what is not there': (session, path) =>
    session.jsonPatch(path, [{ op: 'remove', path: '/spec/size' }]),
  apply: (session, path, object) =>
    session.send('PATCH', `${path}?fieldManager=me&force=true`, {
      body: applied(object, { spec: { replicas: 10 } }),
      contentType: applyPatch,
    }),
  'apply with a conflict': (session, path, object) =>
    session.send('PATCH', `${path}?fieldManager=you`, {
      body: applied(object, { spec: { replicas: 11 } }),
      contentType: applyPatch,
    }),
  'apply an old field': (session, path, object) =>
    session.send('PATCH', `${path}?fieldManager=you`, {
      body: applied(object, { spec: { size: 11 } }),
      contentType: applyPatch,
    }),
  replace: (session, path, object) => session.put(path, replaced(object, { spec: { replicas: 12 } })),
  'replace in a dry run': (session, path, object) =>
    session.put(`${path}?dryRun=All`, replaced(object, { spec: { replicas: 13 } })),
  'remove the labels': (session, path) => session.merge(path, { metadata: { labels: null } }),
  delete: (session, path) => session.delete(path),
};

onEachServer('endpoints of a kind that a webhook converts', (server) => {
  let webhook: ConversionWebhook;
  beforeAll(async () => {
    webhook = await ConversionWebhook.start(convertGauge);
    webhook.failAsLabeled();
  });
  afterAll(() => webhook.close());

  /** A real server's cache of a version is of no use once it cannot convert an object, so each test has its own kind. */
  const install = async (kind: string) => {
    const { session } = server;
    await installCrd(session, gaugeCrd(kind, webhook));
    const stored = pathOf(kind, 'v2');
    return {
      path: pathOf(kind),
      stored,
      create: async (name: string, labels?: object) => {
        expect((await session.post(stored, gauge(kind, name, 1, labels))).code).toBe(201);
      },
      read: async (name: string) => (await session.get(`${stored}/${name}`)).body,
      remove: async (name: string) => void (await session.delete(`${stored}/${name}`)),
    };
  };

  test('answer in the version of the request', async () => {
    const { session } = server;
    const { path, stored, create, read } = await install('Gauge');
    await create('one');
    const outcomes: Record<string, unknown> = {};
    for (const [request, send] of Object.entries(requests)) {
      await untilCached(session, `${path}/one`, `${stored}/one`);
      outcomes[request] = shown(await send(session, `${path}/one`, await read('one')));
      outcomes[`${request}: stored`] = stateOf(await read('one'));
    }
    await expect(asRecorded(outcomes)).toMatchFileSnapshot(recorded('working'));
  });

  test.each([
    ['from', 'v2-v1'],
    ['to', 'v1-v2'],
  ])(
    'fail, and store nothing, when an object cannot be converted %s its stored version',
    async (way, fails) => {
      const { session } = server;
      const { path, stored, create, read, remove } = await install(`Gauge${way}`);
      const outcomes: Record<string, unknown> = {};
      for (const [request, send] of Object.entries(requests)) {
        const name = request.replaceAll(' ', '-');
        await create(name, { fails });
        const before = await read(name);
        if (way === 'to') await untilCached(session, `${path}/${name}`, `${stored}/${name}`);
        outcomes[request] = shown(await send(session, `${path}/${name}`, before));
        const after = await read(name);
        if (JSON.stringify(stateOf(after)) !== JSON.stringify(stateOf(before)))
          outcomes[`${request}: stored`] = stateOf(after);
        await remove(name);
      }
      await expect(asRecorded(outcomes)).toMatchFileSnapshot(recorded(`not-${way}-storage`));
    },
  );
});

function shown(answer: Answer): unknown {
  const { code, body } = answer;
  if (body.kind === 'Table') return body.rows.map(({ cells: [name] }: any) => name);
  return body.status === 'Success' ? code : masked(outcome(answer));
}

function stateOf({ code, spec, status }: any): unknown {
  return code ?? sorted({ spec, status });
}
