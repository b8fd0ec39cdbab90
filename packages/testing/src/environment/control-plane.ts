import {
  ApiServer,
  type CertifiedUser,
  type Connection,
  type Controllers,
  type OptionalPlugin,
  type ServiceMap,
} from 'ots-apiserver';

/** A certificate authority: its certificate and key in PEM. */
export interface CertificateAuthority {
  cert: string;
  key: string;
}

/** What a control plane starts with. */
export interface ControlPlaneOptions {
  controllers?: Controllers | undefined;
  enableAdmissionPlugins?: readonly OptionalPlugin[] | undefined;
  /** Signs the certificates of clients. Default: created. */
  clientAuthority?: CertificateAuthority | undefined;
}

/** A running API server, embedded or real. */
export interface ControlPlane {
  /** That of the administrator. */
  readonly connection: Connection;
  /** Where the Services listen that webhooks name. */
  readonly services: ServiceMap;
  /** How to reach the server over TLS, without credentials. */
  secureConnection(): Promise<Pick<Connection, 'server' | 'caData'>>;
  /** Issues a client certificate for a user. */
  issueCertificate(user: CertifiedUser): Pick<Connection, 'certData' | 'keyData'>;
  /** To be called when webhook configurations were installed. Undefined where the server resolves their Services itself. */
  installed?(): Promise<void>;
  /** Stops the server and removes everything that it has written. */
  stop(): Promise<void>;
}

/** Starts an API server in this process. */
export function startEmbedded({
  controllers = {},
  enableAdmissionPlugins = [],
  clientAuthority,
}: ControlPlaneOptions): Promise<ControlPlane> {
  return ApiServer.start({
    controllers,
    enableAdmissionPlugins,
    ...(clientAuthority && { clientAuthority }),
  });
}
