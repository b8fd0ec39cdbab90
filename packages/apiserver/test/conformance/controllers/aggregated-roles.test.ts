import { expect, test } from 'vitest';
import { until } from '../../support/fixtures.ts';
import { onEachServer } from '../../support/on-each-server.ts';

const roles = '/apis/rbac.authorization.k8s.io/v1/clusterroles';
const rule = (resource: string) => ({ verbs: ['get'], apiGroups: ['example.com'], resources: [resource] });
const part = (name: string, resources: string[]) => ({
  metadata: { name, labels: { whole: 'yes' } },
  rules: resources.map(rule),
});

onEachServer('aggregated roles', { controllers: true }, (server) => {
  const rulesOf = async (name: string): Promise<any[]> =>
    (await server.session.get(`${roles}/${name}`)).body.rules ?? [];

  test('admin, edit and view have rules', async () => {
    for (const name of ['admin', 'edit', 'view']) await until(async () => (await rulesOf(name)).length > 10);
    const canRead = {
      verbs: ['get', 'list', 'watch'],
      apiGroups: [''],
      resources: ['pods/log', 'pods/status'],
    };
    expect(await rulesOf('view')).toContainEqual(
      expect.objectContaining({ ...canRead, resources: expect.arrayContaining(canRead.resources) }),
    );
  });

  test('a role has the rules of all roles that it selects, once and in the order of their names', async () => {
    await server.session.post(roles, part('part-b', ['b', 'a']));
    await server.session.post(roles, part('part-a', ['a', 'c']));
    await server.session.post(roles, { metadata: { name: 'other' }, rules: [rule('other')] });
    const clusterRoleSelectors = [{ matchLabels: { whole: 'yes' } }];
    await server.session.post(roles, {
      metadata: { name: 'whole' },
      aggregationRule: { clusterRoleSelectors },
      rules: [rule('replaced')],
    });
    await until(async () => (await rulesOf('whole')).length === 3);
    expect(await rulesOf('whole')).toStrictEqual([rule('a'), rule('c'), rule('b')]);
    await server.session.delete(`${roles}/part-a`);
    await until(async () => (await rulesOf('whole')).length === 2);
    expect(await rulesOf('whole')).toStrictEqual([rule('b'), rule('a')]);
  });
});
