import type { UserInfo } from './user-info.ts';

/** Who a token is, and for which of the audiences asked for. */
export interface Authentication {
  readonly user: UserInfo;
  readonly audiences: readonly string[];
}

/** A token that this server issued is not valid. The message says why, in the words of kube-apiserver. */
export class TokenError extends Error {
  override readonly name = 'TokenError';
}
