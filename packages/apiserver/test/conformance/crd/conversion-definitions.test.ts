import { expect, test } from 'vitest';
import { crdOf, crdsPath, versionOf } from '../../support/fixtures.ts';
import { refusal } from '../../support/normalize.ts';
import { onEachServer } from '../../support/on-each-server.ts';
import { asRecorded } from '../../support/recorded.ts';

const url = 'https://example.com/convert';
const service = { namespace: 'default', name: 'converter' };
const conversionReviewVersions = ['v1'];
const webhookAt = (clientConfig: unknown) => ({
  strategy: 'Webhook',
  webhook: { clientConfig, conversionReviewVersions },
});
const reviewing = (...versions: unknown[]) => ({
  strategy: 'Webhook',
  webhook: { clientConfig: { url }, conversionReviewVersions: versions },
});

const conversions: Record<string, unknown> = {
  'no strategy': {},
  'an empty strategy': { strategy: '' },
  'an unknown strategy': { strategy: 'Magic' },
  'an unknown strategy with a webhook': { ...webhookAt({ url }), strategy: 'Magic' },
  None: { strategy: 'None' },
  'None with a webhook': { ...webhookAt({ url }), strategy: 'None' },
  'None with versions': { strategy: 'None', webhook: { conversionReviewVersions } },
  'None with an empty webhook': { strategy: 'None', webhook: { conversionReviewVersions: [] } },
  'a webhook': webhookAt({ url }),
  'a service': webhookAt({ service }),
  'a service with a path and a port': webhookAt({ service: { ...service, path: '/convert', port: 8443 } }),
  'no webhook': { strategy: 'Webhook' },
  'no address': { strategy: 'Webhook', webhook: { conversionReviewVersions } },
  'an empty address': webhookAt({}),
  'both addresses': webhookAt({ url, service }),
  'no scheme': webhookAt({ url: 'example.com' }),
  'plain HTTP': webhookAt({ url: 'http://example.com' }),
  'everything in a URL': webhookAt({ url: 'https://me@example.com/a?b#c' }),
  'a service without a name': webhookAt({ service: { namespace: 'default', name: '' } }),
  'a service without a namespace': webhookAt({ service: { namespace: '', name: 'converter' } }),
  'a service with a bad port': webhookAt({ service: { ...service, port: 70_000 } }),
  'a service with a bad path': webhookAt({ service: { ...service, path: 'a//b' } }),
  'a bad caBundle': webhookAt({ url, caBundle: Buffer.from('x').toString('base64') }),
  'a caBundle of spaces': webhookAt({ url, caBundle: Buffer.from('  ').toString('base64') }),
  'no versions': reviewing(),
  'an old version': reviewing('v1beta1'),
  'unknown versions': reviewing('v2', 'v3'),
  'an unknown version first': reviewing('v2', 'v1'),
  'a version twice': reviewing('v1', 'v1'),
  'a bad version': reviewing('v1', 'V_1'),
  'a number as version': reviewing(1),
  'null versions': { strategy: 'Webhook', webhook: { clientConfig: { url } } },
};

onEachServer('definitions with conversions', (server) => {
  const crdFor = (kind: string, conversion: unknown) => {
    const crd = crdOf(kind, {});
    crd.spec.versions.push(versionOf('v2', false, {}));
    crd.spec.conversion = conversion;
    return crd;
  };

  test('are checked', async () => {
    const { session } = server;
    const outcomes: Record<string, unknown> = {};
    for (const [index, [title, conversion]] of Object.entries(conversions).entries()) {
      const answer = await session.post(`${crdsPath}?dryRun=All`, crdFor(`Checked${index}`, conversion));
      outcomes[title] =
        answer.code === 201
          ? { code: 201, warnings: answer.warnings, conversion: answer.body.spec.conversion }
          : refusal(answer);
    }
    await expect(asRecorded(outcomes)).toMatchFileSnapshot('../recorded/conversion-definitions.yaml');
  });

  test('can switch between strategies', async () => {
    const { session } = server;
    const path = `${crdsPath}/switcheds.conformance.example.com`;
    await session.post(crdsPath, crdFor('Switched', undefined));
    const outcomes: Record<string, unknown> = {};
    const patch = async (title: string, conversion: unknown) => {
      const answer = await session.merge(path, { spec: { conversion } });
      outcomes[title] =
        answer.code === 200
          ? { generation: answer.body.metadata.generation, conversion: answer.body.spec.conversion }
          : refusal(answer);
    };
    await patch('to a webhook', webhookAt({ service }));
    await patch('to an unknown version', { webhook: { conversionReviewVersions: ['v7'] } });
    await patch('back, with the webhook', { strategy: 'None' });
    await patch('back', { strategy: 'None', webhook: null });
    await patch('no conversion', null);
    await expect(asRecorded(outcomes)).toMatchFileSnapshot('../recorded/conversion-switches.yaml');
  });
});
