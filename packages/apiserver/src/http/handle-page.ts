import { kubernetesVersion } from 'ots-apimachinery/kubernetes-version';
import { methodNotAllowed } from '../status/errors.ts';
import type { ApiRequest } from './api-request.ts';
import { checkDeclared } from './negotiate.ts';
import { healthPage } from './health.ts';
import { type Reply, json } from './reply.ts';

const { major, minor, patch } = kubernetesVersion;
/** The Kubernetes release that this server reproduces. */
const version = {
  major,
  minor,
  emulationMajor: major,
  emulationMinor: minor,
  minCompatibilityMajor: major,
  minCompatibilityMinor: `${Number(minor) - 1}`,
  gitVersion: `v${major}.${minor}.${patch}`,
  gitCommit: '',
  gitTreeState: '',
  buildDate: '1970-01-01T00:00:00Z',
  goVersion: '',
  compiler: '',
  platform: `${process.platform}/${process.arch}`,
};

/** Answers requests outside of the API: version and health. Undefined for other paths. */
export function handlePage(request: ApiRequest): Reply | undefined {
  if (request.path !== '/version') return healthPage(request);
  if (request.method !== 'GET') throw methodNotAllowed();
  checkDeclared(request.accept, ['application/json']);
  return json(200, version);
}
