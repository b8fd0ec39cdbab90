import { afterAll, beforeAll, expect, test } from 'vitest';
import { configMaps, crdOf, installCrd, objectOf, pathOf } from '../../support/fixtures.ts';
import { onEachServer } from '../../support/on-each-server.ts';
import { asRecorded } from '../../support/recorded.ts';
import type { Answer, Session } from '../../support/session.ts';
import { WebhookServer } from '../../support/webhook-server.ts';
import { configureCases, outcomeOf, slug } from './case-session.ts';
import { patchTexts, patches } from './patch-cases.ts';

const customs = pathOf('Patched');
const string = { type: 'string' };

const texts: Record<string, string> = {
  ...Object.fromEntries(Object.entries(patches).map(([title, patch]) => [title, JSON.stringify(patch)])),
  ...patchTexts,
};

const metadataOf = (key: string, name: string) => ({
  name,
  labels: { case: key },
  finalizers: ['a.b/c', 'd.e/f'],
});
const custom = (key: string, name: string) => ({
  ...objectOf('Patched', name, { a: 'x' }),
  data: { a: 'b' },
  metadata: metadataOf(key, name),
});

/** The requests whose object the patches change. */
const requests: Record<string, (session: Session, key: string) => Promise<Answer>> = {
  'create of a ConfigMap': (session, key) =>
    session.post(`${configMaps}?dryRun=All`, { metadata: metadataOf(key, 'patched'), data: { a: 'b' } }),
  'PUT of a ConfigMap': (session, key) =>
    session.put(`${configMaps}/stored?dryRun=All`, { metadata: metadataOf(key, 'stored'), data: { a: 'b' } }),
  'patch of a ConfigMap': (session, key) =>
    session.merge(`${configMaps}/stored?dryRun=All`, { metadata: { labels: { case: key } } }),
  'create of a custom resource': (session, key) =>
    session.post(`${customs}?dryRun=All`, custom(key, 'patched')),
  'patch of a custom resource': (session, key) =>
    session.merge(`${customs}/stored?dryRun=All`, { metadata: { labels: { case: key } } }),
};

onEachServer('patches of webhooks', (server) => {
  let webhooks: WebhookServer;

  beforeAll(async () => {
    const { session } = server;
    webhooks = await WebhookServer.start();
    const crd = crdOf('Patched', { a: string, d: { type: 'string', default: 'e' } });
    const { properties } = crd.spec.versions[0].schema.openAPIV3Schema;
    properties.data = { type: 'object', additionalProperties: string };
    await installCrd(session, crd);
    await session.post(configMaps, { metadata: metadataOf('', 'stored'), data: { a: 'b' } });
    await session.post(customs, custom('', 'stored'));
    const cases = Object.entries(texts).map(([title, text]) => {
      const patch = Buffer.from(text).toString('base64');
      return [slug(title), { patchType: 'JSONPatch', patch }];
    });
    await configureCases(session, webhooks, 'Mutating', {
      name: 'patches',
      cases: Object.fromEntries(cases),
      each: {},
    });
  });
  afterAll(() => webhooks.close());

  for (const [title, send] of Object.entries(requests))
    test(`in a ${title}`, async () => {
      const found: Record<string, unknown> = {};
      for (const patch of Object.keys(texts)) {
        const { code, ...outcome } = outcomeOf(await send(server.session, slug(patch)));
        found[patch] = { code, ...shortened(outcome, slug(patch)) };
      }
      await expect(asRecorded(found)).toMatchFileSnapshot(`../recorded/webhooks/patches/${slug(title)}.yaml`);
    });

  test('in a deletion', async () => {
    const found: Record<string, unknown> = {};
    for (const patch of ['nothing', 'add', 'remove nothing', 'half of a list']) {
      const path = `${configMaps}/stored`;
      // The patches of the other cases cannot have stored anything.
      const labeled = await server.session.jsonPatch(path, [
        { op: 'replace', path: '/metadata/labels/case', value: slug(patch) },
      ]);
      const answer = await server.session.delete(`${path}?dryRun=All`);
      found[patch] = {
        labeled: labeled.body.message ?? labeled.code,
        ...shortened(outcomeOf(answer), slug(patch)),
      };
    }
    await expect(asRecorded(found)).toMatchFileSnapshot('../recorded/webhooks/patches/deletion.yaml');
  });
});

/** Without the name of the case, and with long texts shortened. */
function shortened(outcome: object, key: string): object {
  const text = JSON.stringify(outcome)
    .replaceAll(`"${key}`, '"<case>')
    .replaceAll(/x{1000,}/g, '<many x>')
    // What follows is Go's print of a struct, and a message of its JSON parser.
    .replaceAll(/(error decoding versioned set from )[^\]]*?"\]/g, '$1<entry>"]');
  return JSON.parse(text) as object;
}
