import { beforeAll, expect, test } from 'vitest';
import { configMaps, crdOf, crdsPath, installCrd, objectOf, pathOf } from '../../support/fixtures.ts';
import { normalize, refusal } from '../../support/normalize.ts';
import { onEachServer } from '../../support/on-each-server.ts';
import { asRecorded } from '../../support/recorded.ts';

const hold = 'example.com/hold';

/** The file that records the outcome of a request. */
function fileOf(query: string, body: object | undefined, prefix = ''): string {
  const sent = body === undefined ? 'no body' : `body ${JSON.stringify(body)}`;
  const name = `${query || 'no query'} ${sent}`.replaceAll(/[^A-Za-z0-9]+/g, '-');
  return `../recorded/deletion-policies/${prefix}${name.replaceAll(/^-|-$/g, '')}.yaml`;
}

onEachServer('deletion policies', (server) => {
  beforeAll(async () => {
    await installCrd(server.session, crdOf('Policy', {}));
  });

  let count = 0;
  /** Creates a ConfigMap. @returns its path */
  const create = async (finalizers: string[] = []) => {
    count += 1;
    const name = `c${count}`;
    await server.session.post(configMaps, { metadata: { name, finalizers } });
    return `${configMaps}/${name}`;
  };
  /** The outcome of a deletion: the code, and the remaining finalizers, if any. */
  const outcome = async (path: string, query: string, body?: unknown) => {
    const { code, body: answer } = await server.session.delete(`${path}${query}`, body);
    const left = await server.session.get(path);
    return {
      code,
      answer: answer.kind,
      left: left.code === 404 ? 'nothing' : (left.body.metadata.finalizers ?? []),
    };
  };

  test.each([
    ['?propagationPolicy=Foreground', undefined],
    ['?propagationPolicy=Background', undefined],
    ['?propagationPolicy=Orphan', undefined],
    ['?orphanDependents=true', undefined],
    ['?orphanDependents=false', undefined],
    ['?orphanDependents=0', undefined],
    ['', { propagationPolicy: 'Foreground' }],
    ['', { propagationPolicy: 'Orphan' }],
    ['', { orphanDependents: true }],
    ['', { orphanDependents: false }],
    ['', { kind: 'DeleteOptions', apiVersion: 'v1', propagationPolicy: 'Background' }],
    ['', { kind: 'DeleteOptions', apiVersion: 'meta.k8s.io/v1', propagationPolicy: 'Orphan' }],
    ['?propagationPolicy=Orphan', { propagationPolicy: 'Background' }],
    ['?propagationPolicy=Orphan', {}],
    ['', { nobody: 'knows', gracePeriodSeconds: 30 }],
  ])('%s %j', async (query, body) => {
    const results = [];
    for (const finalizers of [[], [hold], ['orphan'], ['foregroundDeletion', hold]])
      results.push({ finalizers, ...(await outcome(await create(finalizers), query, body)) });
    await expect(asRecorded(results)).toMatchFileSnapshot(fileOf(query, body));
  });

  test('options of another type are refused', async () => {
    const bodies = [
      '{"kind":["x"]}',
      '{"kind":1}',
      '{"kind":{}}',
      '{"apiVersion":1}',
      '{"apiVersion":[],"kind":"Pod"}',
      '{"kind":null,"apiVersion":null}',
      '{"kind":"","apiVersion":""}',
      '{"kind":"Pod"}',
      '{"kind":"Pod","apiVersion":"v1"}',
      '{"kind":"Pod","apiVersion":"a/b/c"}',
      '{"kind":"DeleteOptions","apiVersion":"unknown/v1"}',
      '{"kind":"DeleteOptions","apiVersion":"a/b/c"}',
      '{"apiVersion":"x"}',
      '[]',
      '1',
      '"x"',
      'null',
      '{"propagationPolicy":[]}',
      '{"dryRun":"All"}',
    ];
    const answers: Record<string, string> = {};
    for (const raw of bodies) {
      const { code, body } = await server.session.send(
        'DELETE',
        '/api/v1/namespaces/default/secrets/missing',
        {
          raw,
          contentType: 'application/json',
        },
      );
      answers[raw] = `${code} ${body.message}`;
    }
    await expect(asRecorded(answers)).toMatchFileSnapshot('../recorded/deletion-policies/other-types.yaml');
    const deep = `${'['.repeat(9000)}${']'.repeat(9000)}`;
    const { body } = await server.session.send('DELETE', '/api/v1/namespaces/default/secrets/missing', {
      raw: `{"kind":${deep}}`,
      contentType: 'application/json',
    });
    expect(body.message).toMatch(/cannot unmarshal array into Go struct field \.kind of type string$/);
  });

  test('the latest policy applies', async () => {
    const path = await create([hold]);
    const steps = [];
    for (const policy of ['Foreground', 'Orphan', undefined, 'Foreground', 'Background'])
      steps.push(await outcome(path, '', policy === undefined ? undefined : { propagationPolicy: policy }));
    await expect(asRecorded(steps)).toMatchFileSnapshot('../recorded/deletion-policies/latest.yaml');
  });

  test('a background deletion ends the wait of a foreground deletion', async () => {
    const path = await create();
    await server.session.delete(`${path}?propagationPolicy=Foreground`);
    expect(await outcome(path, '?propagationPolicy=Background')).toMatchObject({ left: 'nothing' });
  });

  test.each([
    ['replicationcontrollers', '/api/v1/namespaces/default/replicationcontrollers', { spec: {} }],
    ['events', '/api/v1/namespaces/default/events', { involvedObject: { namespace: 'default' } }],
    ['secrets', '/api/v1/namespaces/default/secrets', {}],
    ['custom resources', pathOf('Policy'), objectOf('Policy', 'unnamed', {})],
  ])('what %s do by themselves', async (name, collection, object) => {
    const template = { metadata: { labels: { a: 'b' } }, spec: { containers: [{ name: 'a', image: 'a' }] } };
    const body = name.startsWith('replication') ? { spec: { selector: { a: 'b' }, template } } : object;
    const results = [];
    for (const query of ['', '?propagationPolicy=Background', '?propagationPolicy=Foreground']) {
      const created = await server.session.post(collection, { ...body, metadata: { name: 'by-itself' } });
      expect(created.code).toBe(201);
      results.push(await outcome(`${collection}/by-itself`, query));
      await server.session.merge(`${collection}/by-itself`, { metadata: { finalizers: null } });
    }
    const file = `../recorded/deletion-policies/of-${name.replace(' ', '-')}.yaml`;
    await expect(asRecorded(results)).toMatchFileSnapshot(file);
  });

  test('deleting a job orphans its pods', async () => {
    const collection = '/apis/batch/v1/namespaces/default/jobs';
    const containers = [{ name: 'a', image: 'a' }];
    const template = { spec: { restartPolicy: 'Never', containers } };
    const created = await server.session.post(collection, { metadata: { name: 'a' }, spec: { template } });
    expect(created.code).toBe(201);
    expect(await outcome(`${collection}/a`, '')).toMatchObject({ left: ['orphan'] });
  });

  test.each([
    ['?propagationPolicy=nope', undefined],
    ['?propagationPolicy=', undefined],
    ['?propagationPolicy=orphan', undefined],
    ['?propagationPolicy=Orphan&orphanDependents=true', undefined],
    ['?propagationPolicy=Nope&orphanDependents=true&dryRun=Nope', undefined],
    ['?gracePeriodSeconds=soon', undefined],
    ['', { propagationPolicy: 'nil' }],
    ['', { propagationPolicy: '' }],
    ['', { propagationPolicy: 'Orphan', orphanDependents: false }],
    ['', { dryRun: ['Some'] }],
  ])('refuses %s %j', async (query, body) => {
    const answer = refusal(await server.session.delete(`${await create()}${query}`, body));
    await expect(asRecorded(answer)).toMatchFileSnapshot(fileOf(query, body, 'refused-'));
  });

  test.each([
    ['gracePeriodSeconds', 'soon'],
    ['orphanDependents', 'yes'],
    ['propagationPolicy', 1],
    ['dryRun', 'All'],
    ['preconditions', 'none'],
  ])('a body whose %s has the wrong type is refused', async (field, value) => {
    const { code, body } = await server.session.delete(await create(), { [field]: value });
    expect([code, body.reason]).toStrictEqual([400, 'BadRequest']);
    expect(body.message).toContain('json: cannot unmarshal');
  });

  test('options may be YAML, and unknown media types are refused', async () => {
    const yaml = { raw: 'propagationPolicy: Orphan\n', contentType: 'application/yaml' };
    const path = await create();
    expect((await server.session.send('DELETE', path, yaml)).body.metadata.finalizers).toStrictEqual([
      'orphan',
    ]);
    const text = { raw: '{}', contentType: 'text/plain' };
    expect(refusal(await server.session.send('DELETE', await create(), text))).toMatchObject({
      code: 415,
      reason: 'UnsupportedMediaType',
    });
    expect((await server.session.send('DELETE', await create(), { raw: '{' })).code).toBe(400);
    expect((await server.session.delete(await create(), { kind: 'ConfigMap', apiVersion: 'v1' })).code).toBe(
      400,
    );
  });

  test('a dry run changes nothing', async () => {
    const path = await create([hold]);
    const { metadata } = (await server.session.get(path)).body;
    const { body } = await server.session.delete(`${path}?dryRun=All&propagationPolicy=Foreground`);
    expect(body.metadata).toMatchObject({
      finalizers: [hold, 'foregroundDeletion'],
      deletionTimestamp: expect.any(String),
    });
    expect((await server.session.get(path)).body.metadata).toStrictEqual(metadata);
    const free = await create();
    expect((await server.session.delete(free, { dryRun: ['All'] })).body).toMatchObject({
      status: 'Success',
    });
    expect((await server.session.get(free)).code).toBe(200);
  });

  test('namespaces keep their own policies', async () => {
    const results = [];
    for (const query of [
      '',
      '?propagationPolicy=Foreground',
      '?propagationPolicy=Orphan',
      '?orphanDependents=false',
      '?orphanDependents=true',
    ]) {
      count += 1;
      const path = `/api/v1/namespaces/n${count}`;
      await server.session.post('/api/v1/namespaces', {
        metadata: { name: `n${count}`, finalizers: [hold] },
      });
      const { code, body } = await server.session.delete(`${path}${query}`);
      const again = await server.session.delete(path);
      results.push({
        query,
        code,
        finalizers: body.metadata.finalizers.toSorted(),
        grace: body.metadata.deletionGracePeriodSeconds ?? 'none',
        phase: body.status.phase,
        changedBySecond: again.body.metadata.resourceVersion !== body.metadata.resourceVersion,
      });
    }
    await expect(asRecorded(results)).toMatchFileSnapshot('../recorded/deletion-policies/namespaces.yaml');
  });

  test('failed preconditions of a deletion in steps have a different message', async () => {
    const crd = `${crdsPath}/policys.conformance.example.com`;
    const results = [];
    for (const path of ['/api/v1/namespaces/kube-node-lease', crd]) {
      for (const preconditions of [{ uid: 'zz' }, { resourceVersion: '1' }]) {
        const { metadata } = (await server.session.get(path)).body;
        const answer: any = refusal(await server.session.delete(path, { preconditions }));
        results.push({
          ...answer,
          message: answer.message
            .replace(metadata.uid, '<uid>')
            .replace(new RegExp(`meta: ${metadata.resourceVersion}$`), 'meta: <version>'),
        });
      }
    }
    await expect(asRecorded(results)).toMatchFileSnapshot('../recorded/deletion-policies/preconditions.yaml');
  });

  test('invalid options are refused before the object is looked up', async () => {
    const missing = await server.session.delete(`${configMaps}/missing`, { preconditions: { uid: 'zz' } });
    expect(refusal(missing)).toStrictEqual({
      code: 404,
      reason: 'NotFound',
      message: 'configmaps "missing" not found',
    });
    expect((await server.session.delete(`${configMaps}/missing?propagationPolicy=nope`)).code).toBe(422);
  });

  test('the same rules apply to a collection', async () => {
    const label = { labels: { collection: 'yes' } };
    const selected = `${configMaps}?labelSelector=collection%3Dyes`;
    for (const [name, finalizers] of [
      ['d1', []],
      ['d2', [hold]],
    ] as const)
      await server.session.post(configMaps, { metadata: { name, finalizers, ...label } });
    const refused = await server.session.delete(selected, { preconditions: { uid: 'zz' } });
    expect([refused.code, refused.body.reason]).toStrictEqual([409, 'Conflict']);
    const dry = await server.session.delete(`${selected}&dryRun=All`);
    expect(dry.body.items).toHaveLength(2);
    const answer = await server.session.delete(selected, { propagationPolicy: 'Orphan' });
    expect(normalize(answer.body)).toMatchObject({
      kind: 'ConfigMapList',
      items: [{ metadata: { name: 'd1' } }, { metadata: { name: 'd2', finalizers: [hold] } }],
    });
    const left = (await server.session.get(selected)).body.items;
    expect(left.map(({ metadata }: any) => metadata.finalizers)).toStrictEqual([
      ['orphan'],
      [hold, 'orphan'],
    ]);
    expect((await server.session.delete(`${configMaps}?propagationPolicy=nope`)).code).toBe(422);
    expect((await server.session.delete(`${configMaps}?labelSelector=none%3Dhere`)).body.items).toStrictEqual(
      [],
    );
  });
});
