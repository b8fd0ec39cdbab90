import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { ownersOf } from '../../support/apply-session.ts';
import { normalize } from '../../support/normalize.ts';
import { onBothServers } from '../../support/on-each-server.ts';

const podTemplates = '/api/v1/namespaces/default/podtemplates';
const contentType = 'application/strategic-merge-patch+json';

const nameOf = (prefix: string) => fc.constantFrom('a', 'b', 'c', 'd', 'e').map((letter) => prefix + letter);
const optional = (fields: Record<string, fc.Arbitrary<unknown>>, required: string[] = []) =>
  fc.record(fields, { requiredKeys: required });
const listOf = (item: fc.Arbitrary<any>, key: string) =>
  fc.uniqueArray(item, { selector: (value) => value[key], minLength: 1, maxLength: 4 });

const text = fc.constantFrom('x', 'y', 'z');
const texts = fc.array(text, { minLength: 1, maxLength: 3 });
const finalizers = fc.uniqueArray(nameOf('x.y/'), { maxLength: 4 });
const strings = fc.dictionary(fc.constantFrom('a', 'b', 'c', 'constructor'), text, {
  minKeys: 1,
  maxKeys: 3,
});
const env = optional({ name: nameOf('E'), value: text }, ['name', 'value']);
const port = optional({ containerPort: fc.integer({ min: 1, max: 5 }), name: nameOf('port') }, [
  'containerPort',
]);
const container = optional(
  {
    name: nameOf('c'),
    image: text,
    command: texts,
    env: listOf(env, 'name'),
    ports: listOf(port, 'containerPort'),
  },
  ['name', 'image'],
);
const toleration = fc.record({ key: text, operator: fc.constant('Exists') });
const volume = fc.oneof(
  fc.record({ name: nameOf('v'), emptyDir: fc.constant({ medium: 'Memory' }) }),
  fc.record({ name: nameOf('v'), configMap: fc.record({ name: text, optional: fc.boolean() }) }),
);
const object = fc.record({
  metadata: fc.record({ finalizers, labels: strings }),
  template: fc.record({
    metadata: fc.record({ labels: strings }),
    spec: optional(
      {
        containers: listOf(container, 'name'),
        volumes: listOf(volume, 'name'),
        tolerations: fc.array(toleration, { minLength: 1, maxLength: 2 }),
        nodeSelector: strings,
        imagePullSecrets: listOf(fc.record({ name: text }), 'name'),
        hostPID: fc.constant(true),
      },
      ['containers'],
    ),
  }),
});

/** A map of strings in a patch: values, nulls and directives. */
const stringsPatch = fc.oneof(
  { weight: 6, arbitrary: fc.dictionary(fc.constantFrom('a', 'b', 'c'), fc.option(text)) },
  { weight: 1, arbitrary: strings.map((value) => ({ ...value, $patch: 'replace' })) },
  { weight: 1, arbitrary: fc.constant({ $patch: 'delete' }) },
  { weight: 1, arbitrary: fc.constant(null) },
);

/** The fields of a patch for one keyed list: some items, some deletions, perhaps all replaced, perhaps an order. */
function keyedPatch(field: string, item: fc.Arbitrary<any>, key: string): fc.Arbitrary<object> {
  const deletion = item.map((value) => ({ [key]: value[key], $patch: 'delete' }));
  const items = fc.array(fc.oneof({ weight: 3, arbitrary: item }, { weight: 1, arbitrary: deletion }), {
    maxLength: 4,
  });
  const replaced = items.map((list) => [...list, { $patch: 'replace' }]);
  const list = fc.oneof({ weight: 6, arbitrary: items }, { weight: 1, arbitrary: replaced });
  return fc
    .record({
      list,
      others: fc.array(item, { maxLength: 2 }),
      isOrdered: fc.boolean(),
      isReversed: fc.boolean(),
    })
    .map(({ list: values, others, isOrdered, isReversed }) => {
      if (!isOrdered) return { [field]: values };
      const kept = values.filter((value: any) => !value.$patch);
      const keys = [...new Set([...kept, ...others].map((value) => value[key]))];
      const order = (isReversed ? keys.toReversed() : keys).map((value) => ({ [key]: value }));
      return { [`$setElementOrder/${field}`]: order, ...(values.length > 0 && { [field]: values }) };
    });
}

const merged = (...parts: fc.Arbitrary<any>[]) =>
  fc
    .tuple(...parts.map((part) => fc.option(part, { nil: {} })))
    .map((all) => Object.assign({}, ...all) as object);

const containerPatch = fc
  .tuple(
    nameOf('c'),
    merged(
      keyedPatch('env', env, 'name'),
      keyedPatch('ports', port, 'containerPort'),
      fc.record({ command: fc.option(texts) }),
      fc.record({ image: text }),
    ),
  )
  .map(([name, fields]) => ({ name, ...fields }));
const finalizersPatch = fc.oneof(
  fc.record({ finalizers }),
  fc.record({ '$deleteFromPrimitiveList/finalizers': finalizers }),
  finalizers.chain((list) =>
    fc.shuffledSubarray(list).map((order) => ({ '$setElementOrder/finalizers': order, finalizers: list })),
  ),
);
const volumePatch = volume.map((value) => ({ ...value, $retainKeys: Object.keys(value) }));
const patch = fc.record(
  {
    metadata: merged(finalizersPatch, fc.record({ labels: stringsPatch })),
    template: fc.record({
      spec: merged(
        keyedPatch('containers', fc.oneof(container, containerPatch), 'name'),
        keyedPatch('volumes', fc.oneof(volume, volumePatch), 'name'),
        keyedPatch('imagePullSecrets', fc.record({ name: text }), 'name'),
        fc.record({ tolerations: fc.array(toleration, { maxLength: 2 }) }),
        fc.record({ nodeSelector: stringsPatch }),
        fc.record({ hostPID: fc.option(fc.constant(true)) }),
      ),
    }),
  },
  { requiredKeys: [] },
);

onBothServers('random strategic merge patches', (servers) => {
  test('both servers produce the same objects', { timeout: 300_000 }, async () => {
    let count = 0;
    await fc.assert(
      fc.asyncProperty(object, fc.array(patch, { minLength: 1, maxLength: 4 }), async (created, patches) => {
        count += 1;
        const name = `random-${count}`;
        const body = { ...created, metadata: { ...created.metadata, name } };
        const codes = servers.map(async ({ session }) => (await session.post(podTemplates, body)).code);
        fc.pre((await Promise.all(codes)).every((code) => code === 201));
        for (const change of patches) {
          const [embedded, real] = await Promise.all(
            servers.map(({ session }) =>
              session.send('PATCH', `${podTemplates}/${name}`, { body: change, contentType }),
            ),
          );
          expect(outcome(embedded)).toStrictEqual(outcome(real));
          if (real?.code !== 200) return;
        }
      }),
      { numRuns: 400 },
    );
  });
});

function outcome(answer: any): unknown {
  // A real server names any one of several errors, because its maps have no order.
  if (answer.code !== 200) return answer.code;
  return { object: normalize(answer.body), owners: ownersOf(answer.body) };
}
