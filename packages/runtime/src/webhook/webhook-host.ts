import type { Logger } from '../logging/logger.ts';
import type { ConversionRegistry } from './conversion-registry.ts';
import type { WebhookRegistry } from './webhook-registry.ts';

/** What the builders of webhooks need: a `Manager` has it. */
export interface WebhookHost {
  /** Receives what the webhooks log. */
  readonly logger: Logger;
  /** @internal */
  readonly webhooks: WebhookRegistry;
  /** @internal */
  readonly conversions: ConversionRegistry;
}
