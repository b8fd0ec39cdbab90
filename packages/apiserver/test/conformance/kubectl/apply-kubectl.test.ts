import { afterAll, beforeAll, expect, test } from 'vitest';
import { ownersOf } from '../../support/apply-session.ts';
import { configMaps, crdOf, crdsPath, objectOf, pathOf, until } from '../../support/fixtures.ts';
import { KubectlRunner, hasKubectl } from './kubectl-runner.ts';
import { onEachServer } from '../../support/on-each-server.ts';
import { asRecorded } from '../../support/recorded.ts';

const config = (name: string, data: object) => ({
  apiVersion: 'v1',
  kind: 'ConfigMap',
  metadata: { name, labels: { app: 'x' } },
  data,
});

onEachServer('kubectl applies', { skip: !hasKubectl }, (server) => {
  let runner: KubectlRunner;
  beforeAll(async () => {
    runner = await KubectlRunner.create(server.environment);
  });
  afterAll(async () => {
    await runner.close();
  });

  /** What kubectl prints when it applies an object, and who owns which fields afterwards. */
  const apply = async (object: any, ...options: string[]) => {
    const said = await runner.run('apply', '-f', await runner.fileOf(object), ...options).then(
      (stdout) => stdout.trim(),
      ({ stderr }: { stderr: string }) => stderr.trim(),
    );
    const { body } = await server.session.get(`${configMaps}/${object.metadata.name}`);
    return { said, data: body.data, annotations: body.metadata.annotations, owners: ownersOf(body) };
  };

  test('server-side, with a conflict', async () => {
    const results = [
      await apply(config('direct', { x: '1', y: '1' }), '--server-side'),
      await apply(config('direct', { x: '1', y: '1' }), '--server-side'),
      await apply(config('direct', { x: '2' }), '--server-side', '--field-manager=other'),
      await apply(
        config('direct', { x: '2' }),
        '--server-side',
        '--field-manager=other',
        '--force-conflicts',
      ),
      await apply(config('direct', { y: '2' }), '--server-side', '--dry-run=server'),
      await apply(config('direct', { y: '2' }), '--server-side'),
    ];
    await expect(asRecorded(results)).toMatchFileSnapshot('../recorded/apply-kubectl/direct.yaml');
  }, 60_000);

  test('an object applied client-side moves to server-side apply and back', async () => {
    const results = [
      await apply(config('moved', { x: '1', y: '1' })),
      await apply(config('moved', { x: '2', y: '1' })),
      await apply(config('moved', { x: '3' }), '--server-side'),
      await apply(config('moved', { x: '3', z: '1' }), '--server-side'),
      await apply(config('moved', { x: '4' })),
    ];
    await expect(asRecorded(results)).toMatchFileSnapshot('../recorded/apply-kubectl/moved.yaml');
  }, 60_000);

  test('a definition that is applied server-side keeps its status subresource, and an operator can write to it', async () => {
    const crd = crdOf('Applied', { size: { type: 'integer' } });
    await runner.run('apply', '--server-side', '-f', await runner.fileOf(crd));
    const { body } = await server.session.get(`${crdsPath}/${crd.metadata.name}`);
    expect(body.spec.versions[0].subresources).toStrictEqual({ status: {} });
    // A second apply changes nothing.
    await runner.run('apply', '--server-side', '-f', await runner.fileOf(crd));
    expect((await server.session.get(`${crdsPath}/${crd.metadata.name}`)).body.metadata.generation).toBe(1);
    const objects = pathOf('Applied');
    await until(
      async () => (await server.session.post(objects, objectOf('Applied', 'a', { size: 1 }))).code === 201,
    );
    const written = await server.session.merge(`${objects}/a/status`, { status: { ready: true } });
    expect([written.code, written.body.status]).toStrictEqual([200, { ready: true }]);
  }, 60_000);
});
