import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { type Connection, send } from 'ots-apiserver';

const group = '/apis/admissionregistration.k8s.io/v1';
const label = 'testing.ots/marker';

/**
 * Waits until the webhook configurations that were written before are in effect: a real server reads them through a cache. A
 * further configuration of each kind, which refuses one marked ConfigMap, shows when the cache has all that came before it.
 */
export async function untilInEffect(connection: Connection): Promise<void> {
  await Promise.all(['Mutating', 'Validating'].map((kind) => untilMarkerRefuses(connection, kind)));
}

async function untilMarkerRefuses(connection: Connection, kind: string): Promise<void> {
  const name = `${kind.toLowerCase()}-marker-${randomUUID()}.testing.ots`;
  const collection = `${group}/${kind.toLowerCase()}webhookconfigurations`;
  const webhook = {
    name,
    admissionReviewVersions: ['v1'],
    sideEffects: 'None',
    timeoutSeconds: 1,
    // No webhook listens there: the failed call is the sign.
    clientConfig: { url: 'https://127.0.0.1:1/marker' },
    objectSelector: { matchLabels: { [label]: name.slice(0, 63).replace(/\W+$/, '') } },
    rules: [{ operations: ['CREATE'], apiGroups: [''], apiVersions: ['v1'], resources: ['configmaps'] }],
  };
  const configuration = { kind: `${kind}WebhookConfiguration`, metadata: { name }, webhooks: [webhook] };
  await send(connection, 'POST', collection, {
    apiVersion: 'admissionregistration.k8s.io/v1',
    ...configuration,
  });
  const marked = {
    metadata: { generateName: 'marked-', labels: webhook.objectSelector.matchLabels },
  };
  try {
    for (;;) {
      const { body } = await send(
        connection,
        'POST',
        '/api/v1/namespaces/default/configmaps?dryRun=All',
        marked,
      );
      if (JSON.stringify(body).includes(name)) return;
      await delay(20);
    }
  } finally {
    await send(connection, 'DELETE', `${collection}/${name}`);
  }
}
