import { className } from '../errors/class-name.ts';
import type { AdmissionHandler } from './admission-handler.ts';
import { type Admit, admissionWebhook } from './admission-webhook.ts';
import { patchResponse } from './admission-review.ts';
import type { WebhookHost } from './webhook-host.ts';
import { checkWebhookPath } from './webhook-path.ts';

/**
 * Serves a handler of admission requests at a path: several kinds may be sent to it, as the rules of the webhook
 * configuration say. `addAdmissionHandler(manager, '/validate-images', { handle(request) { … } })`
 * @throws {UsageError} when the path is malformed or taken.
 */
export function addAdmissionHandler(manager: WebhookHost, path: string, handler: AdmissionHandler): void {
  const admit: Admit = async (request, context) => {
    const { patch = [], warnings, auditAnnotations } = (await handler.handle(request, context)) ?? {};
    return {
      ...patchResponse(patch),
      ...(warnings && { warnings: [...warnings] }),
      ...(auditAnnotations && { auditAnnotations }),
    };
  };
  const webhook = admissionWebhook({ path, logger: manager.logger, author: className(handler), admit });
  manager.webhooks.add(checkWebhookPath(path), webhook);
}
