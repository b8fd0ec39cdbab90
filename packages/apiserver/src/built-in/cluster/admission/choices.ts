/** Values of fields that webhooks and policies share, in the order in which messages list them. */
export const failurePolicies = ['Fail', 'Ignore'];
export const matchPolicies = ['Equivalent', 'Exact'];
export const reinvocationPolicies = ['IfNeeded', 'Never'];
export const operations = ['*', 'CONNECT', 'CREATE', 'DELETE', 'UPDATE'];
/** The operations that have an object to change. */
export const mutatingOperations = ['*', 'CONNECT', 'CREATE', 'UPDATE'];
export const ruleScopes = ['*', 'Cluster', 'Namespaced'];
