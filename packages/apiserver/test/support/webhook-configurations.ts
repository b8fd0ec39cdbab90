import { until } from './fixtures.ts';
import type { Session } from './session.ts';

const registration = '/apis/admissionregistration.k8s.io/v1';

/** A kind of webhook: what its configurations are. */
export type WebhookType = 'Mutating' | 'Validating';

/** The path of the configurations of a type. */
function configurationsOf(type: WebhookType): string {
  return `${registration}/${type.toLowerCase()}webhookconfigurations`;
}

/** A webhook that sees everything, except where the rest says otherwise. */
export function webhookOf(name: string, clientConfig: object, rest: object = {}): any {
  const all = ['*'];
  return {
    name: `${name}.example.com`,
    clientConfig,
    rules: [{ operations: all, apiGroups: all, apiVersions: all, resources: ['*/*'] }],
    sideEffects: 'None',
    admissionReviewVersions: ['v1'],
    ...rest,
  };
}

/**
 * Creates a configuration, and waits until it is in effect: a real server learns it a little later.
 *
 * @param probe sends a request that the last webhook of the configuration sees, and returns whether it was called
 */
export async function configureWebhooks(
  session: Session,
  type: WebhookType,
  { name, webhooks }: { name: string; webhooks: readonly object[] },
  probe: () => Promise<boolean>,
): Promise<void> {
  const kind = `${type}WebhookConfiguration`;
  const body = {
    apiVersion: 'admissionregistration.k8s.io/v1',
    kind,
    metadata: { name },
    webhooks,
  };
  const answer = await session.post(configurationsOf(type), body);
  if (answer.code !== 201) throw new Error(JSON.stringify(answer.body));
  await until(probe);
}
