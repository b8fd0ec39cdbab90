import type { Agent, request as undiciRequest } from 'undici';
import type { ConnectionConfig } from '../kubeconfig/connection-config.ts';

/** Beyond this many connections to one server, requests queue up: more would not make the server faster. */
const maxConnections = 32;
const keepAliveTimeout = 30_000;

/** The connections to one API server. */
export interface Agents {
  request: typeof undiciRequest;
  requests: Agent;
  /** Apart from the capped one: every watch holds a connection for minutes and would starve requests. */
  watches: Agent;
}

/** undici is loaded here, with the first request: it is the greater part of what this package costs at start. */
export async function createAgents(config: ConnectionConfig): Promise<Agents> {
  const { Agent: UndiciAgent, request } = await import('undici');
  const connect = {
    ...(config.caData !== undefined && { ca: config.caData }),
    ...(config.certData !== undefined && { cert: config.certData, key: config.keyData }),
    ...(config.tlsServerName !== undefined && { servername: config.tlsServerName }),
    rejectUnauthorized: !config.insecureSkipTlsVerify,
  };
  // undici's own timeouts would cut a quiet watch; deadlines are set where they are known.
  const common = { connect, headersTimeout: 0, bodyTimeout: 0 };
  return {
    request,
    requests: new UndiciAgent({ ...common, connections: maxConnections, keepAliveTimeout }),
    watches: new UndiciAgent(common),
  };
}
