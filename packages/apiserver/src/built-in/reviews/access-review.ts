import type { SubjectAccessReview } from 'ots-kubernetes/authorization/v1';
import type { BuiltInObject } from '../../json/built-in-object.ts';
import type { ApiObject } from '../../json/api-object.ts';
import type { Answer } from '../../registry/resource.ts';
import { invalidObject, badRequest } from '../../status/errors.ts';
import { type FieldError, invalid } from '../../status/field-error.ts';
import { evaluationError } from './evaluation-error.ts';
import { inGo, validateAccess } from './validate-access.ts';
import { validateEmpty } from './validate-empty.ts';
import { isObject } from '../../json/json-object.ts';

type Review = BuiltInObject<Omit<SubjectAccessReview, 'apiVersion' | 'kind'>>;

/** SubjectAccessReview: may a user or group do something? */
export const subjectAccessReview: Answer = (_machinery, _target, body) =>
  answer(body, (review) => [
    ...validateAccess(review.spec),
    ...validateSubject(review),
    ...validateEmpty(review.metadata, 'must be empty'),
  ]);

/** SelfSubjectAccessReview: may the client do something? */
export const selfSubjectAccessReview: Answer = (_machinery, _target, body) =>
  answer(body, (review) => [
    ...validateAccess(review.spec),
    ...validateEmpty(review.metadata, 'must be empty'),
  ]);

/** LocalSubjectAccessReview: may a user or group do something in the namespace of the request? */
export const localSubjectAccessReview: Answer = (_machinery, _target, body) =>
  answer(body, (review) => [
    ...validateAccess(review.spec),
    ...validateSubject(review),
    ...validateEmpty(review.metadata, 'must be empty except for namespace', ['namespace']),
    ...validateLocal(review),
  ]);

function answer(body: ApiObject, validate: (review: Review) => FieldError[]): ApiObject {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- decoding a body gives every field its type
  const review = { ...body, spec: body['spec'] ?? {} } as Review;
  const errors = validate(review);
  // A real server has dropped the kind by then.
  if (errors.length > 0) throw invalidObject({ group: 'authorization.k8s.io', name: '' }, '', errors);
  const { resourceAttributes } = review.spec;
  const ignored = resourceAttributes ? evaluationError(resourceAttributes) : '';
  return { ...body, status: { ...decide(), ...(ignored !== '' && { evaluationError: ignored }) } };
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

/** The answer to an access review. */
interface AccessDecision {
  allowed: boolean;
}

/** Allows everything, as with `--authorization-mode=AlwaysAllow`. */
function decide(): AccessDecision {
  return { allowed: true };
}

const all = ['*'];

/** SelfSubjectRulesReview: what may the client do in a namespace? Everything: see `decide`. */
export const selfSubjectRulesReview: Answer = (_machinery, _target, { kind, apiVersion, spec }) => {
  if (!isObject(spec) || !spec['namespace']) throw badRequest('no namespace on request');
  return {
    kind,
    apiVersion,
    metadata: {},
    spec: {},
    status: {
      resourceRules: [{ verbs: all, apiGroups: all, resources: all }],
      nonResourceRules: [{ verbs: all, nonResourceURLs: all }],
      incomplete: false,
    },
  };
};
