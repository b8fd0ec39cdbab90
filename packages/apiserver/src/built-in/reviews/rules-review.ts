import { isObject } from '../../json/json-object.ts';
import type { Answer } from '../../registry/resource.ts';
import { badRequest } from '../../status/errors.ts';

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
