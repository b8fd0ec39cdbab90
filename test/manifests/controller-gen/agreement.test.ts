import { beforeAll, describe, expect, test } from 'vitest';
import { generate } from '../generate.ts';
import { goOf, typescriptOf } from './combination.ts';
import { combinations } from './combinations.ts';
import { hasGo, runControllerGen } from './controller-gen.ts';
import { differences, options } from './differences.ts';
import { managerTwin, twins } from './twins.ts';

const cases = combinations.map((combination, index) => {
  const group = `case${index}.example.com`;
  return {
    name: combination.name,
    file: `${group}_foos.yaml`,
    path: `case${index}/types.go`,
    typescript: { 'src/foo.ts': typescriptOf(combination, group) },
    go: goOf(combination, group),
  };
});

describe.skipIf(!hasGo)('ots writes what controller-gen writes', () => {
  const seen = new Set<string>();
  let written: Record<string, any[]> = {};
  beforeAll(() => {
    const files = Object.fromEntries(cases.map(({ path, go }) => [path, go]));
    written = runControllerGen(files, [`crd:${options.join(',')}`, 'rbac:roleName=manager-role', 'webhook']);
  });

  /** What controller-gen wrote, with the deliberate differences made. */
  function expected(file: string, go: string): unknown {
    const [crd] = structuredClone(written[file]!);
    for (const { name, apply } of differences) {
      const before = JSON.stringify(crd);
      apply?.(crd, go);
      if (JSON.stringify(crd) !== before) seen.add(name);
    }
    return crd;
  }

  describe.each([
    ['of combinations', cases],
    ['of whole APIs', twins],
  ])('%s', (_, apis) => {
    test.each(apis.map((api) => ({ name: api.file, ...api })))('$name', ({ file, typescript, go }) => {
      expect(generate(typescript)[`config/crd/bases/${file}`]![0]).toEqual(expected(file, go));
    });
  });

  test('of roles', () => {
    expect(generate(managerTwin)['config/rbac/role.yaml']).toEqual(written['role.yaml']);
  });

  test('of webhooks', () => {
    expect(generate(managerTwin)['config/webhook/manifests.yaml']).toEqual(written['manifests.yaml']);
  });

  test('every difference is one that can be seen', () => {
    const visible = differences.filter(({ apply }) => apply).map(({ name }) => name);
    expect([...seen].toSorted()).toEqual(visible.toSorted());
  });
});
