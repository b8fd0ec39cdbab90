import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { resources } from './resources.ts';

const find = (group: string, plural: string) =>
  resources.find((entry) => entry.group === group && entry.plural === plural);
const modules = [...new Set(resources.map((entry) => entry.module))];

test.each(modules)('%s holds every kind that the table lists for it', async (module) => {
  const kinds: Record<string, unknown> = await import(
    /* @vite-ignore */ new URL(`${module}.ts`, import.meta.url).href
  );
  for (const entry of resources.filter((resource) => resource.module === module)) {
    const { group, version, kind, plural, scope } = entry;
    expect(kinds[kind]).toMatchObject({ group, version, kind, plural, scope });
  }
  const listed = resources.filter((resource) => resource.module === module).map(({ kind }) => kind);
  expect(Object.keys(kinds).toSorted()).toStrictEqual(listed.toSorted());
});

test.each(modules)('%s loads no module of another group', (module) => {
  const text = readFileSync(new URL(`${module}.ts`, import.meta.url), 'utf8');
  const loaded = [...text.matchAll(/^import \{[^}]*\} from '(.*)';$/gm)].map(([, from]) => from);
  expect(loaded).toStrictEqual(['../kind.ts']);
});

test('the table has the details that discovery has', () => {
  expect(find('apps', 'deployments')).toStrictEqual({
    group: 'apps',
    version: 'v1',
    kind: 'Deployment',
    plural: 'deployments',
    singular: 'deployment',
    shortNames: ['deploy'],
    categories: ['all'],
    scope: 'Namespaced',
    verbs: ['create', 'delete', 'deletecollection', 'get', 'list', 'patch', 'update', 'watch'],
    subresources: [
      {
        name: 'scale',
        verbs: ['get', 'patch', 'update'],
        group: 'autoscaling',
        version: 'v1',
        kind: 'Scale',
      },
      { name: 'status', verbs: ['get', 'patch', 'update'], group: 'apps', version: 'v1', kind: 'Deployment' },
    ],
    module: 'apps/v1',
  });
  expect(find('', 'namespaces')?.verbs).not.toContain('deletecollection');
  expect(find('', 'endpoints')?.singular).toBe('endpoints');
  expect(find('', 'nodes')?.subresources).toContainEqual({
    name: 'proxy',
    verbs: ['create', 'delete', 'get', 'patch', 'update'],
    group: '',
    version: 'v1',
    kind: 'NodeProxyOptions',
  });
});

test('no two entries are of the same resource', () => {
  const keys = resources.map(({ group, version, plural }) => `${group}/${version}/${plural}`);
  expect(new Set(keys).size).toBe(keys.length);
});
