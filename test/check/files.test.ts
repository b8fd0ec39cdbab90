import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { type Break, checkedProject, expectFindings, findingsIn } from '../support/checked-project.ts';
import { type EditableProject, copyOf } from '../support/copy-of.ts';
import type { TestProject } from '../support/test-project.ts';

let project: TestProject;
beforeAll(async () => {
  project = await checkedProject();
});

const remove = (copy: EditableProject, path: string): void =>
  rmSync(join(copy.directory, path), { recursive: true });

test('a scaffolded project has no findings', async () => {
  expect(await project.run('check')).toEqual({
    code: 0,
    stdout: 'No problems found by 18 rules\n',
    stderr: '',
  });
});

describe('project', () => {
  test.each<Break>([
    [
      'a domain that is not one',
      (copy) => copy.change('PROJECT', (text) => text.replace('domain: example.com', 'domain: Example')),
      ['PROJECT:5: error: The domain "Example" cannot be used: it has upper-case letters (project)'],
    ],
    [
      'YAML that is broken',
      (copy) => copy.write('PROJECT', 'domain: [\n'),
      ['PROJECT:2: error: Not valid YAML'],
    ],
    ['an empty file', (copy) => copy.write('PROJECT', ''), ['PROJECT:1: error: The file is empty (project)']],
  ])('%s', (_, edit, expected) => expectFindings(project, edit, expected));
});

describe('resource-files', () => {
  test.each<Break>([
    [
      'a type that was deleted',
      (copy) => remove(copy, 'src/api/v1/captain.ts'),
      [
        'PROJECT:17: error: src/api/v1/captain.ts is missing: the type of crew.example.com/v1, Kind=Captain (resource-files)',
        "src/webhooks/v1/captain.defaulter.ts:13: error: Captain is not a kind: '../../api/v1/captain.ts' does not exist (manifests)",
        "src/webhooks/v1/captain.validator.ts:13: error: Captain is not a kind: '../../api/v1/captain.ts' does not exist (manifests)",
      ],
    ],
    [
      'a controller that was renamed',
      (copy) => {
        copy.write(
          'src/controllers/captains.controller.ts',
          copy.read('src/controllers/captain.controller.ts'),
        );
        remove(copy, 'src/controllers/captain.controller.ts');
      },
      [
        'PROJECT:14: error: src/controllers/captain.controller.ts is missing: the controller of crew.example.com/v1, Kind=Captain (resource-files)',
        'src/controllers/captains.controller.ts:1: warning: PROJECT has no resource with captains.controller.ts (orphaned-files)',
      ],
    ],
    [
      'a controller that is not in the list',
      (copy) =>
        copy.change('src/controllers/index.ts', (text) => text.replace('  setupCaptainController,\n', '')),
      [
        'src/controllers/index.ts:5: error: setupCaptainController is imported but not in the list, so the controller of Captain never runs (resource-files)',
      ],
    ],
    [
      'a validator that no module imports',
      (copy) =>
        copy.change('src/webhooks/index.ts', (text) =>
          text.replace(/import .*Validator.*\n/, '').replace('  setupCaptainV1Validator,\n', ''),
        ),
      [
        'src/webhooks/index.ts:1: error: src/main.ts does not import src/webhooks/v1/captain.validator.ts, so the validator of Captain never runs (resource-files)',
      ],
    ],
    [
      'a sample that was deleted with its entry',
      (copy) => {
        remove(copy, 'config/samples/crew_v1_captain.yaml');
        copy.write('config/samples/kustomization.yaml', 'resources: []\n');
      },
      [
        'PROJECT:17: warning: config/samples/crew_v1_captain.yaml is missing: the sample of crew.example.com/v1, Kind=Captain (resource-files)',
      ],
    ],
    [
      'a CRD that is not listed',
      (copy) =>
        copy.change('config/crd/kustomization.yaml', (text) =>
          text.replace(/ {2}- bases.*\n/, '  - other.yaml\n'),
        ),
      [
        'config/crd/bases/crew.example.com_captains.yaml:1: warning: config/crd/kustomization.yaml does not name bases/crew.example.com_captains.yaml, so it is not part of any build (kustomization-entries)',
        'config/crd/kustomization.yaml:5: error: config/crd/kustomization.yaml does not list bases/crew.example.com_captains.yaml (resource-files)',
        'config/crd/kustomization.yaml:6: error: resources names other.yaml, which does not exist in config/crd (kustomization-entries)',
      ],
    ],
    [
      'a role that was deleted',
      (copy) => {
        remove(copy, 'config/rbac/captain-viewer-role.yaml');
        copy.change('config/rbac/kustomization.yaml', (text) =>
          text.replace('  - captain-viewer-role.yaml\n', ''),
        );
      },
      [
        'PROJECT:17: warning: config/rbac/captain-viewer-role.yaml is missing: the role viewer of crew.example.com/v1, Kind=Captain (resource-files)',
      ],
    ],
  ])('%s', (_, edit, expected) => expectFindings(project, edit, expected));
});

describe('orphaned-files', () => {
  test.each<Break>([
    [
      'a kind that PROJECT does not have',
      (copy) =>
        copy.write(
          'src/api/v1/sailor.ts',
          copy.read('src/api/v1/captain.ts').replaceAll('Captain', 'Sailor').replaceAll('captain', 'sailor'),
        ),
      [
        'config/crd/bases/crew.example.com_sailors.yaml:1: error: config/crd/bases/crew.example.com_sailors.yaml is missing (manifests)',
        'src/api/v1/sailor.ts:61: warning: PROJECT has no resource crew.example.com/v1 Sailor, which this file defines (orphaned-files)',
      ],
    ],
    [
      'a sample of a version that does not exist',
      (copy) =>
        copy.write(
          'config/samples/crew_v2_captain.yaml',
          copy
            .read('config/samples/crew_v1_captain.yaml')
            .replace('crew.example.com/v1', 'crew.example.com/v2'),
        ),
      [
        'config/samples/crew_v2_captain.yaml:1: warning: config/samples/kustomization.yaml does not name crew_v2_captain.yaml, so it is not part of any build (kustomization-entries)',
        'config/samples/crew_v2_captain.yaml:2: warning: PROJECT has no resource crew.example.com/v2 Captain, of which this is a sample (orphaned-files)',
      ],
    ],
    [
      'roles of a kind that is gone',
      (copy) =>
        copy.write('config/rbac/sailor-admin-role.yaml', copy.read('config/rbac/captain-admin-role.yaml')),
      [
        'config/rbac/sailor-admin-role.yaml:1: warning: config/rbac/kustomization.yaml does not name sailor-admin-role.yaml',
        'config/rbac/sailor-admin-role.yaml:1: warning: PROJECT has no resource for the role in sailor-admin-role.yaml (orphaned-files)',
      ],
    ],
  ])('%s', (_, edit, expected) => expectFindings(project, edit, expected));
});

describe('manifests', () => {
  test('an error in a source has its place there', async () => {
    const copy = copyOf(project);
    copy.change('src/controllers/captain.controller.ts', (text) =>
      text.replace('resources=captains ', 'resource=captains '),
    );
    const findings = await findingsIn(copy);
    expect(findings).toContainEqual(
      expect.objectContaining({
        rule: 'manifests',
        file: 'src/controllers/captain.controller.ts',
        line: 21,
        column: 34,
      }),
    );
  });

  test.each<Break>([
    [
      'a role that is out of date',
      (copy) =>
        copy.change('src/controllers/captain.controller.ts', (text) =>
          text.replace('captains verbs=get;list;watch', 'captains verbs=get;list;watch;patch'),
        ),
      ['config/rbac/role.yaml:15: error: config/rbac/role.yaml is out of date (manifests)'],
    ],
    [
      'a CRD that was deleted',
      (copy) => remove(copy, 'config/crd/bases/crew.example.com_captains.yaml'),
      [
        'config/crd/bases/crew.example.com_captains.yaml:1: error: config/crd/bases/crew.example.com_captains.yaml is missing (manifests)',
      ],
    ],
    [
      'a generated file without a source',
      (copy) =>
        copy.write(
          'config/crd/bases/crew.example.com_sailors.yaml',
          copy.read('config/crd/bases/crew.example.com_captains.yaml'),
        ),
      [
        'config/crd/bases/crew.example.com_sailors.yaml:1: error: config/crd/bases/crew.example.com_sailors.yaml is no longer generated (manifests)',
      ],
    ],
  ])('%s', (_, edit, expected) => expectFindings(project, edit, expected));
});
