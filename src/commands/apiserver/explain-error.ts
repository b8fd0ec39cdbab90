import { DataError, InstallError } from 'ots-apiserver';
import { OtsError } from '../../errors/ots-error.ts';
import { oneLine } from '../../output/one-line.ts';

/** Explains in terms of the command why the server did not start. Returns an unknown error unchanged. */
export function explainError(error: unknown, address: { host: string; port: number }): unknown {
  if (error instanceof InstallError || error instanceof DataError) {
    return new OtsError(error.code, oneLine(error.problem), { hint: oneLine(error.hint), cause: error });
  }
  if (!(error instanceof Error) || !('syscall' in error) || !('code' in error)) return error;
  const { host, port } = address;
  if (error.code === 'EADDRINUSE') {
    return new OtsError('PORT_IN_USE', `Port ${port} of ${oneLine(host)} is in use`, {
      hint: 'Stop the process that uses it, choose another port with --port, or omit --port to use a free one.',
      cause: error,
    });
  }
  if (error.code === 'EACCES' && error.syscall === 'listen') {
    return new OtsError('PORT_NOT_ALLOWED', `Port ${port} needs privileges that this process does not have`, {
      hint: 'Choose port 1024 or higher with --port.',
      cause: error,
    });
  }
  if (error.syscall === 'getaddrinfo' || error.code === 'EADDRNOTAVAIL') {
    return new OtsError('UNKNOWN_HOST', `${oneLine(host)} is not an address of this machine`, {
      hint: 'Correct --host, or omit it to listen on 127.0.0.1.',
      cause: error,
    });
  }
  return error;
}
