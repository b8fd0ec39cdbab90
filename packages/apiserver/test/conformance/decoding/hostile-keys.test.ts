import { expect, test } from 'vitest';
import { crdOf, crdsPath, installCrd, objectOf, pathOf } from '../../support/fixtures.ts';
import { refusal } from '../../support/normalize.ts';
import { onBothServers } from '../../support/on-each-server.ts';
import { Randomness } from '../../support/randomness.ts';
import type { Answer, Session } from '../../support/session.ts';
import { withSortedKeys } from '../../support/with-sorted-keys.ts';
import { withoutCompiler } from '../../support/without-compiler.ts';

const keys = [
  '__proto__',
  'constructor',
  'toString',
  'hasOwnProperty',
  'valueOf',
  'length',
  'a.b',
  'a[b]',
  '0',
];
const odd = ['', 'a/b', "a'b", 'a"b', 'a\\b', 'a b', 'ä', '\u0000', '\n', '$ref', '-', 'a~b', '.', '[', ']'];
const path = pathOf('Trap');

/** An object with these keys as its own, whatever their names. */
const objectWith = (entries: readonly (readonly [string, unknown])[]): any => Object.fromEntries(entries);

function outcome({ code, body, warnings }: Answer): unknown {
  const told = { warnings: warnings.toSorted() };
  if (code < 400) return withSortedKeys({ code, spec: body.spec, ...told });
  return withoutCompiler({ ...(refusal({ code, body }) as object), ...told });
}

const text = { type: 'string', maxLength: 3 };
const kinds: Record<string, (key: string) => any> = {
  text: () => text,
  defaulted: () => ({ type: 'string', default: 'd' }),
  object: (key) => ({ type: 'object', properties: objectWith([[key, text]]), required: [key] }),
  map: () => ({ type: 'object', additionalProperties: { type: 'integer', maximum: 5 } }),
  open: () => ({ type: 'object', 'x-kubernetes-preserve-unknown-fields': true }),
  list: (key) => ({
    type: 'array',
    items: {
      type: 'object',
      properties: objectWith([
        [key, text],
        ['v', { type: 'integer' }],
      ]),
      required: [key],
    },
    'x-kubernetes-list-type': 'map',
    'x-kubernetes-list-map-keys': [key],
  }),
};

onBothServers('keys that mean something to JavaScript, or to paths', (servers) => {
  async function ask(send: (session: Session) => Promise<Answer>, about: unknown): Promise<Answer> {
    const [embedded, real] = await Promise.all(servers.map(({ session }) => send(session)));
    // Compared as text, because a key like __proto__ does not survive a comparison of objects.
    const [ours, theirs] = [embedded, real].map((answer) => JSON.stringify(outcome(answer!), undefined, 1));
    expect(ours, JSON.stringify(about)).toBe(theirs);
    return real!;
  }

  // oxlint-disable-next-line vitest/expect-expect -- in ask
  test.each([...keys, ...odd])('%j in definitions', { timeout: 60_000 }, async (key) => {
    const rules = [`has(self.${key})`, `'${key}' in self`, 'self == oldSelf'];
    const schemas = [
      ...Object.values(kinds).map((kind) => kind(key)),
      { type: 'object', properties: objectWith([[key, text]]), default: objectWith([[key, 'long text']]) },
      { type: 'object', required: [key] },
      { ...kinds['list']!(key), 'x-kubernetes-list-map-keys': [`${key}x`] },
      ...rules.map((rule) => ({ ...kinds['object']!(key), 'x-kubernetes-validations': [{ rule }] })),
      {
        ...kinds['object']!(key),
        'x-kubernetes-validations': [
          { rule: 'true', fieldPath: `.${key}` },
          { rule: 'true', fieldPath: `['${key}']` },
        ],
      },
    ];
    for (const schema of schemas) {
      const crd = crdOf('Trap', objectWith([[key, schema]]));
      await ask((session) => session.post(`${crdsPath}?dryRun=All`, crd), schema);
    }
  });

  // oxlint-disable-next-line vitest/expect-expect -- in ask
  test('in objects', { timeout: 120_000 }, async () => {
    const fields = keys.flatMap((key) =>
      Object.entries(kinds).map(([name, kind]) => ({ key, name: `${name}.${key}`, schema: kind(key) })),
    );
    const whole = keys.map((key) => [key, { type: 'string', maxLength: 5 }] as const);
    const properties = objectWith([...whole, ...fields.map(({ name, schema }) => [name, schema] as const)]);
    for (const { session } of servers) await installCrd(session, crdOf('Trap', properties));
    const random = new Randomness(7);
    const value = () => random.pick(['a', 'long text', 1, null, {}, [], objectWith([['__proto__', 1]])]);
    const all = [...keys, ...odd];
    const specs = Array.from({ length: 150 }, () =>
      objectWith([
        ...all.filter(() => random.chance(0.1)).map((key) => [key, value()] as const),
        ...fields
          .filter(() => random.chance(0.08))
          .map(({ key, name }) => {
            const content = objectWith([
              [random.chance(0.7) ? key : random.pick(all), random.chance(0.6) ? 'a' : value()],
              [random.pick(all), random.chance(0.5) ? 3 : value()],
            ]);
            return [name, name.startsWith('list') ? [content, content] : content] as const;
          }),
      ]),
    );
    for (const [index, spec] of specs.entries()) {
      const object = objectOf('Trap', `t${index}`, spec);
      const mode = random.pick(['Strict', 'Warn', 'Ignore']);
      await ask((session) => session.post(`${path}?fieldValidation=${mode}&dryRun=All`, object), spec);
    }
  });
});
