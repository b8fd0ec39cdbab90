import { afterAll, beforeAll, expect, test } from 'vitest';
import { ApplySession, type Step, outcome } from '../../support/apply-session.ts';
import { ConversionWebhook } from '../../support/conversion-webhook.ts';
import { installCrd, pathOf, until } from '../../support/fixtures.ts';
import { masked } from '../../support/masked.ts';
import { type Server, onEachServer } from '../../support/on-each-server.ts';
import { Randomness } from '../../support/randomness.ts';
import { asRecorded } from '../../support/recorded.ts';
import type { Answer } from '../../support/session.ts';
import { convertEndpoint, endpoint, endpointCrd } from '../../support/versioned-endpoint.ts';

/** A real server visits the versions of managers in any order: two of them have only one order. */
const pairs = [
  ['v1', 'v2'],
  ['v2', 'v3'],
  ['v1', 'v3'],
];
const stepsOfHistory = 12;

/** A write in one of the versions. */
interface Write {
  readonly title: string;
  readonly send: (session: ApplySession) => Step;
}

function someFields(random: Randomness): Parameters<typeof endpoint>[3] {
  return {
    ...(random.chance(0.7) && { host: random.pick(['a', 'b']) }),
    ...(random.chance(0.7) && { port: random.pick(['1', '2']) }),
    ...(random.chance(0.4) && { note: random.pick(['x', 'y']) }),
    ...(random.chance(0.3) && { tls: random.chance(0.5) }),
  };
}

function writeOf(random: Randomness, versions: readonly string[], name: string): Write {
  const version = random.pick(versions);
  const path = pathOf('History', version);
  const manager = random.pick(['ann', 'bob']);
  const object = endpoint('History', version, name, someFields(random));
  if (random.chance(0.3)) object.metadata.labels = { color: random.pick(['red', 'blue']) };
  const verb = random.pick([
    'apply',
    'apply',
    'force',
    'merge',
    'merge',
    'put',
    'create',
    'status',
    'delete',
  ]);
  const title = `${manager} ${verb} ${version} ${JSON.stringify(object.spec)}`;
  const send = (session: ApplySession): Step => {
    switch (verb) {
      case 'create':
        return session.create(manager, path, object);
      case 'put':
        return put(session, { manager, path, object });
      case 'merge':
        return session.merge(manager, `${path}/${name}`, {
          spec: object.spec,
          metadata: { labels: object.metadata.labels },
        });
      case 'status':
        return session.merge(manager, `${path}/${name}/status`, { status: { ready: true } });
      case 'delete':
        return session.merge(manager, `${path}/${name}`, { spec: null });
      default:
        return session.apply(manager, `${path}/${name}`, object, verb === 'force' ? 'force=true' : '');
    }
  };
  return { title, send };
}

/** Replaces an object in its latest version. */
function put(
  session: ApplySession,
  { manager, path, object }: { manager: string; path: string; object: any },
): Step {
  return async () => {
    const { body } = await session.get(`${path}/${object.metadata.name}`)();
    const { resourceVersion } = body.metadata;
    const metadata = { ...object.metadata, ...(resourceVersion && { resourceVersion }) };
    return session.put(manager, `${path}/${object.metadata.name}`, { ...object, metadata })();
  };
}

function seen(answer: Answer): unknown {
  return masked(outcome(answer));
}

/** Waits until a real server's caches of all versions have the latest state: a write compares with them. */
async function settled({ session }: Server, name: string): Promise<void> {
  const latest = await session.get(`${pathOf('History', 'v2')}/${name}`);
  if (latest.code !== 200) return;
  const { resourceVersion } = latest.body.metadata;
  await until(async () => {
    const cached = await Promise.all(
      ['v1', 'v2', 'v3'].map((version) =>
        session.get(`${pathOf('History', version)}/${name}?resourceVersion=0`),
      ),
    );
    return cached.every(({ body }) => body.metadata.resourceVersion === resourceVersion);
  });
}

onEachServer('histories in several versions', (server) => {
  let webhook: ConversionWebhook;
  beforeAll(async () => {
    webhook = await ConversionWebhook.start(convertEndpoint);
    await installCrd(server.session, endpointCrd('History', webhook));
  });
  afterAll(() => webhook.close());

  test.each([1, 2, 3, 4, 5, 6, 7, 8, 9])(
    'history %d gives the same objects and managers in every version',
    async (seed) => {
      const random = new Randomness(seed);
      const session = new ApplySession(server.session);
      const name = `history-${seed}`;
      const versions = pairs[seed % pairs.length] ?? [];
      const steps: unknown[] = [];
      for (let index = 0; index < stepsOfHistory; index += 1) {
        const { title, send } = writeOf(random, versions, name);
        const reader = random.pick(['v1', 'v2', 'v3']);
        const wrote = seen(await send(session)());
        const read = seen(await session.get(`${pathOf('History', reader)}/${name}`)());
        steps.push({ [title]: wrote, [`read ${reader}`]: read });
        await settled(server, name);
      }
      await expect(asRecorded(steps)).toMatchFileSnapshot(`../recorded/conversion-histories/${seed}.yaml`);
    },
    30_000,
  );
});
