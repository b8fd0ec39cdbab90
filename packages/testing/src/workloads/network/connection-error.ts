/** Why a client cannot connect, as Node.js reports it. */
export class ConnectionError extends Error {
  readonly code: string;
  readonly syscall: string;

  private constructor(code: string, syscall: string, target: string) {
    super(`${syscall} ${code} ${target}`);
    this.code = code;
    this.syscall = syscall;
  }

  /** A name that leads nowhere. */
  static notFound(host: string): ConnectionError {
    return new ConnectionError('ENOTFOUND', 'getaddrinfo', host);
  }

  /** A pod where nothing listens on the port, or a Service without endpoints. */
  static refused(host: string, port: number): ConnectionError {
    return new ConnectionError('ECONNREFUSED', 'connect', `${host}:${port}`);
  }

  /** An address that no running pod has. */
  static unreachable(host: string, port: number): ConnectionError {
    return new ConnectionError('EHOSTUNREACH', 'connect', `${host}:${port}`);
  }
}
