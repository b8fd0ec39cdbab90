import type { AdmissionHandler } from './admission-handler.ts';
import { admissionWebhook } from './admission-webhook.ts';
import { patchResponse } from './admission-review.ts';
import type { WebhookHost } from './webhook-host.ts';
import { checkWebhookPath } from './webhook-path.ts';

/**
 * Serves a handler of admission requests at a path: several kinds may be sent to it, as the rules of the webhook
 * configuration say. `addAdmissionHandler(manager, '/validate-images', { handle(request) { … } })`
 * @throws {UsageError} when the path is malformed or taken.
 */
export function addAdmissionHandler(manager: WebhookHost, path: string, handler: AdmissionHandler): void {
  const webhook = admissionWebhook(path, manager.logger, async (request, context) => {
    const { patch = [], warnings, auditAnnotations } = (await handler.handle(request, context)) ?? {};
    return {
      ...patchResponse(patch),
      ...(warnings && { warnings: [...warnings] }),
      ...(auditAnnotations && { auditAnnotations }),
    };
  });
  manager.webhooks.add(checkWebhookPath(path), webhook);
}
