import type { Kind } from 'ots-kubernetes';
import { UsageError } from '../errors/usage-error.ts';

/** What controller-runtime accepts: a configuration that was written for it also works here. */
const pathPattern = /^(?:(?:\/[\w-]+)+|\/)$/;

/** `/mutate-batch-example-com-v1-job` or `/validate-…`: where kubebuilder's manifests expect the webhook of a kind. */
export function webhookPath(action: 'mutate' | 'validate', { group, version, kind }: Kind): string {
  return `/${action}-${group.replaceAll('.', '-')}-${version}-${kind.toLowerCase()}`;
}

/** @throws {UsageError} when the path is neither `/` nor segments of letters, digits, `-` and `_`. */
export function checkWebhookPath(path: string): string {
  if (pathPattern.test(path)) return path;
  throw new UsageError(`${JSON.stringify(path)} is not a webhook path`, "Write it as '/validate-pods'.");
}
