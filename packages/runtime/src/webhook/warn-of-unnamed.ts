import type { RotatorOptions } from '../certificates/rotator-options.ts';
import type { Logger } from '../logging/logger.ts';
import type { WebhookRegistry } from './webhook-registry.ts';

const mutating = {
  option: 'mutatingWebhookConfigurations',
  flag: '--webhook-mutating-configuration',
} as const;
const validating = {
  option: 'validatingWebhookConfigurations',
  flag: '--webhook-validating-configuration',
} as const;
const naming = { mutate: [mutating], validate: [validating], admit: [mutating, validating] };

/**
 * Warns of webhooks that the API server cannot call: the rotator signs their certificate with its own authority, and no
 * configuration to receive that authority was named. CRDs are known from their conversions.
 */
export function warnOfUnnamed(rotator: RotatorOptions, webhooks: WebhookRegistry, logger: Logger): void {
  for (const purpose of ['mutate', 'validate', 'admit'] as const) {
    const paths = webhooks.pathsFor(purpose);
    if (paths.length === 0 || naming[purpose].some(({ option }) => rotator[option]?.length)) continue;
    const ways = naming[purpose].map(({ option, flag }) => `${option} of webhooks.rotator (${flag})`);
    logger.warn(
      { paths, hint: `Name the webhook configuration in ${ways.join(' or ')}.` },
      'the API server does not trust these webhooks until ca.crt of the Secret is in their configuration',
    );
  }
}
