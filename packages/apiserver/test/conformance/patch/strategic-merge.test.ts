import { expect, test } from 'vitest';
import { sorted } from '../../support/apply-session.ts';
import { crdOf, configMaps, installCrd, objectOf, pathOf } from '../../support/fixtures.ts';
import { normalize, refusal } from '../../support/normalize.ts';
import { onEachServer } from '../../support/on-each-server.ts';
import { asRecorded } from '../../support/recorded.ts';
import type { Answer } from '../../support/session.ts';
import { type PatchedObject, misfits, patchedObjects } from './strategic-merge-cases.ts';

const podTemplates = '/api/v1/namespaces/default/podtemplates';
const contentType = 'application/strategic-merge-patch+json';

const at = (value: any, field: string) => field.split('.').reduce((part, key) => part?.[key], value);

onEachServer('strategic merge patches', (server) => {
  const smp = (path: string, body: unknown): Promise<Answer> =>
    server.session.send('PATCH', path, { body, contentType });

  async function create(path: string, name: string, object: any): Promise<string> {
    const metadata = { ...object.metadata, name };
    const { code, body } = await server.session.post(path, { ...object, metadata });
    if (code !== 201) throw new Error(JSON.stringify(body));
    return `${path}/${name}`;
  }

  async function outcome({ path, object, subresource, field }: PatchedObject, name: string, value: unknown) {
    const url = await create(path, name, object);
    const patch = field.split('.').reduceRight<unknown>((inner, key) => ({ [key]: inner }), value);
    const answer = await smp(subresource === undefined ? url : `${url}/${subresource}`, patch);
    const { code, body, warnings } = answer;
    if (code !== 200) return refusal(answer);
    return { value: sorted(normalize(at(body, field))) ?? null, ...(warnings.length > 0 && { warnings }) };
  }

  test.each(Object.entries(patchedObjects))('%s', async (subject, patched) => {
    const outcomes: Record<string, unknown> = {};
    for (const [index, [title, value]] of Object.entries(patched.patches).entries()) {
      const name = `${subject.toLowerCase().replaceAll(' ', '-')}-${index}`;
      outcomes[title] = await outcome(patched, name, value);
    }
    await expect(asRecorded(outcomes)).toMatchFileSnapshot(
      `../recorded/strategic-merge/${subject.toLowerCase().replaceAll(' ', '-')}.yaml`,
    );
  });

  test('patches that do not match the object are refused', async () => {
    const outcomes: Record<string, unknown> = {};
    const object = {
      metadata: { finalizers: ['a.b/c'], labels: { x: 'y' } },
      template: {
        metadata: { labels: { x: 'y' } },
        spec: {
          containers: [{ name: 'a', image: 'i', livenessProbe: { httpGet: { port: 80 } } }],
          tolerations: [{ key: 'x', operator: 'Exists' }],
        },
      },
    };
    for (const [index, [title, patch]] of Object.entries(misfits).entries()) {
      const answer = await smp(await create(podTemplates, `misfit-${index}`, object), patch);
      outcomes[title] = answer.code === 200 ? 'fits' : refusal(answer);
    }
    await expect(asRecorded(outcomes)).toMatchFileSnapshot('../recorded/strategic-merge/misfits.yaml');
  });

  test('conditions are merged by their type, again and again', async () => {
    const pod = { spec: { containers: [{ name: 'a', image: 'i' }] } };
    const url = await create('/api/v1/namespaces/default/pods', 'conditions', pod);
    const patches = [
      [
        { type: 'Ready', status: 'False' },
        { type: 'Initialized', status: 'True' },
      ],
      [{ type: 'Ready', status: 'True', reason: 'r' }],
      [{ type: 'ContainersReady', status: 'True' }],
      [{ type: 'Initialized', $patch: 'delete' }],
    ];
    const seen = [];
    for (const conditions of patches) {
      const { body } = await smp(`${url}/status`, { status: { conditions }, spec: { nodeName: 'ignored' } });
      expect(body.spec.nodeName).toBeUndefined();
      seen.push(body.status.conditions.map(({ type, status, reason }: any) => [type, status, reason ?? '']));
    }
    await expect(asRecorded(seen)).toMatchFileSnapshot('../recorded/strategic-merge/conditions.yaml');
  });

  test('a patch that changes nothing keeps the version', async () => {
    const url = await create(configMaps, 'noop', {
      metadata: { finalizers: ['a.b/c'], labels: { a: 'b' } },
      data: { x: '1' },
    });
    const before = (await server.session.get(url)).body;
    const patches = [
      {},
      null,
      { data: { x: '1' } },
      { data: { y: null } },
      { metadata: { finalizers: ['a.b/c'] } },
      { metadata: { labels: { a: 'b' }, resourceVersion: before.metadata.resourceVersion } },
      { metadata: { '$deleteFromPrimitiveList/finalizers': ['a.b/x'] } },
      { kind: 'Other', apiVersion: 'v7' },
      { status: { nope: 1 } },
    ];
    for (const patch of patches) {
      const { code, body } = await smp(url, patch);
      expect([patch, code, body.metadata]).toStrictEqual([patch, 200, before.metadata]);
    }
  });

  test('a dry run answers with the result and stores nothing', async () => {
    const url = await create(configMaps, 'dry', { data: { x: '1' } });
    const before = (await server.session.get(url)).body;
    const { code, body } = await smp(`${url}?dryRun=All`, { data: { y: '2' } });
    expect([code, body.data]).toStrictEqual([200, { x: '1', y: '2' }]);
    expect((await server.session.get(url)).body).toStrictEqual(before);
  });

  test('unknown fields are dropped, with a warning or a refusal', async () => {
    const url = await create(configMaps, 'unknown', { data: { x: '1' } });
    const raw = '{"nope":1,"data":{"a":"1","a":"2"},"metadata":{"foo":{"b":1},"__proto__":{"c":1}}}';
    const outcomes = [];
    for (const fieldValidation of ['', 'Ignore', 'Warn', 'Strict']) {
      const query = `?fieldValidation=${fieldValidation}`;
      const answer = await server.session.send('PATCH', `${url}${query}`, { raw, contentType });
      const { code, body, warnings } = answer;
      if (code !== 200) outcomes.push(refusal(answer));
      else
        outcomes.push({
          data: sorted(body.data),
          keys: Object.keys(body).toSorted(),
          foo: body.metadata.foo ?? null,
          warnings,
        });
    }
    await expect(asRecorded(outcomes)).toMatchFileSnapshot('../recorded/strategic-merge/unknown-fields.yaml');
  });

  test('a body that is not a patch is refused', async () => {
    const url = await create(configMaps, 'bodies', {});
    for (const [raw, message] of [
      ['[]', 'json: cannot unmarshal array into Go value of type map[string]interface {}'],
      ['"x"', 'json: cannot unmarshal string into Go value of type map[string]interface {}'],
      ['3', 'json: cannot unmarshal number into Go value of type map[string]interface {}'],
    ] as const) {
      const { body } = await server.session.send('PATCH', url, { raw, contentType });
      expect(body).toMatchObject({ code: 400, reason: 'BadRequest', message });
    }
    for (const raw of ['x', '', '{"a":', '{} {}']) {
      expect((await server.session.send('PATCH', url, { raw, contentType })).code).toBe(400);
    }
  });

  test('the media type decides how a patch is read', async () => {
    const kind = 'MediaType';
    await installCrd(server.session, crdOf(kind, { a: { type: 'string' } }));
    await server.session.post(pathOf(kind), objectOf(kind, 'a', { a: 'b' }));
    await create(configMaps, 'media-type', {});
    const types = [
      'application/strategic-merge-patch+json',
      'application/strategic-merge-patch+json; charset=utf-8',
      'application/strategic-merge-patch+json ; charset=utf-8',
      'Application/Strategic-Merge-Patch+json',
      'application/json',
      'application/yaml',
      'text/plain',
      '*/*',
      'application/json, application/merge-patch+json',
      'application/merge-patch+json;charset=utf-8',
    ];
    const outcomes: Record<string, unknown> = {};
    for (const type of types) {
      for (const [resource, url] of [
        ['built-in', `${configMaps}/media-type`],
        ['custom', `${pathOf(kind)}/a`],
        ['missing', `${pathOf(kind)}/missing`],
        ['bad options', `${configMaps}/media-type?dryRun=x`],
      ] as const) {
        const answer = await server.session.send('PATCH', url, { raw: '{}', contentType: type });
        outcomes[`${type} for ${resource}`] = answer.code === 200 ? 'ok' : refusal(answer);
      }
    }
    await expect(asRecorded(outcomes)).toMatchFileSnapshot('../recorded/strategic-merge/media-types.yaml');
  });
});
