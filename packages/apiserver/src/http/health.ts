import type { ApiRequest } from './api-request.ts';
import { PageNotFoundError } from './page-not-found-error.ts';
import { type Reply, text } from './reply.ts';

/**
 * The names of kube-apiserver's health checks. In one process with everything in memory all of them hold as long
 * as the server answers at all: the names exist for clients that ask for one.
 */
const checks =
  'ping log etcd poststarthook/start-apiserver-admission-initializer poststarthook/generic-apiserver-start-informers poststarthook/start-apiextensions-informers poststarthook/start-apiextensions-controllers poststarthook/crd-informer-synced poststarthook/start-system-namespaces-controller poststarthook/start-cluster-authentication-info-controller poststarthook/storage-readiness poststarthook/start-service-ip-repair-controllers poststarthook/scheduling/bootstrap-system-priority-classes poststarthook/bootstrap-controller poststarthook/start-kube-aggregator-informers poststarthook/apiservice-status-local-available-controller poststarthook/apiservice-status-remote-available-controller poststarthook/apiservice-registration-controller poststarthook/kube-apiserver-autoregistration autoregister-completion poststarthook/apiservice-openapi-controller'.split(
    ' ',
  );
const readyChecks = [
  ...checks.slice(0, 3),
  'etcd-readiness',
  'informer-sync',
  ...checks.slice(3),
  'shutdown',
];

const pages = new Map([
  ['healthz', checks],
  ['livez', checks],
  ['readyz', readyChecks],
]);

/**
 * Answers `/healthz`, `/livez` and `/readyz` and the checks below them. Undefined for other paths.
 *
 * @throws {PageNotFoundError} for a check that does not exist
 */
export function healthPage({ segments, query }: ApiRequest): Reply | undefined {
  const [page = '', ...rest] = segments;
  const names = pages.get(page);
  if (!names) return undefined;
  if (rest.length > 0) {
    if (!names.includes(rest.join('/'))) throw new PageNotFoundError();
    return text(200, 'ok');
  }
  if (!query.has('verbose')) return text(200, 'ok');
  const excluded = new Set(query.getAll('exclude'));
  const lines = names.map((name) => `[+]${name} ${excluded.has(name) ? 'excluded: ok' : 'ok'}`);
  return text(200, `${lines.join('\n')}\n${page} check passed\n`);
}
