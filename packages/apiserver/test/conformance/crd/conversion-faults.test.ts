import type { ServerResponse } from 'node:http';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { ConversionWebhook } from '../../support/conversion-webhook.ts';
import { outcomeOf } from '../../support/converted-outcome.ts';
import { crdsPath, installCrd, pathOf, until } from '../../support/fixtures.ts';
import { onEachServer } from '../../support/on-each-server.ts';
import { asRecorded } from '../../support/recorded.ts';
import type { Answer } from '../../support/session.ts';
import { convertEndpoint, endpoint, endpointCrd } from '../../support/versioned-endpoint.ts';

type Fault = (sent: any, response: ServerResponse, webhook: ConversionWebhook) => unknown;

const recorded = (name: string) => `../recorded/conversion-faults/${name}.yaml`;

/** Changes the response of a webhook that works. */
const responding =
  (change: (response: any) => unknown): Fault =>
  (sent, _, webhook) => {
    const review = webhook.converted(sent);
    return { ...review, response: change(review.response) };
  };
/** Changes a converted object. */
const returning = (change: (object: any) => unknown) =>
  responding((response) => ({ ...response, convertedObjects: response.convertedObjects.map(change) }));
const withMetadata = (metadata: object) =>
  returning((object) => ({ ...object, metadata: { ...object.metadata, ...metadata } }));
const withSpec = (spec: unknown) => returning((object) => ({ ...object, spec }));
/** Answers without a review. */
const sending =
  (code: number, body: string, headers: Record<string, string> = {}): Fault =>
  (_sent, response) => {
    response.writeHead(code, { 'content-type': 'application/json', ...headers }).end(body);
  };
const status = {
  kind: 'Status',
  apiVersion: 'v1',
  status: 'Failure',
  message: 'a message',
  reason: 'Forbidden',
  code: 403,
};
const megabytes = 'x'.repeat(10 * 1024 * 1024);

const responses: Record<string, Fault> = {
  'a failure with a message': responding(({ uid }) => ({
    uid,
    result: { status: 'Failure', message: 'not today' },
  })),
  'a failure without a message': responding(({ uid }) => ({ uid, result: { status: 'Failure' } })),
  'a failure with objects': responding((response) => ({
    ...response,
    result: { status: 'Failure', message: 'but' },
  })),
  'no result': responding((response) => ({ ...response, result: undefined })),
  'an unknown status': responding((response) => ({ ...response, result: { status: 'OK' } })),
  'no response': responding(() => undefined),
  'a null response': responding(() => null),
  'another uid': responding((response) => ({ ...response, uid: 'other' })),
  'no uid': responding((response) => ({ ...response, uid: undefined })),
  'another version of the review': (sent, _, webhook) => ({
    ...webhook.converted(sent),
    apiVersion: sent.apiVersion.endsWith('v1') ? 'apiextensions.k8s.io/v1beta1' : 'apiextensions.k8s.io/v1',
  }),
  'no version of the review': (sent, _, webhook) => ({ ...webhook.converted(sent), apiVersion: undefined }),
  'an unknown version of the review': (sent, _, webhook) => ({
    ...webhook.converted(sent),
    apiVersion: 'apiextensions.k8s.io/v2',
  }),
  'another kind of review': (sent, _, webhook) => ({ ...webhook.converted(sent), kind: 'AdmissionReview' }),
  'no kind of review': (sent, _, webhook) => ({ ...webhook.converted(sent), kind: undefined }),
  'nothing but an object': () => ({}),
  'a text as response': responding(() => 'x'),
  'a text as result': responding((response) => ({ ...response, result: 'x' })),
  'a number as message': responding((response) => ({
    ...response,
    result: { status: 'Failure', message: 5 },
  })),
  'a text as objects': responding((response) => ({ ...response, convertedObjects: 'x' })),
  'no objects': responding((response) => ({ ...response, convertedObjects: [] })),
  'no list of objects': responding((response) => ({ ...response, convertedObjects: undefined })),
  'two objects': responding((response) => ({
    ...response,
    convertedObjects: [...response.convertedObjects, ...response.convertedObjects],
  })),
};

const objects: Record<string, Fault> = {
  'a null object': returning(() => null),
  'a number as object': returning(() => 5),
  'a text as object': returning(() => 'x'),
  'a list as object': returning(() => []),
  'an empty object': returning(() => ({})),
  'an object without a kind': returning((object) => ({ ...object, kind: undefined })),
  'a number as kind': returning((object) => ({ ...object, kind: 5 })),
  'an object of another version': returning((object) => ({
    ...object,
    apiVersion: 'conformance.example.com/v2',
  })),
  'an object of another group': returning((object) => ({ ...object, apiVersion: 'other.example.com/v1' })),
  'an object without a version': returning((object) => ({ ...object, apiVersion: undefined })),
  'an object of another kind': returning((object) => ({ ...object, kind: 'Other' })),
  'another name': withMetadata({ name: 'other' }),
  'another namespace': withMetadata({ namespace: 'other' }),
  'another uid of the object': withMetadata({ uid: 'other' }),
  'no namespace': withMetadata({ namespace: undefined }),
  'no metadata': returning((object) => ({ ...object, metadata: undefined })),
  'a text as metadata': returning((object) => ({ ...object, metadata: 'x' })),
  'a text as labels': withMetadata({ labels: 'x' }),
  'a list as annotations': withMetadata({ annotations: [] }),
  'a number as a label': withMetadata({ labels: { a: 1 } }),
  'a null label': withMetadata({ labels: { a: null } }),
  'a map as an annotation': withMetadata({ annotations: { a: {} } }),
  'an invalid label': withMetadata({ labels: { a: '-' } }),
  'an invalid key of a label': withMetadata({ labels: { 'a b': 'x' } }),
  'an invalid key of an annotation': withMetadata({ annotations: { 'a b': 'x' } }),
  'null labels': withMetadata({ labels: null }),
  'new labels and annotations': withMetadata({
    labels: { new: 'label' },
    annotations: { new: 'annotation' },
  }),
  'other metadata': withMetadata({
    finalizers: ['example.com/new'],
    generation: 7,
    resourceVersion: '1',
    ownerReferences: [],
    managedFields: [],
    unknown: true,
  }),
  'unknown fields': withSpec({ host: 'a', unknown: 1 }),
  'a null field': withSpec({ host: null, note: null }),
  'a field of a wrong type': withSpec({ host: 5 }),
  'a text as spec': withSpec('x'),
  'no spec': withSpec(undefined),
  'unknown fields at the top': returning((object) => ({ ...object, extra: 1 })),
};

const bodies: Record<string, Fault> = {
  'an empty body': sending(200, ''),
  'no JSON': sending(200, 'not json'),
  'half a body': sending(200, '{"kind":'),
  'a page': sending(200, '<html></html>', { 'content-type': 'text/html' }),
  'status 400': sending(400, ''),
  'status 404': sending(404, 'not found', { 'content-type': 'text/plain' }),
  'status 500': sending(500, 'broken', { 'content-type': 'text/plain' }),
  'status 503': sending(503, ''),
  'a Status': sending(403, JSON.stringify(status)),
  'a redirect to nowhere': sending(302, ''),
  'no answer': (_, response) => void response.destroy(),
  '10 MB without JSON': sending(200, megabytes),
};

onEachServer('conversion webhooks that fail', (server) => {
  let webhook: ConversionWebhook;
  beforeAll(async () => {
    webhook = await ConversionWebhook.start(convertEndpoint);
    for (const [kind, version] of [
      ['Fault', 'v1'],
      ['OldFault', 'v1beta1'],
    ] as const) {
      await installCrd(server.session, endpointCrd(kind, webhook, [version]));
      const object = endpoint(kind, 'v2', 'stored', { host: 'a', port: '1' });
      object.metadata = { name: 'stored', labels: { old: 'label' }, annotations: { old: 'annotation' } };
      await server.session.post(pathOf(kind, 'v2'), object);
    }
  });
  afterAll(() => webhook.close());

  const get = async (fault: Fault, kind: string) => {
    webhook.answer = (sent, response) => fault(sent, response, webhook);
    return outcomeOf(await server.session.get(`${pathOf(kind)}/stored`));
  };

  test.each([
    ['responses', responses],
    ['objects', objects],
    ['bodies', bodies],
  ])('a read says what is wrong with %s', async (name, faults) => {
    const outcomes: Record<string, unknown> = {};
    for (const [title, fault] of Object.entries(faults)) outcomes[title] = await get(fault, 'Fault');
    await expect(asRecorded(outcomes)).toMatchFileSnapshot(recorded(name));
    webhook.answer = undefined;
    expect((await server.session.get(`${pathOf('Fault')}/stored`)).code).toBe(200);
  });

  test('reviews of the old version are checked less', async () => {
    const outcomes: Record<string, unknown> = {};
    for (const [title, fault] of Object.entries(responses)) outcomes[title] = await get(fault, 'OldFault');
    await expect(asRecorded(outcomes)).toMatchFileSnapshot(recorded('old-responses'));
  });

  test('writes fail and store nothing, or store what they cannot show', async () => {
    const { session } = server;
    const path = pathOf('Fault');
    const outcomes: Record<string, unknown> = {};
    const failTo =
      (version: string): Fault =>
      (sent) =>
        sent.request.desiredAPIVersion.endsWith(version)
          ? { ...sent, response: { uid: sent.request.uid, result: { message: `no ${version}` } } }
          : webhook.converted(sent);
    const act = async (title: string, fault: Fault | undefined, request: () => Promise<Answer>) => {
      webhook.answer = fault && ((sent, response) => fault(sent, response, webhook));
      outcomes[title] = outcomeOf(await request());
    };
    const created = (name: string) => endpoint('Fault', 'v1', name, { host: 'h', port: '2' });
    await act('create, not convertible to storage', failTo('v2'), () => session.post(path, created('a')));
    await act('it is not stored', undefined, () => session.get(`${path}/a`));
    await act('create, not convertible from storage', failTo('v1'), () => session.post(path, created('a')));
    await act('it is stored', undefined, () => session.get(`${path}/a`));
    await act('create what exists', failTo('v2'), () => session.post(path, created('a')));
    await act('a dry run', failTo('v2'), () => session.post(`${path}?dryRun=All`, created('dry')));
    await act('an invalid object', failTo('v2'), () =>
      session.post(path, { ...created('x'), spec: { host: 1 } }),
    );
    await act('update', failTo('v2'), () => session.merge(`${path}/a`, { spec: { host: 'new' } }));
    await act('it did not change', undefined, () => session.get(`${path}/a`));
    await act('update in the version of the storage', failTo('v1'), () =>
      session.merge(`${pathOf('Fault', 'v2')}/stored`, { spec: { note: 'x' } }),
    );
    await act('delete', failTo('v1'), () => session.delete(`${path}/a`));
    await act('it is still there', undefined, () => session.get(`${path}/a`));
    await act('delete in the version of the storage', failTo('v1'), () =>
      session.delete(`${pathOf('Fault', 'v2')}/a`),
    );
    await act('it is gone', undefined, () => session.get(`${path}/a`));
    await act('delete what does not exist', failTo('v1'), () => session.delete(`${path}/a`));
    const large = { host: megabytes.slice(0, 1_600_000) };
    const enlarging: Fault = (sent) => {
      const review = webhook.converted(sent);
      if (sent.request.desiredAPIVersion.endsWith('v2'))
        review.response.convertedObjects[0].spec.address = large.host;
      return review;
    };
    await act('an object that the webhook enlarges', enlarging, () => session.post(path, created('large')));
    await act('status of the storage version', failTo('v1'), () =>
      session.merge(`${pathOf('Fault', 'v2')}/stored/status`, { status: { ready: true } }),
    );
    await expect(asRecorded(outcomes)).toMatchFileSnapshot(recorded('writes'));
  });

  test('addresses that do not work', async () => {
    const { session } = server;
    const other = await ConversionWebhook.start(convertEndpoint, { subject: 'other' });
    const plain = await ConversionWebhook.start(convertEndpoint);
    const { caBundle } = webhook.conversion().webhook.clientConfig;
    const { url } = other.conversion().webhook.clientConfig;
    const closed = plain.url;
    await plain.close();
    webhook.answer = undefined;
    const configs: Record<string, object> = {
      'a certificate of another authority': { url, caBundle },
      'nothing listens': { url: closed, caBundle },
      'no such service': { service: { namespace: 'default', name: 'missing', path: '/convert' } },
    };
    const outcomes: Record<string, unknown> = {};
    for (const [title, clientConfig] of Object.entries(configs)) {
      const crd = `${crdsPath}/oldfaults.conformance.example.com`;
      await session.merge(crd, {
        spec: {
          conversion: {
            webhook: { clientConfig: { url: null, service: null, caBundle: null, ...clientConfig } },
          },
        },
      });
      const read = () => session.get(`${pathOf('OldFault')}/stored`);
      // A real server uses a new definition a little later.
      await until(async () => (await read()).code === 500);
      outcomes[title] = outcomeOf(await read());
      await session.merge(crd, {
        spec: {
          conversion: {
            webhook: { clientConfig: { service: null, ...webhook.conversion().webhook.clientConfig } },
          },
        },
      });
      await until(async () => (await read()).code === 200);
    }
    await expect(asRecorded(outcomes)).toMatchFileSnapshot(recorded('addresses'));
    await other.close();
  });
});
