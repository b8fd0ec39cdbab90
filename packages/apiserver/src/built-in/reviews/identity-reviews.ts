import type { UserInfo } from '../../authentication/user-info.ts';
import type { TokenReviewSpec } from 'ots-kubernetes/authentication/v1';
import { CredentialError } from '../../authentication/credential-error.ts';
import { isObject } from '../../json/json-object.ts';
import type { Answer } from '../../registry/resource.ts';
import { badRequest } from '../../status/errors.ts';
import { timestamp } from '../../registry/machinery.ts';

/** TokenReview: whose token is it? */
export const tokenReview: Answer = ({ authenticator }, _target, body) => {
  const { spec } = body;
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- decoding a body gives every field its type
  const { token = '', audiences } = (isObject(spec) ? spec : {}) as Partial<TokenReviewSpec>;
  if (token === '') throw badRequest('token is required for TokenReview in authentication');
  try {
    const found = authenticator.authenticateToken(token, audiences);
    return {
      ...body,
      status: { authenticated: true, user: inReview(found.user), audiences: found.audiences },
    };
  } catch (error) {
    if (!(error instanceof CredentialError)) throw error;
    return { ...body, status: { user: {}, error: error.message } };
  }
};

/** SelfSubjectReview: who is the client? */
export const selfSubjectReview: Answer = (machinery, _target, { kind, apiVersion }, { user }) => ({
  kind,
  apiVersion,
  metadata: { creationTimestamp: timestamp(machinery) },
  status: { userInfo: inReview(user) },
});

/** A user as reviews and admission show it. */
function inReview({ name, uid, groups, extra }: UserInfo): object {
  return { username: name, ...(uid !== undefined && { uid }), groups, ...(extra && { extra }) };
}
