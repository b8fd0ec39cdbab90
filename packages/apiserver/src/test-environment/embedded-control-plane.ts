import { ApiServer } from '../api-server.ts';
import type { ControlPlane } from './control-plane.ts';

/** Starts an API server in this process. */
export async function startEmbedded(): Promise<ControlPlane> {
  const server = await ApiServer.start();
  return { connection: { server: server.url }, stop: () => server.stop() };
}
