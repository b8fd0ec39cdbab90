import { beforeAll, describe, expect, test } from 'vitest';
import { rbacRecord } from '../../packages/testing/src/requests/rbac-record.ts';
import { type EditableProject, copyOf } from '../support/copy-of.ts';
import { type TestProject, testProject } from '../support/test-project.ts';

let project: TestProject;
beforeAll(async () => {
  project = await testProject(['create', 'api', '--group', 'crew', '--version', 'v1', '--kind', 'Captain']);
});

const controller = 'src/controllers/captain.controller.ts';
const user = 'system:serviceaccount:system:controller-manager';
const group = 'crew.example.com';
const captains = { group, resource: 'captains', namespace: 'system', name: '', count: 1 };
const status = { ...captains, resource: 'captains/status', name: 'a' };
/** What uses every rule of a scaffolded controller. */
const all = [
  ...['get', 'list', 'watch'].map((verb) => ({ ...captains, verb })),
  ...['get', 'update', 'patch'].map((verb) => ({ ...status, verb })),
  { ...captains, resource: 'captains/finalizers', name: 'a', verb: 'update' },
];

interface Finding {
  code: string;
  message: string;
  hint: string;
  tags: string[];
  className?: string;
  file?: string;
  line?: number;
}

function record(copy: EditableProject, requests: readonly object[]): void {
  copy.write('record.json', JSON.stringify({ version: 1, user, requests }));
}

async function findingsFor(copy: EditableProject, requests: readonly object[]): Promise<Finding[]> {
  record(copy, requests);
  const report = JSON.parse(await copy.succeed('manifests', '--rbac-from', 'record.json', '--json'));
  expect(report).toMatchObject({ command: 'manifests', rbac: { record: 'record.json', user } });
  return report.rbac.findings;
}

/** The number of the line with a text. */
function lineOf(copy: EditableProject, text: string): number {
  return (
    copy
      .read(controller)
      .split('\n')
      .findIndex((line) => line.includes(text)) + 1
  );
}

describe('ots manifests --rbac-from', () => {
  test('has nothing to say about tags that grant what was used', async () => {
    const copy = copyOf(project);
    const everyone = [
      { verb: 'get', path: '/version', count: 1 },
      { verb: 'get', path: '/openapi/v3/apis', count: 1 },
      {
        ...captains,
        verb: 'create',
        group: 'authorization.k8s.io',
        resource: 'selfsubjectaccessreviews',
      },
    ];
    expect(await findingsFor(copy, [...all, ...everyone])).toEqual([]);
    expect(await copy.succeed('manifests', '--rbac-from', 'record.json')).toBe(
      'The @rbac tags grant what 10 recorded requests used, and nothing else.\n',
    );
  });

  test('names rules that were not used, with their place and the tag to write', async () => {
    const copy = copyOf(project);
    const used = all.filter(({ verb, resource }) => verb !== 'get' && !resource.endsWith('/finalizers'));
    const place = { file: controller, className: 'CaptainReconciler' };
    const line = lineOf(copy, 'resources=captains ');
    expect(await findingsFor(copy, used)).toMatchObject([
      {
        ...place,
        code: 'wide-rule',
        line,
        tags: [`@rbac groups=${group} resources=captains verbs=list;watch`],
      },
      {
        ...place,
        code: 'wide-rule',
        line: line + 1,
        tags: [`@rbac groups=${group} resources=captains/status verbs=patch;update`],
      },
      { ...place, code: 'unused-rule', line: line + 2, tags: [], hint: 'Remove it.' },
    ]);
    expect(await copy.succeed('manifests', '--rbac-from', 'record.json')).toContain(
      `${controller}:${line}:4: the recorded requests used only a part of this rule
  ${line} |  * @rbac groups=${group} resources=captains verbs=get;list;watch
     |    ^^^^^
  hint: Write @rbac groups=${group} resources=captains verbs=list;watch instead.
`,
    );
  });

  test('names rules that are missing, and the class that has a tag for the resource', async () => {
    const copy = copyOf(project);
    const missing = [
      { ...captains, verb: 'create' },
      { ...captains, group: '', resource: 'pods', verb: 'list' },
      { verb: 'get', path: '/metrics', count: 1 },
    ];
    const className = 'CaptainReconciler';
    const code = 'missing-rule';
    const hint = 'Add it to CaptainReconciler.';
    expect(await findingsFor(copy, [...all, ...missing])).toMatchObject([
      { code, className, hint, tags: ['@rbac urls=/metrics verbs=get'] },
      { code, className, hint, tags: ['@rbac groups=core resources=pods verbs=list;watch'] },
      { code, className, hint, tags: [`@rbac groups=${group} resources=captains verbs=create`] },
    ]);
  });

  test('names no class when none is known', async () => {
    const copy = copyOf(project);
    copy.change(controller, (text) => text.replaceAll(/^ \* @rbac.*\n/gm, ''));
    const [finding, ...others] = await findingsFor(copy, [{ ...captains, verb: 'create' }]);
    expect(others).toEqual([]);
    expect(finding).toEqual({
      code: 'missing-rule',
      message: `@rbac groups=${group} resources=captains verbs=create is missing`,
      hint: 'Add it to the comment of the class that needs it.',
      tags: [`@rbac groups=${group} resources=captains verbs=create`],
    });
    expect(await copy.succeed('manifests', '--rbac-from', 'record.json')).toBe(
      `${finding?.message}\n  hint: ${finding?.hint}\n`,
    );
  });

  test('narrows wildcards, and keeps names and patterns of paths', async () => {
    const copy = copyOf(project);
    copy.change(controller, (text) =>
      text.replace(
        ` * @rbac`,
        ` * @rbac groups=apps resources=* verbs=*
 * @rbac groups=core resources=secrets resourceNames=a;b verbs=get
 * @rbac urls=/metrics/*;/debug verbs=get
 * @rbac groups=core resources=configmaps namespace=other verbs=get;list
 * @rbac groups=core resources=nodes roleName=readers verbs=get
 * @rbac`,
      ),
    );
    const core = { ...captains, group: '' };
    const findings = await findingsFor(copy, [
      ...all,
      { ...captains, group: 'apps', resource: 'deployments/scale', name: 'a', verb: 'patch' },
      { ...core, resource: 'secrets', name: 'a', verb: 'get' },
      { verb: 'get', path: '/metrics/slis', count: 1 },
      { ...core, resource: 'configmaps', namespace: 'other', verb: 'list' },
      { ...core, resource: 'configmaps', namespace: 'third', name: 'a', verb: 'get' },
    ]);
    expect(findings.map(({ code, tags }) => [code, ...tags])).toEqual([
      ['wide-rule', '@rbac groups=apps resources=deployments/scale verbs=patch'],
      ['wide-rule', '@rbac groups=core resources=secrets resourceNames=a verbs=get'],
      ['wide-rule', '@rbac urls=/metrics/* verbs=get'],
      ['wide-rule', '@rbac groups=core resources=configmaps namespace=other verbs=list'],
      ['missing-rule', '@rbac groups=core resources=configmaps verbs=get'],
    ]);
  });

  test('reads what a test environment writes', async () => {
    const copy = copyOf(project);
    const outcome = { user, code: 200, milliseconds: 1, dryRun: false, annotations: {} };
    const none = { namespace: '', name: '', path: '', ...outcome };
    const recorded = all.map(({ verb, resource: full, name }) => {
      const [resource = '', subresource = ''] = full.split('/');
      return { ...none, verb, group, resource, subresource, name };
    });
    const version = { ...none, verb: 'get', group: '', resource: '', subresource: '', path: '/version' };
    copy.write('record.json', JSON.stringify(rbacRecord(user, [...recorded, ...recorded, version])));
    expect(await copy.succeed('manifests', '--rbac-from', 'record.json')).toContain('8 recorded requests');
  });

  test.each([
    ['a file that does not exist', undefined, 'does not exist'],
    ['text', 'no', 'is not a record of requests'],
    ['another version', '{"version":2,"user":"","requests":[]}', 'is not a record of requests'],
    ['a request without a verb', '{"version":1,"user":"","requests":[{}]}', 'is not a record of requests'],
    ['no list', '{"version":1,"user":"","requests":{}}', 'is not a record of requests'],
  ])('refuses %s', async (_, content, problem) => {
    const copy = copyOf(project);
    if (content !== undefined) copy.write('record.json', content);
    expect(await copy.refuse('manifests', '--rbac-from', 'record.json')).toMatchObject({
      code: 'RBAC_RECORD',
      message: `record.json ${problem}`,
      hint: expect.stringContaining('environment.requests.write'),
    });
  });
});
