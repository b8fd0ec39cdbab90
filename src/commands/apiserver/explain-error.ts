import { InstallError } from 'ots-apiserver';
import { OtsError } from '../../errors/ots-error.ts';
import { oneLine } from '../../output/one-line.ts';

const CODES = {
  CRD_PATH: 'NO_CRDS',
  CRD_FILE: 'INVALID_CRD_FILE',
  CRD_INSTALL: 'INVALID_CRD',
} as const;
const HINTS = {
  CRD_PATH: 'Generate them with ots manifests, or correct --crds.',
  CRD_FILE: 'Correct the file.',
  CRD_INSTALL: 'Correct the definition, or generate it with ots manifests.',
} as const;

/** Says what kept the server from starting in the words of the command. What is not known is given back as it is. */
export function explainError(error: unknown, address: { host: string; port: number }): unknown {
  if (error instanceof InstallError) {
    // The message of the library ends with a hint of its own.
    const message = oneLine(error.message.slice(0, -error.hint.length).trim());
    return new OtsError(CODES[error.code], message, { hint: HINTS[error.code], cause: error });
  }
  if (!(error instanceof Error) || !('syscall' in error) || !('code' in error)) return error;
  const { host, port } = address;
  if (error.code === 'EADDRINUSE') {
    return new OtsError('PORT_IN_USE', `Port ${port} of ${oneLine(host)} is in use.`, {
      hint: 'End what uses it, or choose another with --port; without --port a free one is taken.',
      cause: error,
    });
  }
  if (error.code === 'EACCES' && error.syscall === 'listen') {
    return new OtsError('PORT_NOT_ALLOWED', `Port ${port} is not for everybody.`, {
      hint: 'Choose one from 1024 on with --port.',
      cause: error,
    });
  }
  if (error.syscall === 'getaddrinfo' || error.code === 'EADDRNOTAVAIL') {
    return new OtsError('UNKNOWN_HOST', `${oneLine(host)} is no address of this machine.`, {
      hint: 'Correct --host, or leave it out: the server then listens on 127.0.0.1.',
      cause: error,
    });
  }
  return error;
}
