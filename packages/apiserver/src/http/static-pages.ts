import { type Reply, json, text } from './reply.ts';

/** The release of Kubernetes whose behaviour this server shows. */
const kubernetesVersion = { major: '1', minor: '36', gitVersion: 'v1.36.3' };

const ok = () => text(200, 'ok');

/** Pages that are the same for every server, by path. */
export const staticPages: ReadonlyMap<string, () => Reply> = new Map([
  ['/healthz', ok],
  ['/livez', ok],
  ['/readyz', ok],
  [
    '/version',
    () =>
      json(200, {
        ...kubernetesVersion,
        gitCommit: '',
        gitTreeState: '',
        buildDate: '1970-01-01T00:00:00Z',
        goVersion: '',
        compiler: '',
        platform: `${process.platform}/${process.arch}`,
      }),
  ],
]);
