import { expect, test } from 'vitest';
import { crdOf, crdsPath, installCrd, objectOf, pathOf, until } from '../../support/fixtures.ts';
import { loosen } from './loosen.ts';
import { refusal } from '../../support/normalize.ts';
import { onBothServers } from '../../support/on-each-server.ts';
import { Randomness } from '../../support/randomness.ts';
import { randomSchema, randomValue } from './random-schema.ts';
import type { Answer, Session } from '../../support/session.ts';
import { withSortedKeys } from '../../support/with-sorted-keys.ts';
import { withoutCompiler } from '../../support/without-compiler.ts';

const seed = Number(process.env['FAST_CHECK_SEED'] ?? 20261121);
const schemaCount = 120;
const valuesOfSchema = 8;
const path = pathOf('Random');

/** An answer without the order of keys and the messages of compilers. */
function outcome(answer: Answer | undefined): unknown {
  if (!answer) return undefined;
  const { code, body, warnings } = answer;
  const told = { warnings: warnings.toSorted() };
  if (code < 400) return withSortedKeys({ code, spec: body.spec, ...told });
  return withoutCompiler({ ...(refusal(answer) as object), ...told });
}

onBothServers('random definitions', (servers) => {
  /** The valid schemas, by the name of their field. */
  const sound: Record<string, any> = {};
  /** Sends a request to both servers, which must answer the same. */
  async function ask(send: (session: Session) => Promise<Answer>, about: unknown): Promise<Answer> {
    const [embedded, real] = await Promise.all(servers.map(({ session }) => send(session)));
    // Compared as text, because a key like __proto__ does not survive a comparison of objects.
    const [ours, theirs] = [embedded, real].map((answer) => JSON.stringify(outcome(answer), undefined, 1));
    expect(ours, JSON.stringify(about)).toBe(theirs);
    return real as Answer;
  }

  test('both servers accept and refuse the same definitions', { timeout: 120_000 }, async () => {
    const random = new Randomness(seed);
    for (let index = 0; index < schemaCount; index += 1) {
      const name = `f${index}`;
      const schema = randomSchema(random, 3);
      const crd = crdOf('Random', { [name]: schema });
      const { code } = await ask((session) => session.post(`${crdsPath}?dryRun=All`, crd), schema);
      if (code === 201) sound[name] = schema;
    }
    expect(Object.keys(sound).length).toBeGreaterThan(schemaCount / 3);
  });

  // oxlint-disable-next-line vitest/expect-expect -- in ask
  test(
    'both servers accept the same updates of objects that older definitions allowed',
    { timeout: 120_000 },
    async () => {
      const random = new Randomness(seed + 1);
      const fields = Object.keys(sound);
      const loose = Object.fromEntries(fields.map((name) => [name, loosen(sound[name])]));
      const crd = crdOf('Random', loose);
      for (const { session } of servers) await installCrd(session, crd);
      const stored: { name: string; field: string; kept: any }[] = [];
      for (const field of fields) {
        for (let index = 0; index < 3; index += 1) {
          const kept = randomValue(random, loose[field], 0);
          const name = `${field}-${index}`;
          const { code } = await ask(
            (session) => session.post(path, objectOf('Random', name, { [field]: kept })),
            kept,
          );
          if (code === 201) stored.push({ name, field, kept });
        }
      }
      const limited = crdOf('Random', { ...sound, limit: { type: 'integer', maximum: 0 } });
      for (const { session } of servers) {
        await session.merge(`${crdsPath}/${crd.metadata.name}`, { spec: limited.spec });
        const probe = objectOf('Random', 'probe', { limit: 1 });
        await until(async () => (await session.post(`${path}?dryRun=All`, probe)).code === 422);
      }
      for (const { name, field, kept } of stored) {
        const schema = sound[field];
        const changes = [
          { [field]: kept, limit: -1 },
          { [field]: mixed(random, kept, randomValue(random, schema, 0.02)) },
        ];
        for (const spec of changes) {
          const update = async (session: Session) => {
            const { body } = await session.get(`${path}/${name}`);
            return session.put(`${path}/${name}?dryRun=All`, { ...body, spec });
          };
          await ask(update, { schema, kept, spec });
        }
      }
    },
  );

  // oxlint-disable-next-line vitest/expect-expect -- in ask
  test('both servers accept, default and refuse the same objects', { timeout: 120_000 }, async () => {
    const random = new Randomness(seed + 2);
    for (const [field, schema] of Object.entries(sound)) {
      const values = Array.from({ length: valuesOfSchema }, () => randomValue(random, schema));
      await Promise.all(
        values.map(async (value, index) => {
          const body = objectOf('Random', `${field}-new-${index}`, { [field]: value });
          await ask((session) => session.post(`${path}?dryRun=All`, body), { schema, value });
        }),
      );
    }
  });
});

/** A mix of the parts of two values for one schema. */
function mixed(random: Randomness, first: any, second: any): any {
  if (Array.isArray(first) && Array.isArray(second))
    return [...first, ...second].filter(() => random.chance(0.7));
  const areObjects = [first, second].every(
    (value) => typeof value === 'object' && value !== null && !Array.isArray(value),
  );
  if (!areObjects) return random.chance(0.5) ? first : second;
  const names = new Set([...Object.keys(first), ...Object.keys(second)]);
  return Object.fromEntries(
    [...names].map((name) => {
      if (!Object.hasOwn(first, name)) return [name, second[name]];
      if (!Object.hasOwn(second, name)) return [name, first[name]];
      return [name, mixed(random, first[name], second[name])];
    }),
  );
}
