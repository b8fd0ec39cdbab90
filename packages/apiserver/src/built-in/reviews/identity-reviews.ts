import type { UserInfo } from '../../authentication/user-info.ts';
import { isObject } from '../../json/json-object.ts';
import type { Answer } from '../../registry/resource.ts';
import { badRequest } from '../../status/errors.ts';
import { timestamp } from '../../registry/machinery.ts';

/** TokenReview: whose token is it? This server neither issues nor knows tokens. */
export const tokenReview: Answer = (_machinery, _target, body) => {
  const { spec } = body;
  if (!isObject(spec) || !spec['token'])
    throw badRequest('token is required for TokenReview in authentication');
  return { ...body, status: { user: {}, error: 'invalid bearer token' } };
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
