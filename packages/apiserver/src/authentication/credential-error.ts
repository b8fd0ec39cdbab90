import type { UserInfo } from './user-info.ts';

/** Who a token is, and for which of the audiences asked for. */
export interface Authentication {
  readonly user: UserInfo;
  readonly audiences: readonly string[];
}

/** A token or certificate is not valid. The message says why; that of a token is in the words of kube-apiserver. */
export class CredentialError extends Error {
  override readonly name = 'CredentialError';
}
