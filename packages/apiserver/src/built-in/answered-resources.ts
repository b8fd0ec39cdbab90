import type { Answer } from '../registry/resource.ts';
import { bindNamedPod } from './pods/subresources/bind-pod.ts';
import {
  localSubjectAccessReview,
  selfSubjectAccessReview,
  subjectAccessReview,
} from './reviews/access-review.ts';
import { selfSubjectRulesReview } from './reviews/rules-review.ts';
import { selfSubjectReview } from './reviews/self-subject-review.ts';
import { tokenReview } from './reviews/token-review.ts';

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
