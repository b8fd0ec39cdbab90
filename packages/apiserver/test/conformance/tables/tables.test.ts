import { beforeAll, expect, test } from 'vitest';
import { certificate, certificateRequests } from '../../support/certificate-requests.ts';
import { configMaps, crdOf, installCrd, objectOf, pathOf } from '../../support/fixtures.ts';
import { onEachServer } from '../../support/on-each-server.ts';
import { asRecorded } from '../../support/recorded.ts';
import { type TableObject, others, pods, workloads } from './table-objects.ts';
import { Watcher } from '../../support/watcher.ts';

const accept = 'application/json;as=Table;v=v1;g=meta.k8s.io';

/** Cells with normalized ages and times: these objects are seconds or years old. */
function cellsOf(cells: unknown[]): unknown[] {
  return cells.map((cell) => {
    if (typeof cell !== 'string') return cell;
    return cell
      .replace(/^\d+s$/, 'SECONDS')
      .replace(/\b\d+y\d*d?\b/, 'YEARS')
      .replace(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/, 'TIME');
  });
}

/** Columns without the texts that each server adds. */
function columnsOf(columns: any[]): string[] {
  return columns.map(
    ({ name, type, format, priority }) => `${name} ${type}${format === '' ? '' : ` ${format}`} ${priority}`,
  );
}

onEachServer('tables', (server) => {
  const columns = [
    ['Text', 'string', '.spec.text'],
    ['Count', 'integer', '.spec.count'],
    ['Ratio', 'number', '.spec.ratio'],
    ['On', 'boolean', '.spec.on'],
    ['When', 'date', '.spec.when'],
    ['First', 'string', '.spec.list[*]'],
    ['All', 'string', '.spec.list'],
    ['Last', 'string', '.spec.list[-1]'],
    ['Slice', 'string', '.spec.list[1:]'],
    ['Beyond', 'string', '.spec.list[7]'],
    ['Union', 'string', ".spec['none','text']"],
    ['Ready', 'string', '.status.conditions[?(@.type=="Ready")].status'],
    ['Filtered', 'string', '.status.conditions[?(@.count>1)].type'],
    ['Exists', 'string', '.status.conditions[?(@.count)].type'],
    ['Object', 'string', '.spec.object'],
    ['Wrong', 'integer', '.spec.text'],
    ['Number', 'string', '.spec.count'],
    ['Decimal', 'string', '.spec.ratio'],
    ['Null', 'string', '.spec.nothing'],
    ['Label', 'string', ".metadata.labels['a\\.b/c']"],
    ['Escaped', 'string', '.metadata.labels.a\\.b/c'],
    ['Deep', 'string', '..ready'],
    ['Age', 'date', '.metadata.creationTimestamp'],
  ].map(([name, type, jsonPath]) => ({ name, type, jsonPath }));
  beforeAll(async () => {
    const any: any = { type: 'object', 'x-kubernetes-preserve-unknown-fields': true };
    const crd = crdOf('Row', {});
    Object.assign(crd.spec.versions[0], { additionalPrinterColumns: columns });
    crd.spec.versions[0].schema.openAPIV3Schema.properties = { spec: any, status: any };
    delete crd.spec.versions[0].subresources;
    await installCrd(server.session, crd);
    await installCrd(server.session, crdOf('Plain', {}));
  });

  const table = async (path: string) => (await server.session.send('GET', path, { accept })).body;

  /** Creates an object, sets its status, and shows it. */
  async function show({ path, object, status }: TableObject): Promise<unknown> {
    const { code, body } = await server.session.post(path, object);
    if (code !== 201) throw new Error(JSON.stringify(body));
    const own = `${path}/${object.metadata.name}`;
    if (status !== undefined) {
      const updated = await server.session.merge(`${own}/status`, { status });
      if (updated.code !== 200) throw new Error(JSON.stringify(updated.body));
    }
    const { rows, columnDefinitions } = await table(own);
    const [{ cells, conditions }] = rows;
    return {
      columns: columnsOf(columnDefinitions),
      cells: cellsOf(cells),
      ...(conditions && { conditions }),
    };
  }

  test.each([...workloads, ...others])('a row of a $title', async (shown) => {
    await expect(asRecorded(await show(shown))).toMatchFileSnapshot(`../recorded/tables/${shown.title}.yaml`);
  });

  test('a row of a CertificateSigningRequest', async () => {
    const path = '/apis/certificates.k8s.io/v1/certificatesigningrequests';
    const signerName = 'example.com/signer';
    const { body } = await server.session.post(path, {
      metadata: { name: 'shown' },
      spec: {
        request: certificateRequests.good,
        signerName,
        usages: ['client auth'],
        expirationSeconds: 5400,
      },
    });
    const shown: unknown[] = [];
    const look = async () => {
      const [{ cells }] = (await table(`${path}/shown`)).rows;
      shown.push(
        cellsOf(cells.map((cell: unknown) => (cell === (body.spec.username ?? '') ? 'USER' : cell))),
      );
    };
    const decide = (type: string, part: string, rest: object = {}) =>
      server.session.merge(`${path}/shown/${part}`, {
        status: { conditions: [...conditions, { type, status: 'True', reason: 'R' }], ...rest },
      });
    const conditions: object[] = [];
    await look();
    await decide('Approved', 'approval');
    await look();
    conditions.push({ type: 'Approved', status: 'True', reason: 'R' });
    await decide('Failed', 'status', { certificate });
    await look();
    await server.session.post(path, {
      metadata: { name: 'plain' },
      spec: { request: certificateRequests.good, signerName, usages: ['client auth'] },
    });
    await server.session.merge(`${path}/plain/approval`, {
      status: { conditions: [{ type: 'Denied', status: 'True', reason: 'R' }] },
    });
    const [{ cells }] = (await table(`${path}/plain`)).rows;
    shown.push([cells[4], cells[5]]);
    await expect(asRecorded(shown)).toMatchFileSnapshot('../recorded/tables/CertificateSigningRequest.yaml');
  });

  test('rows of pods', async () => {
    const rows: Record<string, unknown> = {};
    for (const pod of pods) rows[pod.title] = await show(pod);
    await expect(asRecorded(rows)).toMatchFileSnapshot('../recorded/tables/pods.yaml');
  });

  test('columns of every built-in resource that is served', async () => {
    const { body } = await server.session.send('GET', '/apis', {
      accept: 'application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList',
    });
    const paths = body.items
      .filter(({ metadata }: any) => /^(apps|batch|policy|.*\.k8s\.io)$/.test(metadata.name))
      .flatMap(({ metadata, versions }: any) =>
        versions.flatMap(({ version, resources }: any) =>
          resources
            .filter(({ verbs }: any) => verbs.includes('watch'))
            .map(({ resource }: any) => `/apis/${metadata.name}/${version}/${resource}`),
        ),
      );
    const shown: Record<string, string[]> = {};
    for (const path of paths)
      if (!unlike.test(path)) shown[path] = columnsOf((await table(path)).columnDefinitions);
    await expect(asRecorded(shown)).toMatchFileSnapshot('../recorded/tables/columns.yaml');
  });

  test('columns of custom resources', async () => {
    const rows = pathOf('Row');
    const full = {
      ...objectOf('Row', 'full', {
        text: 'a <b>',
        count: 3,
        ratio: 2.5,
        on: true,
        when: '2020-01-01T00:00:00Z',
        list: ['x', 'y', 'z'],
        object: { b: [1, { d: null }], a: '<&>' },
        nothing: null,
      }),
      status: {
        conditions: [
          { type: 'A', status: 'False', count: 1 },
          { type: 'Ready', status: 'True', count: 2, ready: 'deep' },
        ],
      },
    };
    full.metadata.labels = { 'a.b/c': 'label' };
    const odd = objectOf('Row', 'odd', {
      text: 5,
      count: 'x',
      on: 'yes',
      when: 'never',
      list: 'no list',
      ratio: 1,
    });
    for (const object of [full, odd, objectOf('Row', 'empty', {})]) {
      expect((await server.session.post(rows, object)).code).toBe(201);
    }
    const { columnDefinitions, rows: shown, ...rest } = await table(rows);
    expect(rest).toStrictEqual({
      kind: 'Table',
      apiVersion: 'meta.k8s.io/v1',
      metadata: { resourceVersion: expect.any(String) },
    });
    expect(columnDefinitions[1].description).toBe(
      'Custom resource definition column (in JSONPath format): .spec.text',
    );
    const recorded = {
      columns: columnsOf(columnDefinitions),
      rows: shown.map(({ cells }: any) =>
        Object.fromEntries(cellsOf(cells).map((cell, index) => [columnDefinitions[index].name, cell])),
      ),
    };
    await expect(asRecorded(recorded)).toMatchFileSnapshot('../recorded/tables/custom.yaml');
  });

  test('a custom resource without columns shows its age', async () => {
    await server.session.post(pathOf('Plain'), objectOf('Plain', 'one', {}));
    const { columnDefinitions, rows } = await table(pathOf('Plain'));
    expect(columnsOf(columnDefinitions)).toStrictEqual(['Name string name 0', 'Age date 0']);
    expect(cellsOf(rows[0].cells)).toStrictEqual(['one', 'SECONDS']);
  });

  test('rows contain metadata, the object, or neither', async () => {
    const path = `${configMaps}/included`;
    const { body: object } = await server.session.post(configMaps, {
      metadata: { name: 'included' },
      data: { a: 'b' },
    });
    const metadata = {
      kind: 'PartialObjectMetadata',
      apiVersion: 'meta.k8s.io/v1',
      metadata: object.metadata,
    };
    expect((await table(path)).rows[0].object).toStrictEqual(metadata);
    expect((await table(`${path}?includeObject=Metadata`)).rows[0].object).toStrictEqual(metadata);
    expect((await table(`${path}?includeObject=Object`)).rows[0].object).toStrictEqual(object);
    expect((await table(`${path}?includeObject=None`)).rows[0].object).toBeNull();
    expect(await table(`${path}?includeObject=Foo`)).toMatchObject({
      code: 400,
      message: `Unable to convert to Table as requested: includeObject: Invalid value: "Foo": must be 'Metadata', 'Object', 'None', or empty`,
    });
    expect((await table(path)).metadata).toStrictEqual({ resourceVersion: object.metadata.resourceVersion });
  });

  test('each page of a list is a table', async () => {
    const list = '/api/v1/namespaces/paged/configmaps';
    await server.session.post('/api/v1/namespaces', { metadata: { name: 'paged' } });
    for (const name of ['a', 'b', 'c']) await server.session.post(list, { metadata: { name } });
    const first = await table(`${list}?limit=2`);
    expect(first.rows.map(({ cells }: any) => cells[0])).toStrictEqual(['a', 'b']);
    expect(first.metadata.remainingItemCount).toBe(1);
    const rest = await table(`${list}?limit=2&continue=${first.metadata.continue}`);
    expect(rest.rows.map(({ cells }: any) => cells[0])).toStrictEqual(['c']);
    expect((await table('/api/v1/namespaces/none/configmaps')).rows).toStrictEqual([]);
  });

  test('a watch sends the columns once', async () => {
    const list = '/api/v1/namespaces/watched/configmaps';
    await server.session.post('/api/v1/namespaces', { metadata: { name: 'watched' } });
    await server.session.post(list, { metadata: { name: 'a' } });
    await server.session.post(list, { metadata: { name: 'b' }, data: { x: 'y' } });
    const watcher = await Watcher.start(server.session, `${list}?watch=1`, accept);
    await watcher.until(2);
    await server.session.delete(`${list}/a`);
    const events = await watcher.until(3);
    watcher.stop();
    expect(events.map(({ type }) => type)).toStrictEqual(['ADDED', 'ADDED', 'DELETED']);
    expect(events.map(({ object }) => object.columnDefinitions?.length)).toStrictEqual([
      3,
      undefined,
      undefined,
    ]);
    expect(events[1].object).toMatchObject({ kind: 'Table', columnDefinitions: null });
    expect(events.map(({ object }) => object.rows[0].cells.slice(0, 2))).toStrictEqual([
      ['a', 0],
      ['b', 1],
      ['a', 0],
    ]);
  });
});

/** Resources that the embedded server shows with their name and creation time only, or does not serve. */
const unlike =
  /apiregistration|flowcontrol|csidrivers|resourceclaims$|resourceslices|ipaddresses|servicecidrs|volumeattributesclasses|events.k8s.io/;
