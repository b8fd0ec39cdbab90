import { readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { parseAllDocuments } from 'yaml';
import { readBundleFiles } from '../../../src/olm/bundle/bundle-files.ts';
import { textOf, valueOf } from '../../../src/olm/bundle/json.ts';
import type { CertificateProvider } from '../../../src/olm/v1/certificates.ts';
import type { Refusal } from '../../../src/olm/v1/check-bundle.ts';
import { renderForOlmV1 } from '../../../src/olm/v1/render-for-olm-v1.ts';
import { casesOf, hasCorpus } from './corpus.ts';

interface Expected {
  readonly bundle: string;
  readonly namespace: string;
  readonly certificates: CertificateProvider | 'none';
  readonly gates: { readonly SingleOwnNamespaceInstallSupport: boolean; readonly DeploymentConfig: boolean };
  readonly config: unknown;
  readonly ok: boolean;
  readonly errors?: readonly string[];
}

/** The rule and the subject of a refusal in the words of operator-controller. */
const theirs: readonly (readonly [message: RegExp, rule: string])[] = [
  [/^unsupported bundle: apiServiceDefintions/, 'api-service'],
  [/^unsupported bundle: webhookDefinitions/, 'webhook'],
  [/^unsupported bundle: bundle does not support AllNamespaces/, 'all-namespaces'],
  [/^cluster service version contains duplicate strategy deployment spec '(.*)'$/, 'duplicate-deployment'],
  [/^invalid cluster service version strategy deployment name '(.*?)':/, 'deployment-name'],
  [/^bundle contains duplicate custom resource definition '(.*)'$/, 'duplicate-crd'],
  [/references owned custom resource definition '(.*)' not found in bundle$/, 'missing-crd'],
  [/^package name is empty$/, 'package'],
  [/^bundle contains conversion webhook "(.*?)" and supports/, 'conversion-install-mode'],
  [/^webhook of type '.*?' with name '(.*?)' references non-existent deployment/, 'webhook-deployment'],
  [/^duplicate webhook '(.*?)' of type/, 'duplicate-webhook'],
  [/^webhook of type '.*?' has invalid name '(.*?)':/, 'webhook-name'],
  [/^conversion webhooks \[.*\] reference same custom resource definition '(.*)'$/, 'duplicate-conversion'],
  [/^conversion webhook '.*?' references custom resource definition '(.*?)' not owned/, 'conversion-crd'],
  [/^webhook "(.*?)" contains forbidden rule/, 'webhook-rule'],
  [/^unsupported resource "(.*)" with kind/, 'object'],
  [/invalid configuration: unknown field "(.*)"$/, 'configuration'],
  [/invalid configuration: required field "(.*)" is missing$/, 'configuration'],
];

function theirRefusal(message: string): string {
  for (const [pattern, rule] of theirs) {
    const match = pattern.exec(message);
    if (match) return `${rule} ${match[1] ?? ''}`.trim();
  }
  return message;
}

/** Subjects of rules without a name are ours alone. */
function ourRefusal({ rule, subject, detail }: Refusal): string {
  if (rule === 'configuration') return `${rule} ${/\w+/.exec(detail)?.[0]}`;
  if (rule === 'api-service' || rule === 'webhook') return rule;
  return `${rule} ${rule === 'object' ? subject.replace(/^.*\//, '') : subject}`.trim();
}

async function render(directory: string, expected: Expected) {
  const files = await readBundleFiles(path.resolve(directory, expected.bundle));
  return renderForOlmV1(files, {
    namespace: expected.namespace,
    certificates: expected.certificates,
    singleOwnNamespace: expected.gates.SingleOwnNamespaceInstallSupport,
    deploymentConfig: expected.gates.DeploymentConfig,
    ...(expected.config !== null && { configuration: expected.config }),
  });
}

function keyOf(object: unknown): string {
  return [
    textOf(object, 'apiVersion'),
    textOf(object, 'kind'),
    textOf(valueOf(object, 'metadata'), 'name'),
  ].join(' ');
}

describe.skipIf(!hasCorpus)('what OLM v1 renders and refuses', () => {
  test.each(casesOf<Expected>('render-v1'))('$name', async ({ directory, expected }) => {
    const result = await render(directory, expected);
    if ('refusals' in result) {
      expect(result.refusals.map(ourRefusal).toSorted()).toEqual(
        (expected.errors ?? []).map(theirRefusal).toSorted(),
      );
      return;
    }
    const manifests = readFileSync(path.join(directory, 'manifests.yaml'), 'utf8');
    const theirObjects = parseAllDocuments(manifests).map((document) => document.toJS() as unknown);
    const byKey = (left: unknown, right: unknown) => (keyOf(left) < keyOf(right) ? -1 : 1);
    expect(JSON.parse(JSON.stringify(result.objects.toSorted(byKey)))).toEqual(theirObjects.toSorted(byKey));
  });
});
