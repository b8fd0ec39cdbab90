import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { ConfigMap, Secret } from 'ots-kubernetes/core/v1';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { readManifest } from './read-manifest.ts';

const text = `apiVersion: v1
kind: ConfigMap
metadata:
  name: a
data:
  key: value
---
apiVersion: v1
kind: Namespace
metadata:
  name: b
`;
let file = '';
beforeAll(async () => {
  file = path.join(await mkdtemp(path.join(tmpdir(), 'ots-manifest-')), 'sample.yaml');
  await writeFile(file, text);
});
afterAll(() => rm(path.dirname(file), { recursive: true, force: true }));

test('the object of a kind is read as it is written', async () => {
  expect(await readManifest(ConfigMap, file)).toEqual({
    apiVersion: 'v1',
    kind: 'ConfigMap',
    metadata: { name: 'a' },
    data: { key: 'value' },
  });
});

test('a file without the kind, or with two objects of it, is an error', async () => {
  await expect(readManifest(Secret, file)).rejects.toThrow(
    `${file} contains 0 objects of v1 Secret. Name a file with exactly one.`,
  );
  await writeFile(path.join(path.dirname(file), 'other.yaml'), text);
  await expect(readManifest(ConfigMap, path.dirname(file))).rejects.toThrow(
    'contains 2 objects of v1 ConfigMap',
  );
});
