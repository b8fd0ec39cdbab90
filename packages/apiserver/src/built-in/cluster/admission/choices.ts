/** The values that fields of webhooks and policies have in common, in the order in which messages list them. */
export const failurePolicies = ['Fail', 'Ignore'];
export const matchPolicies = ['Equivalent', 'Exact'];
export const reinvocationPolicies = ['IfNeeded', 'Never'];
export const operations = ['*', 'CONNECT', 'CREATE', 'DELETE', 'UPDATE'];
/** Those in which there is something to change. */
export const mutatingOperations = ['*', 'CONNECT', 'CREATE', 'UPDATE'];
export const ruleScopes = ['*', 'Cluster', 'Namespaced'];
