import { isSubdomain } from 'ots-apimachinery/names';
import { dnsLabelProblem } from '../../project/names/dns-label.ts';
import type { ReportProblem } from './report-problem.ts';
import type { Webhook } from './webhook-configuration.ts';

const webhookUrl =
  /^https:\/\/(?:[\w.-]+|\[[\da-f:.]+\])(?::\d+)?(?:\/(?:[\w.~!$&'()*+,;=:@/-]|%[\da-f]{2})*)?$/i;

type ClientConfig = NonNullable<Webhook['clientConfig']>;

/**
 * Checks where the API server finds the webhook: as the API server does, and that the name of the service can exist,
 * the URL can be parsed, and ots-runtime serves the path.
 */
export function checkClientConfig(config: ClientConfig, report: ReportProblem): void {
  const { url, service } = config;
  if (url !== undefined && service) {
    report(['clientConfig', 'url'], 'cannot be combined with a path', 'remove one of them');
  } else if (url !== undefined) {
    checkUrl(url, report);
  } else if (service) {
    checkService(service, report);
  } else {
    const hint = 'add path=/…, or url=https://… of a server outside of the cluster';
    report(['clientConfig', 'service', 'path'], 'is missing', hint);
  }
}

function checkUrl(url: string, report: ReportProblem): void {
  if (webhookUrl.test(url) && URL.canParse(url)) return;
  const hint = 'it has the form https://host[:port][/path], without user, query and fragment';
  report(['clientConfig', 'url'], `cannot be '${url}'`, hint);
}

function checkService(service: NonNullable<ClientConfig['service']>, report: ReportProblem): void {
  const at = ['clientConfig', 'service'];
  for (const field of ['name', 'namespace'] as const) {
    const name = service[field];
    const nameProblem = name === undefined ? undefined : dnsLabelProblem(name, 'DNS-1123');
    if (name === undefined) report([...at, field], 'is missing', 'add it');
    else if (nameProblem) report([...at, field], `cannot be '${name}'`, `it ${nameProblem}`);
  }
  const { path } = service;
  const problem = path === undefined ? undefined : pathProblem(path);
  if (problem) report([...at, 'path'], `cannot be '${path}'`, problem);
}

/**
 * The API server also accepts `/` alone or a trailing slash, but ots-runtime does not serve such a path.
 */
function pathProblem(path: string): string | undefined {
  const [before, ...segments] = path.split('/');
  if (before !== '' || segments.length === 0 || segments.includes(''))
    return 'start it with a slash and end it without';
  if (segments.every(isSubdomain)) return undefined;
  return 'between slashes the API server takes lower case letters, digits, dashes and dots';
}
