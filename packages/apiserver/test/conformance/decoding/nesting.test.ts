import { beforeAll, describe, expect, test } from 'vitest';
import { configMaps, crdOf, installCrd, pathOf } from '../../support/fixtures.ts';
import { onEachServer } from '../../support/on-each-server.ts';
import { Watcher } from '../../support/watcher.ts';

const pots = pathOf('Pot');
const json = 'application/json';
const yaml = 'application/yaml';
const apply = 'application/apply-patch+yaml';
const mergePatch = 'application/merge-patch+json';
const jsonPatch = 'application/json-patch+json';

/** Nested lists. */
const lists = (depth: number) => '['.repeat(depth) + ']'.repeat(depth);
const maps = (depth: number) => '{"a":'.repeat(depth) + '1' + '}'.repeat(depth);
/** A custom resource with a nested `spec.open`: two levels are around it. */
const potOf = (name: string, open: string) =>
  `{"apiVersion":"conformance.example.com/v1","kind":"Pot","metadata":{"name":"${name}"},"spec":{"open":${open}}}`;
/** The same in YAML. */
const yamlOf = (name: string, open: string) =>
  `apiVersion: conformance.example.com/v1\nkind: Pot\nmetadata:\n  name: ${name}\nspec:\n  open: ${open}\n`;
const inBlocks = (depth: number) => `\n    ${'- '.repeat(depth)}1`;

onEachServer('deeply nested bodies', (server) => {
  beforeAll(async () => {
    const open = { 'x-kubernetes-preserve-unknown-fields': true };
    const any = { type: 'object', additionalProperties: true };
    await installCrd(server.session, crdOf('Pot', { open, any }));
  });

  describe.each([
    ['1,000 lists', 1000, lists(1000)],
    ['9,000 lists', 9000, lists(9000)],
    ['9,998 lists', 9998, lists(9998)],
    ['1,000 maps', 1000, maps(1000)],
    ['2,000 maps', 2000, maps(2000)],
  ])('%s', (_, depth, nested) => {
    const name = `n${depth}${nested[0] === '[' ? 'l' : 'm'}`;
    const path = `${pots}/${name}`;

    test('nested objects are created, updated, read, listed and watched', async () => {
      const watcher = await Watcher.start(
        server.session,
        `${pots}?watch=true&fieldSelector=metadata.name%3D${name}`,
      );
      const created = await server.session.send('POST', pots, { raw: potOf(name, nested) });
      expect(created.code).toBe(201);
      const { resourceVersion } = created.body.metadata;
      const raw = potOf(name, nested).replace(
        '"metadata":{',
        `"metadata":{"labels":{"a":"b"},"resourceVersion":"${resourceVersion}",`,
      );
      expect((await server.session.send('PUT', path, { raw })).code).toBe(200);
      expect(nestingOf((await server.session.get(path)).body.spec.open)).toBe(depth);
      const { items } = (await server.session.get(`${pots}?fieldSelector=metadata.name%3D${name}`)).body;
      expect(nestingOf(items[0].spec.open)).toBe(depth);
      const events = await watcher.until(2);
      watcher.stop();
      expect(events.map(({ type, object }) => [type, nestingOf(object.spec.open)])).toStrictEqual([
        ['ADDED', depth],
        ['MODIFIED', depth],
      ]);
    });

    test('nested objects are created from YAML', async () => {
      const raw = yamlOf(`${name}y`, nested);
      const { code, body } = await server.session.send('POST', pots, { raw, contentType: yaml });
      expect([code, nestingOf(body.spec?.open)]).toStrictEqual([201, depth]);
    });

    test('nested objects are patched by merge and JSON patches', async () => {
      const first = await server.session.send('PATCH', path, {
        raw: '{"spec":{"open":null}}',
        contentType: mergePatch,
      });
      expect(first.body.spec).toStrictEqual({});
      // On a real server, the time grows with the square of the depth.
      if (depth <= 2000) {
        const raw = `{"spec":{"open":${nested}}}`;
        const { code, body } = await server.session.send('PATCH', path, { raw, contentType: mergePatch });
        expect([code, nestingOf(body.spec?.open)]).toStrictEqual([200, depth]);
      }
      if (depth > 9990) return;
      const raw = `[{"op":"add","path":"/spec/open","value":${nested}}]`;
      const { code, body } = await server.session.send('PATCH', path, { raw, contentType: jsonPatch });
      expect([code, nestingOf(body.spec?.open)]).toStrictEqual([200, depth]);
    });

    test.each([
      ['JSON', potOf(`${name}a`, nested)],
      ['YAML', yamlOf(`${name}a`, nested)],
    ])('are applied in %s', async (_form, raw) => {
      const applyAs = (manager: string) =>
        server.session.send('PATCH', `${pots}/${name}a?fieldManager=${manager}`, { raw, contentType: apply });
      for (const manager of ['one', 'one', 'two']) {
        const { code, body } = await applyAs(manager);
        expect([Math.floor(code / 100), nestingOf(body.spec?.open)]).toStrictEqual([2, depth]);
      }
    });

    test('nested objects are shown in a table and deleted', async () => {
      const accept = 'application/json;as=Table;v=v1;g=meta.k8s.io';
      const { code, body } = await server.session.send('GET', `${path}?includeObject=Object`, { accept });
      expect([code, body.kind]).toStrictEqual([200, 'Table']);
      expect((await server.session.delete(path)).code).toBe(200);
    });
  });

  test('an object with 9,900 nested maps is created', async () => {
    const { code, body } = await server.session.send('POST', pots, { raw: potOf('maps', maps(9900)) });
    expect([code, nestingOf(body.spec?.open)]).toStrictEqual([201, 9900]);
  });

  test('YAML blocks may be nested equally deep', async () => {
    const raw = yamlOf('blocks', inBlocks(9000));
    const { code, body } = await server.session.send('POST', pots, { raw, contentType: yaml });
    expect([code, nestingOf(body.spec?.open)]).toStrictEqual([201, 9000]);
  });

  test('maps inside lists without a schema are pruned', async () => {
    const raw = potOf('any', '1').replace(
      '"open":1',
      `"any":{"x":${'['.repeat(5000)}{"a":1}${']'.repeat(5000)}}`,
    );
    const { code, warnings } = await server.session.send('POST', pots, { raw });
    expect(code).toBe(201);
    expect(warnings).toStrictEqual([expect.stringContaining('unknown field "spec.any.x[0][0][0]')]);
  });

  test.each([
    ['lists', '[', 10_000],
    ['maps', '{"a":', 10_000],
    ['many lists', '[', 100_000],
  ])('%s beyond 10,000 levels are refused in JSON', async (_, step, depth) => {
    const raw = potOf('deep', step.repeat(depth));
    expect((await server.session.send('POST', pots, { raw })).body.message).toBe(
      `the object provided is unrecognized (must be of type Pot): couldn't get version/kind; json parse error: invalid character '${step[0]}' exceeded max depth ({"apiVersion":"conformance.exa ...)`,
    );
    const nested = `{"spec":${step.repeat(depth)}`;
    const patch = (contentType: string, text: string, query = '') =>
      server.session.send('PATCH', `${pots}/x${query}`, { raw: text, contentType });
    await server.session.send('POST', pots, { raw: potOf('x', '1') });
    expect((await patch(mergePatch, nested)).body).toMatchObject({
      code: 400,
      message: `error decoding patch: invalid character '${step[0]}' exceeded max depth`,
    });
    expect((await patch(mergePatch, nested, '?fieldValidation=Ignore')).body).toMatchObject({
      code: 400,
      message: 'Invalid JSON Patch',
    });
    expect((await patch(jsonPatch, `[${nested}`)).body).toMatchObject({
      code: 400,
      message: `error decoding patch: invalid character '${step[0]}' exceeded max depth`,
    });
    expect((await server.session.send('POST', configMaps, { raw: nested })).body.message).toContain(
      `invalid character '${step[0]}' exceeded max depth`,
    );
  });

  test.each([
    ['lists', '['.repeat(10_001), 6],
    ['closed lists', lists(10_001), 6],
    ['many lists', '['.repeat(100_000), 6],
    ['maps', '{a: '.repeat(10_001), 6],
    ['blocks', inBlocks(10_000), 7],
    ['many blocks', inBlocks(100_000), 7],
  ])('%s beyond 10,000 levels are refused in YAML', async (_, nested, line) => {
    const raw = yamlOf('deep', nested);
    const problem = `yaml: line ${line}: exceeded max depth of 10000`;
    expect((await server.session.send('POST', pots, { raw, contentType: yaml })).body).toMatchObject({
      code: 400,
      message: expect.stringContaining(`(must be of type Pot): ${problem} (`),
    });
    expect(
      (await server.session.send('PATCH', `${pots}/deep?fieldManager=x`, { raw, contentType: apply })).body,
    ).toMatchObject({
      code: 400,
      message: `error decoding YAML: error converting YAML to JSON: ${problem}`,
    });
  });

  test('a configuration in JSON is nested too deeply as YAML', async () => {
    const raw = potOf('deep', lists(20_000));
    const { body } = await server.session.send('PATCH', `${pots}/deep?fieldManager=x`, {
      raw,
      contentType: apply,
    });
    expect(body.message).toBe(
      'error decoding YAML: error converting YAML to JSON: yaml: exceeded max depth of 10000',
    );
  });

  test('lists of 10,000 levels are YAML but not an object', async () => {
    const raw = yamlOf('deep', lists(10_000));
    const { body } = await server.session.send('POST', pots, { raw, contentType: yaml });
    expect(body.message).toContain("json parse error: invalid character '[' exceeded max depth");
  });

  test('operations cannot nest an object deeper than 10,000 levels', async () => {
    await server.session.send('POST', pots, { raw: potOf('nest', '1') });
    const bottom = `/spec/open${'/0'.repeat(4999)}/0`;
    const raw = `[{"op":"add","path":"/spec/open","value":${lists(5000)}},{"op":"add","path":"${bottom}","value":${lists(5000)}}]`;
    const { code } = await server.session.send('PATCH', `${pots}/nest`, { raw, contentType: jsonPatch });
    expect(code).toBe(422);
  }, 60_000);

  test('unknown fields of a built-in kind may also be nested', async () => {
    const raw = `{"metadata":{"name":"unknown"},"unknown":${lists(9990)}}`;
    const { code, warnings } = await server.session.send('POST', configMaps, { raw, contentType: json });
    expect([code, warnings]).toStrictEqual([201, ['unknown field "unknown"']]);
    const raws = `{"unknown":${lists(9990)}}`;
    const contentType = 'application/strategic-merge-patch+json';
    expect(
      (await server.session.send('PATCH', `${configMaps}/unknown`, { raw: raws, contentType })).code,
    ).toBeLessThan(500);
  });
});

/** The depth of a value, computed without recursion. */
function nestingOf(value: unknown): number {
  let depth = 0;
  for (let inner = value; typeof inner === 'object' && inner !== null; inner = Object.values(inner)[0])
    depth += 1;
  return depth;
}
