import type { SubjectAccessReview } from 'ots-kubernetes/authorization/v1';
import type { PolicyRule } from 'ots-kubernetes/rbac/v1';
import type { UserInfo } from '../../authentication/user-info.ts';
import type { Attributes } from '../../authorization/attributes.ts';
import { aggregate } from '../../authorization/rbac-authorizer.ts';
import type { Machinery } from '../../registry/machinery.ts';
import type { BuiltInObject } from '../../json/built-in-object.ts';
import type { ApiObject } from '../../json/api-object.ts';
import type { Answer } from '../../registry/resource.ts';
import { invalidObject, badRequest } from '../../status/errors.ts';
import { type FieldError, invalid } from '../../status/field-error.ts';
import { evaluationError, fieldTermsOf } from './review-selectors.ts';
import { inGo, validateAccess } from './validate-access.ts';
import { validateEmpty } from './validate-empty.ts';
import { isObject } from '../../json/json-object.ts';

type Review = BuiltInObject<Omit<SubjectAccessReview, 'apiVersion' | 'kind'>>;

/** SubjectAccessReview: may a user or group do something? */
export const subjectAccessReview: Answer = (machinery, _target, body) =>
  answer(machinery, body, subjectOf, (review) => [
    ...validateAccess(review.spec),
    ...validateSubject(review),
    ...validateEmpty(review.metadata, 'must be empty'),
  ]);

/** SelfSubjectAccessReview: may the client do something? */
export const selfSubjectAccessReview: Answer = (machinery, _target, body, { user }) =>
  answer(
    machinery,
    body,
    () => user,
    (review) => [...validateAccess(review.spec), ...validateEmpty(review.metadata, 'must be empty')],
  );

/** LocalSubjectAccessReview: may a user or group do something in the namespace of the request? */
export const localSubjectAccessReview: Answer = (machinery, _target, body) =>
  answer(machinery, body, subjectOf, (review) => [
    ...validateAccess(review.spec),
    ...validateSubject(review),
    ...validateEmpty(review.metadata, 'must be empty except for namespace', ['namespace']),
    ...validateLocal(review),
  ]);

function answer(
  { authorizer }: Machinery,
  body: ApiObject,
  userOf: (review: Review) => UserInfo,
  validate: (review: Review) => FieldError[],
): ApiObject {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- decoding a body gives every field its type
  const review = { ...body, spec: body['spec'] ?? {} } as Review;
  const errors = validate(review);
  // A real server has dropped the kind by then.
  if (errors.length > 0) throw invalidObject({ group: 'authorization.k8s.io', name: '' }, '', errors);
  const { resourceAttributes } = review.spec;
  const ignored = resourceAttributes ? evaluationError(resourceAttributes) : '';
  const { allowed, reason } = authorizer.authorize(attributesOf(userOf(review), review));
  return {
    ...body,
    status: {
      allowed,
      ...(reason !== '' && { reason }),
      ...(ignored !== '' && { evaluationError: ignored }),
    },
  };
}

function subjectOf({ spec: { user = '', groups = [], uid, extra } }: Review): UserInfo {
  return { name: user, groups, ...(uid !== undefined && { uid }), ...(extra && { extra }) };
}

function attributesOf(user: UserInfo, { spec }: Review): Attributes {
  const { resourceAttributes, nonResourceAttributes } = spec;
  if (!resourceAttributes) return { user, verb: '', path: '', ...nonResourceAttributes };
  const { verb = '', group = '', version = '', resource = '', subresource = '' } = resourceAttributes;
  const { namespace = '', name = '', fieldSelector: selector } = resourceAttributes;
  const fieldSelector = selector && fieldTermsOf(selector);
  return {
    user,
    verb,
    group,
    version,
    resource,
    subresource,
    namespace,
    name,
    ...(fieldSelector && { fieldSelector }),
  };
}

function validateSubject({ spec: { user = '', groups = [] } }: Review): FieldError[] {
  if (user !== '' || groups.length > 0) return [];
  return [invalid('spec.user', user, 'at least one of user or group must be specified')];
}

function validateLocal({ metadata, spec }: Review): FieldError[] {
  const { resourceAttributes, nonResourceAttributes } = spec;
  const asked = resourceAttributes?.namespace ?? '';
  const field = 'spec.resourceAttributes.namespace';
  return [
    ...(resourceAttributes && asked !== metadata.namespace
      ? [invalid(field, asked, 'must match metadata.namespace')]
      : []),
    ...(nonResourceAttributes
      ? [
          invalid(
            'spec.nonResourceAttributes',
            inGo(nonResourceAttributes),
            'disallowed on this kind of request',
          ),
        ]
      : []),
  ];
}

/** SelfSubjectRulesReview: what may the client do in a namespace? */
export const selfSubjectRulesReview: Answer = (
  { authorizer },
  _target,
  { kind, apiVersion, spec },
  { user },
) => {
  const namespace = isObject(spec) ? spec['namespace'] : undefined;
  if (typeof namespace !== 'string' || namespace === '') throw badRequest('no namespace on request');
  const { rules, problems, isIncomplete } = authorizer.rulesFor(user, namespace);
  return {
    kind,
    apiVersion,
    metadata: {},
    spec: {},
    status: {
      resourceRules: rules.filter(({ resources = [] }) => resources.length > 0).map(toResourceRule),
      nonResourceRules: rules
        .filter(({ nonResourceURLs = [] }) => nonResourceURLs.length > 0)
        .map(({ verbs, nonResourceURLs }) => ({ verbs, nonResourceURLs })),
      incomplete: isIncomplete,
      ...(problems.length > 0 && { evaluationError: aggregate(problems) }),
    },
  };
};

function toResourceRule({ verbs, apiGroups, resources, resourceNames }: PolicyRule): object {
  return { verbs, apiGroups, resources, ...(resourceNames && { resourceNames }) };
}
