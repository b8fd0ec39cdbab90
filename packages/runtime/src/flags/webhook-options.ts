import type { WebhookServerOptions } from '../webhook/webhook-server.ts';
import { portNumber } from './bind-address.ts';
import type { FlagValues } from './flag-definition.ts';
import { FlagError } from './read-flags.ts';
import type { managerFlags } from './manager-flags.ts';

/**
 * Where webhooks are served, and with which certificate; false if no flag names one.
 * @throws {FlagError} if the flags conflict, or the port is invalid.
 */
export function webhookOptions(values: FlagValues<typeof managerFlags>): WebhookServerOptions | false {
  const certDir = values['webhook-cert-path'];
  const secretName = values['webhook-cert-secret'];
  if (!certDir && !secretName) return false;
  const host = values['webhook-host'];
  const address = { port: portNumber('--webhook-port', values['webhook-port']), ...(host && { host }) };
  if (certDir && secretName) {
    throw new FlagError(
      '--webhook-cert-path and --webhook-cert-secret cannot be combined',
      'Use the first for certificates from elsewhere, or the second for those that the operator creates.',
    );
  }
  if (certDir) {
    return {
      ...address,
      certDir,
      certName: values['webhook-cert-name'],
      keyName: values['webhook-cert-key'],
    };
  }
  const serviceName = values['webhook-service-name'];
  if (!serviceName) {
    throw new FlagError(
      '--webhook-cert-secret needs --webhook-service-name',
      'Set it to the Service of the webhooks: the certificate is issued for its names.',
    );
  }
  return {
    ...address,
    rotator: {
      secretName: secretName!,
      serviceName,
      namespace: values['webhook-service-namespace'] || undefined,
      mutatingWebhookConfigurations: listOf(values['webhook-mutating-configuration']),
      validatingWebhookConfigurations: listOf(values['webhook-validating-configuration']),
    },
  };
}

function listOf(name: string | undefined): string[] {
  return name ? [name] : [];
}
