import { beforeAll, expect, test } from 'vitest';
import { ApplySession, type Step, outcome } from '../../support/apply-session.ts';
import { crdOf, installCrd, objectOf, pathOf, versionOf } from '../../support/fixtures.ts';
import { onBothServers } from '../../support/on-each-server.ts';
import { Randomness } from '../../support/randomness.ts';

const histories = 40;
const stepsOfHistory = 20;
const string = { type: 'string' };
const integer = { type: 'integer' };

const properties: any = {
  size: integer,
  withDefault: { type: 'string', default: 'd' },
  arr: { type: 'array', items: integer },
  set: { type: 'array', items: string, 'x-kubernetes-list-type': 'set' },
  lm: {
    type: 'array',
    'x-kubernetes-list-type': 'map',
    'x-kubernetes-list-map-keys': ['k', 'p'],
    items: {
      type: 'object',
      required: ['k'],
      properties: {
        k: string,
        p: { type: 'integer', default: 1 },
        v: string,
        deep: { type: 'array', items: string, 'x-kubernetes-list-type': 'set' },
      },
    },
  },
  map: { type: 'object', additionalProperties: string },
  maps: { type: 'object', additionalProperties: { type: 'object', properties: { a: integer, b: integer } } },
  atomic: { type: 'object', 'x-kubernetes-map-type': 'atomic', additionalProperties: string },
  nested: {
    type: 'object',
    properties: { a: string, b: { type: 'object', properties: { c: integer, d: integer } } },
  },
  free: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true },
};

const letters = ['a', 'b', 'c', 'd'];

function someOf<T>(random: Randomness, items: readonly T[], probability: number): T[] {
  const chosen = items.filter(() => random.chance(probability));
  return random.chance(0.3) ? chosen.toReversed() : chosen;
}

/** A value for a schema. There are few different values, so managers meet in the same fields. */
function valueOf(random: Randomness, schema: any): any {
  if (schema.type === 'string') return random.pick(['1', '2']);
  if (schema.type === 'integer') return random.pick([0, 1]);
  if (schema.type === 'array') return listOf(random, schema);
  if (schema['x-kubernetes-preserve-unknown-fields']) return freeValue(random, 3);
  const names = schema.properties ? Object.keys(schema.properties) : letters;
  const required: string[] = schema.required ?? [];
  return Object.fromEntries(
    names
      .filter((name) => required.includes(name) || random.chance(0.35))
      .map((name) => [name, valueOf(random, schema.properties?.[name] ?? schema.additionalProperties)]),
  );
}

function listOf(random: Randomness, schema: any): any[] {
  if (schema['x-kubernetes-list-type'] === 'set') return someOf(random, letters, 0.4);
  if (schema['x-kubernetes-list-type'] !== 'map') return someOf(random, [1, 2, 3], 0.5);
  const keys = letters.flatMap((k) => [{ k }, { k, p: 2 }]);
  return someOf(random, keys, 0.3).map((key) => {
    const { k: _, p: __, ...rest } = valueOf(random, schema.items);
    return { ...(random.chance(0.2) && !('p' in key) ? { ...key, p: 1 } : key), ...rest };
  });
}

function freeValue(random: Randomness, depth: number): any {
  if (depth === 0 || (depth < 3 && random.chance(0.4))) return random.pick([1, 'x', true, [1], []]);
  return Object.fromEntries(someOf(random, letters, 0.4).map((name) => [name, freeValue(random, depth - 1)]));
}

/** One write of a history: each server receives the same request. */
function stepOf(random: Randomness, name: string): (session: ApplySession) => Step {
  const version = random.chance(0.2) ? 'v2' : 'v1';
  const path = `${pathOf('History', version)}/${name}`;
  const manager = random.pick(['ann', 'bob', 'cat']);
  const spec = valueOf(random, { type: 'object', properties });
  const labels = valueOf(random, { type: 'object', additionalProperties: string });
  const isStatus = random.chance(0.15);
  const object = objectOf('History', name, random.chance(0.9) ? spec : undefined, version);
  if (random.chance(0.3)) object.metadata.labels = labels;
  if (isStatus || random.chance(0.1)) object.status = { ready: random.chance(0.5) };
  const target = isStatus ? `${path}/status` : path;
  if (random.chance(0.6)) {
    const query = random.chance(0.4) ? 'force=true' : '';
    return (session) => session.apply(manager, target, object, query);
  }
  if (random.chance(0.2)) {
    const field = random.pick(Object.keys(properties));
    return (session) => session.merge(manager, path, { spec: { [field]: null } });
  }
  return (session) => session.merge(manager, target, { spec, status: object.status, metadata: { labels } });
}

onBothServers('random histories', (servers) => {
  beforeAll(async () => {
    for (const { session } of servers) {
      const crd = crdOf('History', properties);
      crd.spec.versions.push(versionOf('v2', false, properties));
      await installCrd(session, crd);
    }
  });

  test.each(Array.from({ length: histories }, (_, index) => index + 1))(
    'history %d gives the same objects and managers on every server',
    async (seed) => {
      const random = new Randomness(seed);
      for (let index = 0; index < stepsOfHistory; index += 1) {
        const step = stepOf(random, `history-${seed}`);
        const [embedded, real] = await Promise.all(
          servers.map(async ({ session }) => outcome(await step(new ApplySession(session))())),
        );
        expect(embedded, `step ${index} of history ${seed}`).toStrictEqual(real);
      }
    },
    30_000,
  );
});
