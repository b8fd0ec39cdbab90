import { RuntimeError } from '../errors/runtime-error.ts';

/** The serving certificate cannot be used. */
export class CertificateError extends RuntimeError {
  /** Stable; to branch on. */
  readonly code = 'CERTIFICATE';
}
