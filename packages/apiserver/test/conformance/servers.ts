import { TestEnvironment } from 'ots-testing';
import { Session } from './session.ts';

/** A server that every case runs against. */
export interface Server {
  name: string;
  start(): Promise<{ environment: TestEnvironment; session: Session }>;
}

const assets = process.env['KUBEBUILDER_ASSETS'];

/** The embedded server, and the real one where its binaries are at hand. */
export const servers: readonly Server[] = [
  { name: 'embedded', start: () => start({}) },
  ...(assets ? [{ name: 'kube-apiserver', start: () => start({ KUBEBUILDER_ASSETS: assets }) }] : []),
];

async function start(
  env: Record<string, string>,
): Promise<{ environment: TestEnvironment; session: Session }> {
  const environment = await TestEnvironment.start({ env, controllers: false });
  return { environment, session: new Session(environment.config) };
}
