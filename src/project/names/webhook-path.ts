import { maxDnsSubdomainLength } from 'ots-apimachinery/names';
import { apiGroup } from './api-group.ts';
import { didYouMean } from './did-you-mean.ts';
import { toDnsLabel } from './dns-label.ts';
import { quoted } from './quoted.ts';
import { refuse } from './refuse.ts';

/** URL path of the conversion webhook of every kind. */
const conversionPath = '/convert';

/** What a webhook does with an object: change it or validate it. */
export type AdmissionWebhook = 'defaulting' | 'validation';

/**
 * The default URL path of a webhook.
 *
 * @returns such as `/mutate-batch-example-com-v1-jobwatcher`; for the core group `/validate--v1-pod`
 */
export function defaultWebhookPath(
  webhook: AdmissionWebhook,
  resource: { group: string; domain: string; version: string; kind: string; core?: boolean | undefined },
): string {
  const verb = webhook === 'defaulting' ? 'mutate' : 'validate';
  const group = apiGroup(resource).replaceAll('.', '-');
  return `/${verb}-${group}-${resource.version}-${resource.kind.toLowerCase()}`;
}

/**
 * Checks the path of a webhook. kubebuilder also accepts upper case and underscores, which the API server then rejects:
 * every part between slashes must be a DNS-1123 name (ValidateWebhookService).
 *
 * @param taken the paths of all other webhooks of the project
 * @throws {OtsError} `INVALID_WEBHOOK_PATH`, `WEBHOOK_PATH_TAKEN`
 */
export function checkWebhookPath(path: string, taken: Iterable<string>): void {
  const problem = pathProblem(path);
  if (problem) {
    const suggestion = toPath(path);
    refuse(
      'INVALID_WEBHOOK_PATH',
      `The webhook path ${quoted(path)} cannot be used: it ${problem}`,
      didYouMean(
        suggestion === path ? undefined : suggestion,
        'A path consists of "/" and a name of a-z, 0-9 and "-", repeated, such as /mutate-jobs.',
      ),
    );
  }
  const owner =
    path === conversionPath ? 'conversion' : [...taken].includes(path) ? 'another webhook' : undefined;
  if (owner === undefined) return;
  refuse(
    'WEBHOOK_PATH_TAKEN',
    `The webhook path ${quoted(path)} belongs to ${owner}`,
    'Choose another path, or omit the flag for a default that names the kind.',
  );
}

function pathProblem(path: string): string | undefined {
  if (!path.startsWith('/')) return 'does not start with a slash';
  if (path === '/') return 'is the root of the server';
  const [, ...segments] = path.split('/');
  if (segments.includes('')) return 'has an empty part between two slashes or after the last one';
  if (path.length > maxDnsSubdomainLength) {
    return `is ${path.length} characters long, and ${maxDnsSubdomainLength} are allowed`;
  }
  const bad = segments.find((segment) => !/^[a-z0-9]([a-z0-9-]*[a-z0-9])?$/.test(segment));
  return bad === undefined ? undefined : `has the part ${quoted(bad)}, which the API server does not accept`;
}

function toPath(typed: string): string | undefined {
  const segments = typed
    .slice(0, 200)
    .split('/')
    .flatMap((segment) => toDnsLabel(segment, 'DNS-1123') ?? []);
  return segments.length === 0 ? undefined : `/${segments.join('/')}`;
}
