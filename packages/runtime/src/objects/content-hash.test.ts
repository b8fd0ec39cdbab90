import type { KubernetesObject } from 'ots-kubernetes';
import type { ConfigMap, Secret } from 'ots-kubernetes/core/v1';
import type { ClusterRole } from 'ots-kubernetes/rbac/v1';
import { expect, test } from 'vitest';
import { thing } from '../../test/thing.ts';
import { contentHash } from './content-hash.ts';

const secret = (fields: Partial<Secret>, metadata: Secret['metadata'] = { name: 'a' }): Secret => ({
  apiVersion: 'v1',
  kind: 'Secret',
  metadata,
  ...fields,
});
const configMap = (fields: Partial<ConfigMap>): ConfigMap => ({
  apiVersion: 'v1',
  kind: 'ConfigMap',
  metadata: { name: 'a' },
  ...fields,
});
const role = (verbs: string[]): ClusterRole => ({
  apiVersion: 'rbac.authorization.k8s.io/v1',
  kind: 'ClusterRole',
  metadata: { name: 'a' },
  rules: [{ apiGroups: [''], resources: ['pods'], verbs }],
});

const password = secret({ data: { user: 'YQ==', password: 'aHVudGVyMg==' } });
const settings = configMap({ data: { 'app.conf': 'color=blue\n', ключ: 'значение' } });
const logo = configMap({ binaryData: { 'logo.png': 'iVBORw0KGgo=' } });

// A change of any of these values rolls the pods of every operator that is upgraded.
test.each<[string, readonly (KubernetesObject | undefined)[], string]>([
  ['nothing', [], '4f53cda18c2baa0c'],
  ['a missing object', [undefined], '1d8fc6ceb1f94c63'],
  ['an empty Secret', [secret({})], 'e10808d43975dc40'],
  ['a Secret', [password], 'd5850108f5c60f22'],
  ['a ConfigMap', [settings], '5c286d8f97fc5e40'],
  ['a ConfigMap with binary data', [logo], 'ac3d09eabcb3c945'],
  ['several objects', [password, undefined, settings], '4d3f0fbcbf7cf3ab'],
  ['an object with a spec', [thing('a', 3)], '9b06eb923aaa669d'],
  ['an object without a spec', [role(['get', 'list'])], '94d3fd0a1b6300c0'],
])('the hash of %s never changes', (_, objects, hash) => {
  expect(contentHash(...objects)).toBe(hash);
});

test('what is not content does not count', () => {
  const hash = contentHash(password);
  const other = {
    name: 'b',
    namespace: 'x',
    resourceVersion: '7',
    labels: { a: 'b' },
    managedFields: [{ manager: 'x' }],
  };
  const changed: Secret = { ...password, metadata: other, type: 'Opaque', immutable: true };
  expect(contentHash(changed)).toBe(hash);
  expect(contentHash(secret({ data: { password: 'aHVudGVyMg==', user: 'YQ==' } }))).toBe(hash);
  const withStatus = { ...thing('b', 3), status: { size: 3 } };
  expect(contentHash(withStatus)).toBe(contentHash(thing('a', 3)));
});

test('stringData counts as what the server stores of it', () => {
  const desired = secret({ data: { user: 'YQ==', password: 'b2xk' }, stringData: { password: 'hunter2' } });
  expect(contentHash(desired)).toBe(contentHash(password));
});

test('empty fields of Secrets and ConfigMaps are none; a missing object is another thing', () => {
  expect(contentHash(secret({ data: {} }))).toBe(contentHash(secret({})));
  expect(contentHash(configMap({ data: {}, binaryData: {} }))).toBe(contentHash(configMap({})));
  expect(contentHash(undefined)).not.toBe(contentHash(secret({})));
  expect(contentHash()).not.toBe(contentHash(undefined));
});

test('what differs has another hash', () => {
  const hashes = [
    contentHash(password),
    contentHash(secret({ data: { user: 'YQ==', password: 'aHVudGVyMw==' } })),
    contentHash(secret({ data: { user: 'aHVudGVyMg==', password: 'YQ==' } })),
    contentHash(password, settings),
    contentHash(settings, password),
    contentHash(password, undefined),
    contentHash(configMap({ data: { a: 'YQ==' } })),
    contentHash(configMap({ binaryData: { a: 'YQ==' } })),
    contentHash(role(['get', 'list'])),
    contentHash(role(['list', 'get'])),
  ];
  expect(new Set(hashes).size).toBe(hashes.length);
});
