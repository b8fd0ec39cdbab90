import { expect, test } from 'vitest';
import { servers } from './servers.ts';

const isReal = servers.length > 1;
if (!isReal)
  console.warn('conformance: kube-apiserver is skipped; set KUBEBUILDER_ASSETS to compare with it');

test.skipIf(!isReal)('every case runs against kube-apiserver, too', () => {
  expect(servers.map(({ name }) => name)).toStrictEqual(['embedded', 'kube-apiserver']);
});
