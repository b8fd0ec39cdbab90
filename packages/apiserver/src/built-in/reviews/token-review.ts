import { isObject } from '../../json/json-object.ts';
import type { Answer } from '../../registry/resource.ts';
import { badRequest } from '../../status/errors.ts';

/** TokenReview: whose token is it? This server neither issues nor knows tokens. */
export const tokenReview: Answer = (_machinery, _target, body) => {
  const { spec } = body;
  if (!isObject(spec) || !spec['token'])
    throw badRequest('token is required for TokenReview in authentication');
  return { ...body, status: { user: {}, error: 'invalid bearer token' } };
};
