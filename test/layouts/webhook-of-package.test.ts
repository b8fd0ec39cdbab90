import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { readJsonSync, writeJsonSync } from 'fs-extra/esm';
import { expect, test } from 'vitest';
import { run } from '../support/run.ts';
import { temporaryDirectory } from '../support/temporary-directory.ts';

const gvk = ['--group', 'certs', '--version', 'v1', '--kind', 'Certificate'];
const external = ['--external-api-path', '@acme/kinds', '--external-api-domain', 'acme.io'];

test('the webhook tag for a kind of a package contains what ots cannot read there', async () => {
  const project = temporaryDirectory();
  const step = async (...args: string[]) =>
    expect(await run(project, args)).toMatchObject({ code: 0, stderr: '' });
  await step('init', '--skip-install', '--domain', 'example.com', '--project-name', 'sample');
  const manifest = join(project, 'package.json');
  const { dependencies, ...rest } = readJsonSync(manifest);
  writeJsonSync(manifest, { ...rest, dependencies: { ...dependencies, '@acme/kinds': '1.0.0' } });
  await step('create', 'api', ...gvk, '--resource=false', ...external);
  await step('create', 'webhook', ...gvk, '--programmatic-validation');
  const validator = readFileSync(join(project, 'src/webhooks/v1/certificate.validator.ts'), 'utf8');
  expect(validator).toContain(
    ' * @webhook name=vcertificate-v1.certs.acme.io path=/validate-certs-acme-io-v1-certificate groups=certs.acme.io versions=v1 resources=certificates verbs=create;update\n',
  );
  const manifests = readFileSync(join(project, 'config/webhook/manifests.yaml'), 'utf8');
  expect(manifests).toContain('path: /validate-certs-acme-io-v1-certificate');
});
