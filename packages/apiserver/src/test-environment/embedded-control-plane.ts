import { ApiServer } from '../api-server.ts';
import type { Controllers } from '../controllers/controllers.ts';
import type { ControlPlane } from './control-plane.ts';

/** Starts an API server in this process. */
export async function startEmbedded(controllers: Controllers = {}): Promise<ControlPlane> {
  const server = await ApiServer.start({ controllers });
  return { connection: server.connection, stop: () => server.stop() };
}
