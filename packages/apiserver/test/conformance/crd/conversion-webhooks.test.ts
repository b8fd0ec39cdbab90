import { afterAll, beforeAll, expect, test } from 'vitest';
import { sorted } from '../../support/apply-session.ts';
import { ConversionWebhook } from '../../support/conversion-webhook.ts';
import { crdsPath, installCrd, pathOf, until } from '../../support/fixtures.ts';
import { normalize } from '../../support/normalize.ts';
import { onEachServer } from '../../support/on-each-server.ts';
import { asRecorded } from '../../support/recorded.ts';
import { convertEndpoint, endpoint, endpointCrd } from '../../support/versioned-endpoint.ts';
import { Watcher } from '../../support/watcher.ts';

const versions = ['v1', 'v2', 'v3'];
const recorded = (name: string) => `../recorded/conversion-webhooks/${name}.yaml`;
const asTable = 'application/json;as=Table;v=v1;g=meta.k8s.io,application/json';
const asMetadata = 'application/json;as=PartialObjectMetadataList;v=v1;g=meta.k8s.io';

onEachServer('conversion webhooks', (server) => {
  let webhook: ConversionWebhook;
  beforeAll(async () => {
    webhook = await ConversionWebhook.start(convertEndpoint);
  });
  afterAll(() => webhook.close());

  const install = async (kind: string, change = (crd: any) => crd) => {
    await installCrd(server.session, change(endpointCrd(kind, webhook)));
  };
  const create = (kind: string, version: string, name: string, fields: object, labels?: object) => {
    const object = endpoint(kind, version, name, fields);
    if (labels) object.metadata.labels = labels;
    return server.session.post(pathOf(kind, version), object);
  };
  const summary = ({ type, object }: any) => ({
    type,
    apiVersion: object.apiVersion,
    name: object.metadata.name,
    labels: object.metadata.labels,
    spec: object.spec && sorted(object.spec),
  });

  test.each(['v1', 'v1beta1'])('reads show an object in every version: reviews of %s', async (review) => {
    const kind = review === 'v1' ? 'Shown' : 'OldShown';
    await install(kind, (crd) => {
      crd.spec.conversion = webhook.conversion(['v7', review]);
      crd.spec.versions[0].additionalPrinterColumns = [
        { name: 'Host', type: 'string', jsonPath: '.spec.host' },
      ];
      return crd;
    });
    for (const version of versions)
      await create(kind, version, version, { host: version, port: '1', tls: true });
    const outcomes: Record<string, unknown> = {};
    for (const version of versions) {
      const path = pathOf(kind, version);
      const get = async (url: string, accept?: string) =>
        sorted(
          normalize((await server.session.send('GET', url, accept === undefined ? {} : { accept })).body),
        );
      outcomes[version] = {
        objects: await Promise.all(versions.map((name) => get(`${path}/${name}`))),
        list: await get(path),
        selected: (await get(`${path}?fieldSelector=metadata.name%3Dv2`)).items.length,
        rows: (await get(path, asTable)).rows.map(({ cells }: any) => cells[0]),
        columns: (await get(path, asTable)).columnDefinitions.map(({ name }: any) => name),
        metadata: (await get(path, asMetadata)).items.map(({ metadata }: any) => metadata.name),
        status: (await get(`${path}/v2/status`)).spec,
      };
    }
    await expect(asRecorded(outcomes)).toMatchFileSnapshot(recorded(`reads-${review}`));
    const sent = webhook.take();
    expect(new Set(sent.map(({ apiVersion }) => apiVersion))).toStrictEqual(
      new Set([`apiextensions.k8s.io/${review}`]),
    );
    for (const { request } of sent)
      for (const { apiVersion, metadata } of request.objects) {
        expect(apiVersion).not.toBe(request.desiredAPIVersion);
        expect(metadata.resourceVersion).toBeUndefined();
      }
  });

  test('a watch delivers the events in order, converted', async () => {
    const { session } = server;
    await install('Watched');
    await create('Watched', 'v2', 'early', { host: 'a' }, { color: 'red' });
    const path = pathOf('Watched');
    const all = await Watcher.start(session, `${path}?watch=1`);
    const red = await Watcher.start(session, `${pathOf('Watched', 'v3')}?watch=1&labelSelector=color%3Dred`);
    await Promise.all([all.until(1), red.until(1)]);
    await create('Watched', 'v1', 'late', { host: 'b', port: '1' }, { color: 'blue' });
    await session.merge(`${pathOf('Watched', 'v3')}/late`, { spec: { endpoint: { port: 2 } } });
    await session.merge(`${path}/late`, { metadata: { labels: { color: 'red' } } });
    await session.merge(`${path}/early`, { metadata: { labels: { color: 'blue' } } });
    await session.delete(`${pathOf('Watched', 'v2')}/late`);
    await session.delete(`${path}/early`);
    await all.until(7);
    await red.until(4);
    const outcomes = { all: all.events.map(summary), red: red.events.map(summary) };
    await expect(asRecorded(outcomes)).toMatchFileSnapshot(recorded('watches'));
    all.stop();
    red.stop();
  });

  test('a watch waits for a webhook that fails, and then continues', async () => {
    await install('Waiting');
    const watcher = await Watcher.start(server.session, `${pathOf('Waiting')}?watch=1`);
    await create('Waiting', 'v2', 'one', { host: 'a' });
    await watcher.until(1);
    webhook.answer = (_, response) => void response.writeHead(500).end();
    await create('Waiting', 'v2', 'two', { host: 'b' });
    await server.session.delete(`${pathOf('Waiting', 'v2')}/one`);
    webhook.take();
    await until(async () => webhook.take().length > 0);
    expect(watcher.summary()).toStrictEqual(['ADDED one']);
    webhook.answer = undefined;
    await watcher.until(3);
    expect(
      watcher.events.map(({ type, object }) => [type, object.metadata.name, object.spec.host]),
    ).toStrictEqual([
      ['ADDED', 'one', 'a'],
      ['ADDED', 'two', 'b'],
      ['DELETED', 'one', 'a'],
    ]);
    watcher.stop();
  });

  test('a write that changes nothing stores an object of an earlier storage version again, once', async () => {
    const { session } = server;
    const kind = 'Rewritten';
    await install(kind);
    await create(kind, 'v1', 'old', { host: 'a', port: '1' });
    const crd = endpointCrd(kind, webhook);
    for (const version of crd.spec.versions) version.storage = version.name === 'v3';
    await session.merge(`${crdsPath}/rewrittens.conformance.example.com`, {
      spec: { versions: crd.spec.versions },
    });
    // No write is converted to v2 any more.
    await until(async () => {
      await session.delete(`${pathOf(kind)}/probe`);
      webhook.take();
      await create(kind, 'v3', 'probe', {});
      return webhook.take().every(({ request }) => !request.desiredAPIVersion.endsWith('v2'));
    });
    await session.delete(`${pathOf(kind)}/probe`);
    const v3 = pathOf(kind, 'v3');
    const patched = async () => (await session.merge(`${v3}/old`, {})).body.metadata.resourceVersion;
    const before = (await session.get(`${v3}/old`)).body.metadata.resourceVersion;
    const after = await patched();
    expect([after === before, (await patched()) === after]).toStrictEqual([false, true]);
  });

  test('objects of an earlier storage version are converted too', async () => {
    const { session } = server;
    await install('Switched');
    await create('Switched', 'v1', 'old', { host: 'a', port: '1' });
    const crd = endpointCrd('Switched', webhook);
    for (const version of crd.spec.versions) version.storage = version.name === 'v3';
    await session.merge(`${crdsPath}/switcheds.conformance.example.com`, {
      spec: { versions: crd.spec.versions },
    });
    await until(async () => {
      await session.delete(`${pathOf('Switched')}/probe`);
      webhook.take();
      await create('Switched', 'v3', 'probe', {});
      return webhook.take().every(({ request }) => !request.desiredAPIVersion.endsWith('v2'));
    });
    await session.delete(`${pathOf('Switched')}/probe`);
    await create('Switched', 'v1', 'new', { host: 'b', port: '2' });
    const read = async (version: string) =>
      (await session.get(pathOf('Switched', version))).body.items.map(({ apiVersion, metadata, spec }: any) =>
        sorted({ apiVersion, name: metadata.name, spec }),
      );
    const outcomes: Record<string, unknown> = {};
    for (const version of versions) outcomes[version] = await read(version);
    const updated = await session.merge(`${pathOf('Switched')}/old`, { spec: { host: 'c' } });
    outcomes['updated'] = sorted(normalize(updated.body));
    outcomes['stored'] = await read('v3');
    await expect(asRecorded(outcomes)).toMatchFileSnapshot(recorded('storage-versions'));
  });

  test('field managers are lost when a webhook returns fields that a version does not have', async () => {
    const { session } = server;
    await install('Unknown');
    await create('Unknown', 'v1', 'one', { host: 'a', port: '1' });
    webhook.answer = (review) => {
      const answer = webhook.converted(review);
      for (const object of answer.response.convertedObjects) object.spec.unknown = 1;
      return answer;
    };
    const path = `${pathOf('Unknown', 'v2')}/one`;
    const applied = await session.send('PATCH', `${path}?fieldManager=me&force=true`, {
      body: endpoint('Unknown', 'v2', 'one', { host: 'b' }),
      contentType: 'application/apply-patch+yaml',
    });
    const merged = await session.merge(path, { spec: { note: 'x' } });
    webhook.answer = undefined;
    const outcomes = {
      applied: { code: applied.code, message: applied.body.message },
      merged: { spec: sorted(merged.body.spec), managers: merged.body.metadata.managedFields ?? 'none' },
    };
    await expect(asRecorded(outcomes)).toMatchFileSnapshot(recorded('unknown-fields'));
  });

  test('deletions return the object in the version of the request', async () => {
    const { session } = server;
    await install('Deleted');
    for (const name of ['a', 'b', 'c']) {
      const object = endpoint('Deleted', 'v1', name, { host: name, port: '1' });
      object.metadata.finalizers = ['example.com/hold'];
      await session.post(pathOf('Deleted'), object);
    }
    const outcomes: Record<string, unknown> = {};
    const show = (answer: { code: number; body: any }) => ({
      code: answer.code,
      body: sorted(normalize(answer.body)),
    });
    outcomes['held'] = show(await session.delete(`${pathOf('Deleted', 'v3')}/a`));
    outcomes['dry run'] = show(await session.delete(`${pathOf('Deleted', 'v3')}/b?dryRun=All`));
    outcomes['released'] = show(
      await session.merge(`${pathOf('Deleted', 'v3')}/a`, { metadata: { finalizers: [] } }),
    );
    outcomes['gone'] = (await session.get(`${pathOf('Deleted')}/a`)).code;
    outcomes['all'] = show(await session.delete(pathOf('Deleted', 'v1')));
    await expect(asRecorded(outcomes)).toMatchFileSnapshot(recorded('deletions'));
  });

  test('the strategy None sets the defaults of the stored version only', async () => {
    const { session } = server;
    await install('Plain', (crd) => ({ ...crd, spec: { ...crd.spec, conversion: { strategy: 'None' } } }));
    await session.post(pathOf('Plain'), endpoint('Plain', 'v1', 'one', { host: 'a', port: '1' }));
    await session.post(pathOf('Plain', 'v3'), endpoint('Plain', 'v3', 'two', { host: 'b', port: '2' }));
    const outcomes: Record<string, unknown> = {};
    for (const version of versions)
      outcomes[version] = (await session.get(pathOf('Plain', version))).body.items.map(
        ({ spec }: any) => spec ?? null,
      );
    await expect(asRecorded(outcomes)).toMatchFileSnapshot(recorded('none'));
  });
});
