import type { Answer } from '../registry/resource.ts';
import { bindNamedPod } from './pods/subresources/bind-pod.ts';
import {
  localSubjectAccessReview,
  selfSubjectAccessReview,
  subjectAccessReview,
  selfSubjectRulesReview,
} from './reviews/access-review.ts';
import { selfSubjectReview, tokenReview } from './reviews/identity-reviews.ts';

/** How to answer creates of resources that are not stored, by `group/plural`. */
export const answeredResources: Readonly<Record<string, Answer>> = {
  '/bindings': bindNamedPod,
  'authentication.k8s.io/selfsubjectreviews': selfSubjectReview,
  'authentication.k8s.io/tokenreviews': tokenReview,
  'authorization.k8s.io/localsubjectaccessreviews': localSubjectAccessReview,
  'authorization.k8s.io/selfsubjectaccessreviews': selfSubjectAccessReview,
  'authorization.k8s.io/selfsubjectrulesreviews': selfSubjectRulesReview,
  'authorization.k8s.io/subjectaccessreviews': subjectAccessReview,
};
