import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { apiSource } from './api-source.ts';
import { generate } from './generate.ts';
import { RealServer, hasRealServer } from './real-server.ts';

// Whether a real API server takes of a union what TypeScript takes, and says what is wrong with the rest.
const isReal = hasRealServer('unions and other types');

const crdPath = 'config/crd/bases/a.example.com_foos.yaml';
const foosPath = '/apis/a.example.com/v1/namespaces/default/foos';

const spec = `
  tagged?: { type: 'S3'; bucket: string; region?: string } | { type: 'Git'; 'the-url': string; region?: string } | { type: 'None' };
  list?: ({ kind: 'a'; a: string } | { kind: 'b'; namespace: string })[];
  map?: Record<string, { kind: 'a'; a: string } | { kind: 'b'; b: string }>;
  either?: { s3: { bucket: string } } | { git: { url: string } };
  untagged?: { host: string; port: int32 } | { url: string; path?: string };
  flag?: { enabled: true; size: int32 } | { enabled: false };
  mode?: { v: 1; mode: 'a' } | { v: 2; mode: 'b' | 'c'; note?: 'd' } | { v: 3; mode: 'a'; note?: 'e' };
  maybe?: { type: 'x'; x: string | null } | { type: 'y' } | null;
  port?: int32 | 'auto' | \`\${number}%\`;
  size?: 1 | 2 | 'all';
  host?: \`\${string}.example.com\`;
  pair?: [string, string];
  level?: Exclude<'low' | 'high' | 'max', 'max'>;
  open?: { /** @preserveUnknownFields */ a: unknown; /** @preserveUnknownFields */ b: Record<string, unknown> };
`;

describe.skipIf(!isReal)('a real kube-apiserver', () => {
  let server: RealServer;
  let folder: string;
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'ots-unions-'));
    const [crd] = generate({ 'src/foo.ts': apiSource({ spec }) })[crdPath]!;
    await writeFile(join(folder, 'crd.json'), JSON.stringify(crd));
    server = await RealServer.start({ crds: [join(folder, 'crd.json')] });
  }, 120_000);
  afterAll(async () => {
    await server?.stop();
    await rm(folder, { recursive: true, force: true });
  });

  const post = (value: object) =>
    server.verdict(foosPath, {
      apiVersion: 'a.example.com/v1',
      kind: 'Foo',
      metadata: { name: 'foo' },
      spec: value,
    });

  test.each<object>([
    { tagged: { type: 'S3', bucket: 'b', region: 'r' } },
    { tagged: { type: 'Git', 'the-url': 'u' } },
    { tagged: { type: 'None' } },
    {
      list: [
        { kind: 'a', a: 'a' },
        { kind: 'b', namespace: 'b' },
      ],
    },
    { map: { one: { kind: 'a', a: 'a' }, two: { kind: 'b', b: 'b' } } },
    { either: { s3: { bucket: 'b' } } },
    { either: { git: { url: 'u' } } },
    { untagged: { host: 'h', port: 1 } },
    { untagged: { url: 'u', path: 'p' } },
    { flag: { enabled: true, size: 1 } },
    { flag: { enabled: false } },
    { mode: { v: 1, mode: 'a' } },
    { mode: { v: 2, mode: 'c', note: 'd' } },
    { mode: { v: 2, mode: 'c' } },
    { mode: { v: 3, mode: 'a' } },
    { maybe: null },
    { maybe: { type: 'x', x: null } },
    { maybe: { type: 'x', x: 'x' } },
    { maybe: { type: 'y' } },
    { port: 80 },
    { port: 'auto' },
    { port: '12.5%' },
    { size: 1 },
    { size: 'all' },
    { host: 'a.example.com' },
    { pair: ['a', 'b'] },
    { level: 'high' },
    { open: { a: [1, { b: 2 }], b: { c: { d: 1 } } } },
  ])('accepts %j', async (value) => {
    expect(await post(value)).toBe('accepted');
  });

  test.each<[object, RegExp]>([
    [{ tagged: { bucket: 'b' } }, /spec.tagged.type: Required value/],
    [{ tagged: { type: 'S4', bucket: 'b' } }, /supported values/],
    [{ tagged: { type: 'S3' } }, /bucket is required and the-url must not be set when type is S3/],
    [
      { tagged: { type: 'Git', 'the-url': 'u', bucket: 'b' } },
      /bucket must not be set and the-url is required when type is Git/,
    ],
    [{ tagged: { type: 'None', region: 'r' } }, /bucket, region, the-url must not be set when type is None/],
    [{ list: [{ kind: 'b', a: 'a' }] }, /a must not be set and namespace is required when kind is b/],
    [{ map: { x: { kind: 'b', a: 'a' } } }, /a must not be set and b is required when kind is b/],
    [{ either: {} }, /exactly one of the fields in \[s3 git\] must be set/],
    [{ either: { s3: { bucket: 'b' }, git: { url: 'u' } } }, /exactly one of the fields/],
    [{ untagged: { host: 'h' } }, /one of these must hold/],
    [{ untagged: { host: 'h', port: 1, path: 'p' } }, /one of these must hold/],
    [{ flag: { enabled: true } }, /size is required when enabled is true/],
    [{ flag: { enabled: false, size: 1 } }, /size must not be set when enabled is false/],
    [{ mode: { v: 1, mode: 'b' } }, /mode must be a and note must not be set when v is 1/],
    [{ mode: { v: 2, mode: 'b', note: 'e' } }, /mode must be b or c and note must be d when v is 2/],
    [{ maybe: { type: 'y', x: 'x' } }, /x must not be set when type is y/],
    [{ port: 'none' }, /spec.port in body should match/],
    [{ port: 1.5 }, /spec.port/],
    [{ size: 3 }, /supported values/],
    [{ host: 'a.example.org' }, /should match/],
    [{ host: 'a-example.com' }, /should match/],
    [{ pair: ['a'] }, /at least 2 items/],
    [{ pair: ['a', 'b', 'c'] }, /at most 2 items/],
    [{ level: 'max' }, /supported values/],
  ])('refuses %j', async (value, message) => {
    expect(await post(value)).toMatch(message);
  });
});
