import { spawn } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { crdOf, installCrd, until } from '../../support/fixtures.ts';
import { KubectlRunner, hasKubectl } from './kubectl-runner.ts';
import { onEachServer } from '../../support/on-each-server.ts';

onEachServer('kubectl', { skip: !hasKubectl }, (server) => {
  let runner: KubectlRunner;
  beforeAll(async () => {
    runner = await KubectlRunner.create(server.environment);
    const crd = crdOf('Widget', {
      size: { type: 'integer', description: 'How large it is.', minimum: 0 },
      tags: { type: 'array', items: { type: 'string' } },
    });
    crd.spec.names.shortNames = ['wd'];
    crd.spec.versions[0].additionalPrinterColumns = [
      { name: 'Size', type: 'integer', jsonPath: '.spec.size' },
      { name: 'Tags', type: 'string', jsonPath: '.spec.tags', priority: 1 },
    ];
    await installCrd(server.session, crd);
    await until(async () =>
      JSON.stringify((await server.session.get('/openapi/v3')).body).includes(
        'apis/conformance.example.com/v1',
      ),
    );
  });
  afterAll(async () => {
    await runner.close();
  });

  async function kubectl(...parameters: string[]): Promise<string> {
    return runner.run(...parameters);
  }

  /** The output of kubectl, as words by line. */
  async function words(...parameters: string[]): Promise<string[][]> {
    return (await kubectl(...parameters))
      .trim()
      .split('\n')
      .map((line) => line.split(/\s+/));
  }

  async function fileOf(name: string, object: unknown): Promise<string> {
    const file = path.join(runner.directory, `${name}.json`);
    await writeFile(file, JSON.stringify(object));
    return file;
  }

  const widget = (name: string, spec: unknown) => ({
    apiVersion: 'conformance.example.com/v1',
    kind: 'Widget',
    metadata: { name },
    spec,
  });

  test('create -f, and get in every form', async () => {
    const file = await fileOf('first', widget('first', { size: 3, tags: ['a'] }));
    expect(await kubectl('create', '-f', file)).toBe('widget.conformance.example.com/first created\n');
    expect(await words('get', 'wd')).toStrictEqual([
      ['NAME', 'SIZE'],
      ['first', '3'],
    ]);
    expect(await words('get', 'widgets', '-o', 'wide')).toStrictEqual([
      ['NAME', 'SIZE', 'TAGS'],
      ['first', '3', '["a"]'],
    ]);
    expect(await kubectl('get', 'widgets', '-o', 'name')).toBe('widget.conformance.example.com/first\n');
    expect(await kubectl('get', 'widget', 'first', '-o', 'yaml')).toMatch(
      /^apiVersion: conformance.example.com\/v1\nkind: Widget\n/,
    );
    expect(await kubectl('get', 'wd', 'first', '-o', 'jsonpath={.spec.size}')).toBe('3');
  });

  test('a field that does not exist is refused', async () => {
    const file = await fileOf('strange', widget('strange', { sise: 3 }));
    await expect(kubectl('create', '-f', file)).rejects.toThrow(
      'strict decoding error: unknown field "spec.sise"',
    );
  });

  test('apply creates, changes and leaves objects alone, and diff shows the changes', async () => {
    const file = await fileOf('applied', widget('applied', { size: 1 }));
    expect(await kubectl('apply', '-f', file)).toBe('widget.conformance.example.com/applied created\n');
    expect(await kubectl('apply', '-f', file)).toBe('widget.conformance.example.com/applied unchanged\n');
    await fileOf('applied', widget('applied', { size: 2 }));
    const { code, stdout } = await kubectl('diff', '-f', file).then(
      (output) => ({ code: 0, stdout: output }),
      (error: { code: number; stdout: string }) => error,
    );
    expect(code).toBe(1);
    expect(stdout).toMatch(/^-\s+size: 1\n\+\s+size: 2$/m);
    expect(await kubectl('apply', '-f', file)).toBe('widget.conformance.example.com/applied configured\n');
    expect(await kubectl('delete', '-f', file)).toContain('"applied" deleted');
  });

  test('tables of built-in kinds', async () => {
    const file = await fileOf('cm', {
      apiVersion: 'v1',
      kind: 'ConfigMap',
      metadata: { name: 'shown' },
      data: { a: 'b' },
    });
    await kubectl('apply', '-f', file);
    const [head, row = []] = await words('get', 'cm', 'shown');
    expect(head).toStrictEqual(['NAME', 'DATA', 'AGE']);
    expect(row.slice(0, 2)).toStrictEqual(['shown', '1']);
    expect(await words('get', 'ns', 'default', '--no-headers')).toStrictEqual([
      ['default', 'Active', expect.stringMatching(/^\d+s$/)],
    ]);
    expect(await kubectl('get', 'crd')).toMatch(
      /^NAME +CREATED AT\nwidgets\.conformance\.example\.com +\d{4}-/,
    );
  });

  test('api-resources and api-versions', async () => {
    const lines = await words('api-resources', '--api-group=conformance.example.com', '--no-headers');
    expect(lines).toStrictEqual([['widgets', 'wd', 'conformance.example.com/v1', 'true', 'Widget']]);
    const versions = (await kubectl('api-versions')).split('\n');
    expect(versions).toStrictEqual(expect.arrayContaining(['v1', 'apps/v1', 'conformance.example.com/v1']));
  });

  test('explain', async () => {
    expect(await kubectl('explain', 'widget.spec')).toMatch(/size\t<integer>\n\s+How large it is\./);
    expect(await kubectl('explain', 'wd', '--recursive')).toContain('tags\t<[]string>');
    const pod = await kubectl('explain', 'pod.spec.containers');
    expect(pod).toMatch(/^KIND: +Pod\nVERSION: +v1\n\nFIELD: containers <\[\]Container>/);
    expect(pod).toContain('name\t<string> -required-');
    expect(await kubectl('explain', 'deployment.spec.replicas')).toContain('FIELD: replicas <integer>');
  });

  test('describe', async () => {
    const described = await kubectl('describe', 'widget', 'first');
    expect(described).toMatch(/^Name: +first\nNamespace: +default\n/);
    expect(described).toMatch(/Kind: +Widget\n/);
    expect(await kubectl('describe', 'cm', 'shown')).toContain('Data\n====\na:\n----\nb\n');
  });

  test('get --watch continues', async () => {
    const child = spawn('kubectl', ['get', 'widgets', '--watch', '--output-watch-events'], {
      env: runner.env,
    });
    let output = '';
    child.stdout.on('data', (chunk: Buffer) => (output += chunk.toString()));
    const seen = (text: RegExp) => until(async () => text.test(output));
    await seen(/ADDED +first +3/);
    await kubectl('patch', 'widget', 'first', '--type=merge', '-p', '{"spec":{"size":4}}');
    await seen(/MODIFIED +first +4/);
    await kubectl('delete', 'widget', 'first');
    await seen(/DELETED +first +4/);
    child.kill();
    expect(output.match(/EVENT +NAME/g)).toHaveLength(1);
  });
});
