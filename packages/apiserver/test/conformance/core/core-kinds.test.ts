import { expect, test } from 'vitest';
import { coreCases } from './core-cases.ts';
import { coreUpdates } from './core-updates.ts';
import { askCreates, askUpdates, outcomeOf } from '../../support/kind-cases.ts';
import { onEachServer } from '../../support/on-each-server.ts';
import { asRecorded } from '../../support/recorded.ts';

const claims = '/api/v1/namespaces/default/persistentvolumeclaims';
const claimSpec = { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1Gi' } } };

/** A text without the times at which volumes changed, and without the diff of two specs that Go prints. */
function masked(value: unknown): string {
  const text = JSON.stringify(value)
    .replaceAll(/("lastPhaseTransitionTime":)"(?!2026-01-01)[^"]*"/g, '$1"<time>"')
    .replaceAll(/(immutable after creation[^"\\]*)(\\.|[^"\\])*"/g, '$1"');
  return asRecorded(JSON.parse(text));
}

onEachServer('core kinds', (server) => {
  test.each(Object.keys(coreCases))('new %s', async (kind) => {
    const { path = '', cases = {} } = coreCases[kind] ?? {};
    const changes = Object.entries(cases).map(([name, { metadata, ...fields }]) => [
      name,
      (object: any) => {
        Object.assign(object, fields);
        Object.assign(object.metadata, metadata);
      },
    ]);
    const base = { metadata: { name: 'case' } };
    const outcomes = await askCreates(server.session, { path, base, cases: Object.fromEntries(changes) });
    await expect(masked(outcomes)).toMatchFileSnapshot(`../recorded/core/${kind}.yaml`);
  });

  test.each(Object.keys(coreUpdates))('changed %s', async (kind) => {
    const { path = '', base, cases = {}, subresource } = coreUpdates[kind] ?? {};
    const outcomes = await askUpdates(server.session, { path, base, cases }, subresource);
    await expect(masked(outcomes)).toMatchFileSnapshot(`../recorded/core/${kind}-updates.yaml`);
  });

  test('a bound claim can grow if its class allows it, and a claim without a class gets the default class', async () => {
    const classes = '/apis/storage.k8s.io/v1/storageclasses';
    const outcomes: Record<string, unknown> = {};
    const annotations = { 'storageclass.kubernetes.io/is-default-class': 'true' };
    await server.session.post(classes, {
      metadata: { name: 'growing', annotations },
      provisioner: 'p',
      allowVolumeExpansion: true,
    });
    await server.session.post(classes, { metadata: { name: 'rigid' }, provisioner: 'p' });
    const resize = (name: string, storage: string) =>
      server.session.merge(`${claims}/${name}?dryRun=All`, {
        spec: { resources: { requests: { storage } } },
      });
    const specs: Record<string, any> = {
      default: claimSpec,
      none: { ...claimSpec, storageClassName: '' },
      rigid: { ...claimSpec, storageClassName: 'rigid' },
    };
    for (const [name, spec] of Object.entries(specs)) {
      // Admission may not see a new class at once.
      let created = await server.session.post(claims, { metadata: { name }, spec });
      while (created.body.spec.storageClassName === undefined) {
        await server.session.merge(`${claims}/${name}`, { metadata: { finalizers: null } });
        await server.session.delete(`${claims}/${name}`);
        created = await server.session.post(claims, { metadata: { name }, spec });
      }
      outcomes[`${name}, created`] = outcomeOf(created);
      outcomes[`${name}, pending`] = outcomeOf(await resize(name, '2Gi'));
      const status = { phase: 'Bound', capacity: { storage: '1Gi' } };
      await server.session.merge(`${claims}/${name}/status`, { status });
      outcomes[`${name}, bound`] = outcomeOf(await resize(name, '2Gi'));
      outcomes[`${name}, smaller`] = outcomeOf(await resize(name, '512Mi'));
    }
    const moved = await server.session.merge(`${claims}/rigid?dryRun=All`, {
      spec: { accessModes: ['ReadOnlyMany'] },
    });
    outcomes['other access'] = outcomeOf(moved);
    await expect(masked(outcomes)).toMatchFileSnapshot('../recorded/core/bound-claims.yaml');
  });

  test('volumes and claims stay while they are in use', async () => {
    const metadata = { name: 'protected' };
    const { body } = await server.session.post(claims, {
      metadata,
      spec: { ...claimSpec, storageClassName: '' },
    });
    expect(body.metadata.finalizers).toStrictEqual(['kubernetes.io/pvc-protection']);
    await server.session.delete(`${claims}/protected`);
    const kept = await server.session.get(`${claims}/protected`);
    expect(kept.body.metadata.deletionTimestamp).toBeDefined();
    await server.session.merge(`${claims}/protected`, { metadata: { finalizers: null } });
    expect((await server.session.get(`${claims}/protected`)).code).toBe(404);
  });
});
