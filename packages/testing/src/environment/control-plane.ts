import { ApiServer, type Connection, type Controllers } from 'ots-apiserver';

/** A running API server, embedded or real. */
export interface ControlPlane {
  readonly connection: Connection;
  /** Stops the server and removes everything that it has written. */
  stop(): Promise<void>;
}

/** Starts an API server in this process. */
export async function startEmbedded(controllers: Controllers = {}): Promise<ControlPlane> {
  const server = await ApiServer.start({ controllers });
  return { connection: server.connection, stop: () => server.stop() };
}
