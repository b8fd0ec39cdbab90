import { expect, test } from 'vitest';
import { installHint } from './install-hint.ts';

test.each([
  ['batch.example.com', /^run npm run install:crds, or install the project/],
  ['cert-manager.io', /^run npm run install:crds, or install the project/],
  ['gateway.networking.k8s.io', /^install the project/],
  ['', /^this version of Kubernetes/],
  ['apps', /^this version of Kubernetes/],
  ['networking.k8s.io', /^this version of Kubernetes/],
])('what to do when %j is not installed', (group, hint) => {
  expect(installHint({ group })).toMatch(hint);
});
