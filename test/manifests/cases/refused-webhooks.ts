/** What is written in a @webhook tag besides the least, and what is said of it. */
export interface RefusedWebhook {
  readonly name: string;
  /** Arguments in the object form; they replace those of `webhookArguments`. */
  readonly arguments: Readonly<Record<string, string | undefined>>;
  /** Where the error points: the source begins with this there. */
  readonly at: string;
  readonly message: string;
  readonly hint?: RegExp;
  /** A merge patch for a good webhook that makes it what was written; the API server refuses that too. */
  readonly spoils?: object;
  /** Makes the case one of a validating webhook for the API server. */
  readonly validating?: true;
}

const rule = { apiGroups: [''], apiVersions: ['v1'], operations: ['CREATE'], resources: ['pods'] };
const spoilsRule = (fields: object) => ({ rules: [{ ...rule, ...fields }] });
const service = { name: 'webhook-service', namespace: 'system' };
const selector = (expression: object) => ({ namespaceSelector: { matchExpressions: [expression] } });
const long = 'a'.repeat(64);
/** JSON that may stand in a comment. */
const inComment = (value: unknown) => JSON.stringify(value).replaceAll('*/', '*\\/');

export const refusedWebhooks: readonly RefusedWebhook[] = [
  // Arguments.
  { name: 'no name', arguments: { name: undefined }, at: '@webhook', message: '@webhook: name is missing' },
  { name: 'no rule', arguments: { verbs: undefined }, at: '@webhook', message: '@webhook: verbs is missing' },
  {
    name: 'a misspelled argument',
    arguments: { sideEfects: 'None' },
    at: 'sideEfects',
    message: '@webhook: unknown argument sideEfects',
    hint: /did you mean sideEffects/,
  },
  {
    name: 'mutating that is not a boolean',
    arguments: { mutating: 'yes' },
    at: 'mutating',
    message: '@webhook: mutating must be true or false',
  },
  {
    name: 'a list for one value',
    arguments: { name: '[m.kb.io]' },
    at: 'name',
    message: '@webhook: name takes one value, not a list',
  },
  {
    name: 'an object for one value',
    arguments: { name: '{a: b}' },
    at: 'name',
    message: '@webhook: name takes a plain value or a list of plain values',
  },
  {
    name: 'an empty list',
    arguments: { resources: '[]' },
    at: 'resources',
    message: '@webhook: resources is empty',
  },
  {
    name: 'a timeout that is not a number',
    arguments: { timeoutSeconds: 'long' },
    at: 'timeoutSeconds',
    message: '@webhook: timeoutSeconds must be an integer',
  },
  {
    name: 'another version of the API',
    arguments: { webhookVersions: '[v1beta1]' },
    at: 'webhookVersions',
    message: '@webhook: webhookVersions cannot be v1beta1; it is any of v1',
  },
  // The name.
  {
    name: 'a name with two parts',
    arguments: { name: 'kb.io' },
    at: 'name',
    message: 'name is not valid: should be a domain with at least three segments separated by dots',
    hint: /at least three parts/,
    spoils: { name: 'kb.io' },
  },
  {
    name: 'a name in upper case',
    arguments: { name: 'M.kb.io' },
    at: 'name',
    message:
      "name is not valid: a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', and must start and end with an alphanumeric character",
    spoils: { name: 'M.kb.io' },
  },
  {
    name: 'a name that is too long',
    arguments: { name: `${'a.'.repeat(126)}io` },
    at: 'name',
    message: 'name is not valid: must be no more than 253 characters',
    spoils: { name: `${'a.'.repeat(126)}io` },
  },
  // Values of few.
  {
    name: 'another failure policy',
    arguments: { failurePolicy: 'Retry' },
    at: 'failurePolicy',
    message: 'failurePolicy is not valid: Unsupported value: "Retry": supported values: "Fail", "Ignore"',
    hint: /Fail, Ignore/,
    spoils: { failurePolicy: 'Retry' },
  },
  {
    name: 'a misspelled failure policy',
    arguments: { failurePolicy: 'Ingore' },
    at: 'failurePolicy',
    message: 'failurePolicy is not valid: Unsupported value: "Ingore": supported values: "Fail", "Ignore"',
    hint: /did you mean Ignore\?/,
    spoils: { failurePolicy: 'Ingore' },
  },
  {
    name: 'side effects',
    arguments: { sideEffects: 'Some' },
    at: 'sideEffects',
    message: 'sideEffects is not valid: Unsupported value: "Some": supported values: "None", "NoneOnDryRun"',
    hint: /None, NoneOnDryRun/,
    spoils: { sideEffects: 'Some' },
  },
  {
    name: 'misspelled side effects',
    arguments: { sideEffects: 'NoneOnDryrum' },
    at: 'sideEffects',
    message:
      'sideEffects is not valid: Unsupported value: "NoneOnDryrum": supported values: "None", "NoneOnDryRun"',
    hint: /did you mean NoneOnDryRun\?/,
    spoils: { sideEffects: 'NoneOnDryrum' },
  },
  {
    name: 'another match policy',
    arguments: { matchPolicy: 'Fuzzy' },
    at: 'matchPolicy',
    message: 'matchPolicy is not valid: Unsupported value: "Fuzzy": supported values: "Equivalent", "Exact"',
    spoils: { matchPolicy: 'Fuzzy' },
  },
  {
    name: 'another reinvocation policy',
    arguments: { reinvocationPolicy: 'Always' },
    at: 'reinvocationPolicy',
    message:
      'reinvocationPolicy is not valid: Unsupported value: "Always": supported values: "IfNeeded", "Never"',
    spoils: { reinvocationPolicy: 'Always' },
  },
  {
    name: 'reinvocation of a validating one',
    arguments: { mutating: 'false', reinvocationPolicy: 'Never' },
    at: 'reinvocationPolicy',
    message: 'reinvocationPolicy is for mutating webhooks only',
    hint: /remove it/,
    spoils: { reinvocationPolicy: 'Never' },
    validating: true,
  },
  {
    name: 'a timeout of 31',
    arguments: { timeoutSeconds: '31' },
    at: 'timeoutSeconds',
    message: 'timeoutSeconds is not valid: the timeout value must be between 1 and 30 seconds',
    hint: /1 to 30/,
    spoils: { timeoutSeconds: 31 },
  },
  {
    name: 'a timeout of 0',
    arguments: { timeoutSeconds: '0' },
    at: 'timeoutSeconds',
    message: 'timeoutSeconds is not valid: the timeout value must be between 1 and 30 seconds',
    spoils: { timeoutSeconds: 0 },
  },
  {
    name: 'an unknown review version',
    arguments: { admissionReviewVersions: '[v1, v2]' },
    at: 'v2',
    message: "admissionReviewVersions cannot have 'v2'",
    hint: /v1 and v1beta1/,
  },
  {
    name: 'only an unknown review version',
    arguments: { admissionReviewVersions: '[v2]' },
    at: 'v2',
    message: "admissionReviewVersions cannot have 'v2'",
    spoils: { admissionReviewVersions: ['v2'] },
  },
  {
    name: 'a review version twice',
    arguments: { admissionReviewVersions: '[v1, v1]' },
    at: 'v1]',
    message: 'admissionReviewVersions is not valid: duplicate version',
    spoils: { admissionReviewVersions: ['v1', 'v1'] },
  },
  {
    name: 'a review version that the runtime does not answer first',
    arguments: { admissionReviewVersions: '[v1beta1, v1]' },
    at: 'admissionReviewVersions',
    message: 'admissionReviewVersions must begin with v1',
    hint: /ots-runtime answers v1 only/,
  },
  // Where the webhook is.
  {
    name: 'neither path nor url',
    arguments: { path: undefined },
    at: '@webhook',
    message: 'path is missing',
    hint: /add path=\/….*url=https/,
    spoils: { clientConfig: { service: null } },
  },
  {
    name: 'path and url',
    arguments: { url: '"https://a.example.com"' },
    at: 'url',
    message: 'url cannot be combined with a path',
    spoils: { clientConfig: { url: 'https://a.example.com' } },
  },
  {
    name: 'a path without slash',
    arguments: { path: 'm' },
    at: 'path',
    message: "path cannot be 'm'",
    hint: /start it with a slash/,
    spoils: { clientConfig: { service: { path: 'm' } } },
  },
  {
    name: 'a path with a slash at its end',
    arguments: { path: '/m/' },
    at: 'path',
    message: "path cannot be '/m/'",
  },
  { name: 'the root', arguments: { path: '/' }, at: 'path', message: "path cannot be '/'" },
  { name: 'an empty path', arguments: { path: "''" }, at: 'path', message: "path cannot be ''" },
  {
    name: 'a path with two slashes',
    arguments: { path: '/a//b' },
    at: 'path',
    message: "path cannot be '/a//b'",
    spoils: { clientConfig: { service: { path: '/a//b' } } },
  },
  {
    name: 'a path in upper case',
    arguments: { path: '/Mutate_foo' },
    at: 'path',
    message: "path cannot be '/Mutate_foo'",
    hint: /lower case letters, digits, dashes and dots/,
    spoils: { clientConfig: { service: { path: '/Mutate_foo' } } },
  },
  ...[
    'http://a.example.com',
    'https://',
    'https://u:p@a.example.com',
    'https://a.example.com/?a=b',
    'https://a.example.com/#a',
    'https://a.example.com/%zz',
    'a.example.com',
  ].map((url): RefusedWebhook => ({
    name: `the url ${url}`,
    arguments: { path: undefined, url: JSON.stringify(url) },
    at: 'url',
    message: `url cannot be '${url}'`,
    hint: /https:\/\/host/,
    spoils: { clientConfig: { service: null, url } },
  })),
  {
    name: 'a service of a url',
    arguments: { path: undefined, url: '"https://a.example.com"', serviceName: 'a' },
    at: 'serviceName',
    message: 'serviceName has no effect without a path',
  },
  {
    name: 'a port of a url',
    arguments: { path: undefined, url: '"https://a.example.com"', servicePort: '1' },
    at: 'servicePort',
    message: 'servicePort has no effect without a path',
  },
  {
    name: 'a port that is none',
    arguments: { servicePort: '65536' },
    at: 'servicePort',
    message: 'servicePort is not valid: port is not valid: must be between 1 and 65535, inclusive',
    hint: /1 to 65535/,
    spoils: { clientConfig: { service: { port: 65_536 } } },
  },
  {
    name: 'an empty service name',
    arguments: { serviceName: '""' },
    at: 'serviceName',
    message: "serviceName cannot be ''",
    spoils: { clientConfig: { service: { ...service, name: '' } } },
  },
  {
    name: 'a namespace that is none',
    arguments: { serviceNamespace: 'In_fra' },
    at: 'serviceNamespace',
    message: "serviceNamespace cannot be 'In_fra'",
    hint: /upper-case/,
  },
  // Rules.
  {
    name: 'an unknown operation',
    arguments: { verbs: '[CREATE, UPDAT]' },
    at: 'UPDAT',
    message:
      'verbs is not valid: Unsupported value: "UPDAT": supported values: "*", "CONNECT", "CREATE", "DELETE", "UPDATE"',
    hint: /did you mean UPDATE\?/,
    spoils: spoilsRule({ operations: ['CREATE', 'UPDAT'] }),
  },
  {
    name: 'an operation that reads',
    arguments: { verbs: 'get' },
    at: 'verbs',
    message:
      'verbs is not valid: Unsupported value: "GET": supported values: "*", "CONNECT", "CREATE", "DELETE", "UPDATE"',
    hint: /\*, CONNECT, CREATE, DELETE, UPDATE/,
    spoils: spoilsRule({ operations: ['GET'] }),
  },
  ...(
    [
      ['groups', 'apiGroups', ['*', 'apps'], 'API groups'],
      ['versions', 'apiVersions', ['v1', '*'], 'API versions'],
      ['verbs', 'operations', ['*', 'CREATE'], 'operations'],
    ] as const
  ).map(([argument, field, items, what]): RefusedWebhook => ({
    name: `a star beside other ${argument}`,
    arguments: { [argument]: JSON.stringify(items) },
    at: argument,
    message: `${argument} is not valid: if '*' is present, must not specify other ${what}`,
    hint: /all of them/,
    spoils: spoilsRule({ [field]: items }),
  })),
  ...(
    [
      [['*', 'pods'], 'pods', '*'],
      [['pods/*', 'pods/status'], 'pods/status', 'pods/*'],
      [['*/status', 'pods/status'], 'pods/status', '*/status'],
      [['*/*', 'pods'], 'pods', '*/*'],
      [['*/*', '*'], '*', '*/*'],
      [['*/*', 'pods/*'], 'pods/*', '*/*'],
    ] as const
  ).flatMap(([items, covered, covering]): RefusedWebhook[] => {
    const at = inComment(covered);
    const message = `resources has ${covered} beside ${covering}, which covers it`;
    const common = { at, message, hint: /remove one/ };
    const written = [...items].join(';');
    return [
      {
        ...common,
        name: `resources=${written}`,
        arguments: { resources: inComment(items) },
        spoils: spoilsRule({ resources: items }),
      },
      {
        ...common,
        name: `resources=${written} reversed`,
        arguments: { resources: inComment(items.toReversed()) },
      },
    ];
  }),
  {
    name: 'a resource twice',
    arguments: { resources: '[foos, bars, foos]' },
    at: 'foos]',
    message: 'resources has foos twice',
  },
  {
    name: 'a kind for a resource',
    arguments: { resources: '[Deployment]' },
    at: 'Deployment',
    message: 'resources has Deployment, which is not the name of a resource',
    hint: /plurals in lower case/,
  },
  {
    name: 'an empty version',
    arguments: { versions: "['']" },
    at: "''",
    message: 'versions has an empty item',
    spoils: spoilsRule({ apiVersions: [''] }),
  },
  {
    name: 'an empty resource',
    arguments: { resources: "[a, '']" },
    at: "''",
    message: 'resources has an empty item',
    spoils: spoilsRule({ resources: ['a', ''] }),
  },
  {
    name: 'two resources in one',
    arguments: { resources: 'a b' },
    at: 'resources',
    message: "resources has the item 'a b'",
  },
  {
    name: 'a group with its version',
    arguments: { groups: '[apps/v1]' },
    at: 'apps/v1',
    message: "groups has the item 'apps/v1'",
    hint: /belongs in versions/,
  },
  {
    name: 'two operations in one',
    arguments: { verbs: 'create update' },
    at: 'verbs',
    message: "verbs has the item 'CREATE UPDATE'",
    hint: /semicolons/,
    spoils: spoilsRule({ operations: ['CREATE UPDATE'] }),
  },
  {
    name: 'another scope',
    arguments: { scope: 'Namespace' },
    at: 'scope',
    message:
      'scope is not valid: Unsupported value: "Namespace": supported values: "*", "Cluster", "Namespaced"',
    hint: /did you mean Namespaced\?/,
    spoils: spoilsRule({ scope: 'Namespace' }),
  },
  // Selectors.
  {
    name: 'a selector that is a list',
    arguments: { namespaceSelector: '[a]' },
    at: 'namespaceSelector',
    message: 'namespaceSelector must be an object',
    hint: /\{key: value\}/,
  },
  {
    name: 'a selector that is text',
    arguments: { objectSelector: 'a=b' },
    at: 'objectSelector',
    message: 'objectSelector must be an object',
  },
  {
    name: 'a selector that cannot be read',
    arguments: { objectSelector: '"{"' },
    at: 'objectSelector',
    message: '@webhook: objectSelector cannot be read: Flow map must end with a }',
  },
  {
    name: 'a misspelled field of a selector',
    arguments: { namespaceSelector: '{matchLabel: {a: b}}' },
    at: '{a: b}',
    message: 'namespaceSelector.matchLabel is not a field of a webhook',
    hint: /did you mean matchLabels\?/,
    spoils: { namespaceSelector: { matchLabel: { a: 'b' } } },
  },
  {
    name: 'a label that is a number',
    arguments: { objectSelector: '{matchLabels: {a: 1}}' },
    at: '1}}',
    message: 'objectSelector.matchLabels.a must be a string',
    hint: /write "1", in quotes/,
    spoils: { objectSelector: { matchLabels: { a: 1 } } },
  },
  {
    name: 'a key that is none',
    arguments: { objectSelector: '{matchLabels: {"-a": b}}' },
    at: 'b}}',
    message:
      "objectSelector.matchLabels.-a is not valid: name part must consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character",
    spoils: { objectSelector: { matchLabels: { '-a': 'b' } } },
  },
  {
    name: 'a value that is none',
    arguments: { objectSelector: '{matchLabels: {a: "b c"}}' },
    at: '"b c"',
    message:
      "objectSelector.matchLabels.a is not valid: a valid label must be an empty string or consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character",
    spoils: { objectSelector: { matchLabels: { a: 'b c' } } },
  },
  {
    name: 'a value that is too long',
    arguments: { objectSelector: `{matchLabels: {a: ${long}}}` },
    at: long,
    message: 'objectSelector.matchLabels.a is not valid: must be no more than 63 bytes',
    hint: /at most 63/,
    spoils: { objectSelector: { matchLabels: { a: long } } },
  },
  {
    name: 'a misspelled operator',
    arguments: { namespaceSelector: '{matchExpressions: [{key: a, operator: Notin, values: [b]}]}' },
    at: 'Notin',
    message: 'namespaceSelector.matchExpressions[0].operator is not valid: not a valid selector operator',
    hint: /did you mean NotIn\?/,
    spoils: selector({ key: 'a', operator: 'Notin', values: ['b'] }),
  },
  {
    name: 'no operator',
    arguments: { namespaceSelector: '{matchExpressions: [{key: a}]}' },
    at: '{key: a}',
    message: 'namespaceSelector.matchExpressions has no operator',
    hint: /In, NotIn, Exists, DoesNotExist/,
    spoils: selector({ key: 'a' }),
  },
  {
    name: 'no key',
    arguments: { namespaceSelector: '{matchExpressions: [{operator: Exists}]}' },
    at: '{operator',
    message: 'namespaceSelector.matchExpressions has no key',
    spoils: selector({ operator: 'Exists' }),
  },
  {
    name: 'an expression with a bad key',
    arguments: { namespaceSelector: '{matchExpressions: [{key: a/b/c, operator: Exists}]}' },
    at: 'a/b/c',
    message:
      "namespaceSelector.matchExpressions[0].key is not valid: a valid label key must consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character with an optional DNS subdomain prefix and '/' (e.g. 'example.com/MyName')",
    spoils: selector({ key: 'a/b/c', operator: 'Exists' }),
  },
  {
    name: 'no values',
    arguments: { namespaceSelector: '{matchExpressions: [{key: a, operator: In}]}' },
    at: '{key: a',
    message: 'namespaceSelector.matchExpressions has no values',
    spoils: selector({ key: 'a', operator: 'In', values: [] }),
  },
  {
    name: 'values of Exists',
    arguments: { namespaceSelector: '{matchExpressions: [{key: a, operator: Exists, values: [b]}]}' },
    at: '[b]',
    message:
      "namespaceSelector.matchExpressions[0].values is not valid: Forbidden: may not be specified when `operator` is 'Exists' or 'DoesNotExist'",
    spoils: selector({ key: 'a', operator: 'Exists', values: ['b'] }),
  },
  {
    name: 'a bad value of In',
    arguments: { namespaceSelector: '{matchExpressions: [{key: a, operator: In, values: [b, c_]}]}' },
    at: 'c_',
    message:
      "namespaceSelector.matchExpressions[0].values is not valid: a valid label must be an empty string or consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character",
    spoils: selector({ key: 'a', operator: 'In', values: ['b', 'c_'] }),
  },
  // Conditions.
  {
    name: 'conditions without a list',
    arguments: { matchConditions: '{name: a, expression: "true"}' },
    at: 'matchConditions',
    message: 'matchConditions must be a list',
  },
  {
    name: 'a condition without expression',
    arguments: { matchConditions: '[{name: a}]' },
    at: '{name: a}',
    message: 'matchConditions has no expression',
    spoils: { matchConditions: [{ name: 'a', expression: ' ' }] },
  },
  {
    name: 'a condition without name',
    arguments: { matchConditions: '[{expression: "true"}]' },
    at: '{expression',
    message: 'matchConditions has no name',
    spoils: { matchConditions: [{ expression: 'true' }] },
  },
  {
    name: 'an expression that is not text',
    arguments: { matchConditions: '[{name: a, expression: true}]' },
    at: 'true}]',
    message: 'matchConditions[0].expression must be a string',
    hint: /write "true", in quotes/,
    spoils: { matchConditions: [{ name: 'a', expression: true }] },
  },
  {
    name: 'a condition that does not parse',
    arguments: { matchConditions: '[{name: a, expression: "object.x >"}]' },
    at: '"}]',
    message: 'expected a value, found the end of the expression',
    spoils: { matchConditions: [{ name: 'a', expression: 'object.x >' }] },
  },
  {
    name: 'a condition about an undeclared variable',
    arguments: { matchConditions: '[{name: a, expression: "self.x == 1"}]' },
    at: 'self',
    message: "undeclared variable 'self'",
    spoils: { matchConditions: [{ name: 'a', expression: 'self.x == 1' }] },
  },
  {
    name: 'a condition that is not a boolean',
    arguments: { matchConditions: '[{name: a, expression: "1 + 1"}]' },
    at: '1 + 1',
    message: 'the expression is int, not bool',
    spoils: { matchConditions: [{ name: 'a', expression: '1 + 1' }] },
  },
  {
    name: 'a condition with a bad name',
    arguments: { matchConditions: '[{name: "a b", expression: "true"}]' },
    at: '"a b"',
    message:
      "matchConditions[0].name is not valid: name part must consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character",
    spoils: { matchConditions: [{ name: 'a b', expression: 'true' }] },
  },
  {
    name: 'two conditions of one name',
    arguments: { matchConditions: '[{name: a, expression: "true"}, {name: "a", expression: "false"}]' },
    at: '"a", e',
    message: 'matchConditions[1].name is not valid: Duplicate value: "a"',
    spoils: {
      matchConditions: [
        { name: 'a', expression: 'true' },
        { name: 'a', expression: 'false' },
      ],
    },
  },
  {
    name: '65 conditions',
    arguments: {
      matchConditions: JSON.stringify(
        Array.from({ length: 65 }, (_, i) => ({ name: `c${i}`, expression: 'true' })),
      ),
    },
    at: 'matchConditions',
    message: 'matchConditions is not valid: Too many: 65: must have at most 64 items',
    hint: /combine some/,
    spoils: {
      matchConditions: Array.from({ length: 65 }, (_, i) => ({ name: `c${i}`, expression: 'true' })),
    },
  },
  // Patches.
  {
    name: 'a patch with a misspelled field',
    arguments: { patch: '{namespaceSelectr: {}}' },
    at: '{}}',
    message: 'namespaceSelectr is not a field of a webhook',
    hint: /did you mean namespaceSelector\?/,
    spoils: { namespaceSelectr: {} },
  },
  {
    name: 'a patch with a field in another case',
    arguments: { patch: '{timeoutseconds: 3}' },
    at: '3}',
    message: 'timeoutseconds is not a field of a webhook',
    hint: /did you mean timeoutSeconds\?/,
    spoils: { timeoutseconds: 3 },
  },
  {
    name: 'a patch with a misspelled field that it removes',
    arguments: { patch: '{timeoutSecond: null}' },
    at: 'null',
    message: 'timeoutSecond is not a field of a webhook',
  },
  {
    name: 'a patch with a directive',
    arguments: { patch: '{$patch: replace}' },
    at: 'replace',
    message: '$patch is not a field of a webhook',
  },
  {
    name: 'a patch that is a list',
    arguments: { patch: '[1]' },
    at: 'patch',
    message: 'patch must be an object',
  },
  {
    name: 'a patch with values that are refused',
    arguments: {
      patch: '{rules: [{apiGroups: [a], apiVersions: [v1], operations: [PATCH], resources: [b]}]}',
    },
    at: 'PATCH',
    message:
      'rules[0].operations is not valid: Unsupported value: "PATCH": supported values: "*", "CONNECT", "CREATE", "DELETE", "UPDATE"',
    spoils: spoilsRule({ operations: ['PATCH'] }),
  },
  {
    name: 'a patch with half a rule',
    arguments: { patch: '{rules: [{apiGroups: [a], apiVersions: [v1], operations: [CREATE]}]}' },
    at: '{apiGroups',
    message: 'rules has no resources',
    spoils: { rules: [{ ...rule, resources: null }] },
  },
  {
    name: 'a patch that takes away what has to be there',
    arguments: { patch: '{sideEffects: null}' },
    at: 'null',
    message: 'sideEffects is missing',
    spoils: { sideEffects: null },
  },
  {
    name: 'a patch that takes the service away',
    arguments: { patch: '{clientConfig: {service: null}}' },
    at: 'patch',
    message: 'clientConfig.service.path is missing',
    hint: /url=https/,
    spoils: { clientConfig: { service: null } },
  },
  {
    name: 'a patch that takes the name of the service away',
    arguments: { patch: '{clientConfig: {service: {name: null}}}' },
    at: 'null',
    message: 'clientConfig.service.name is missing',
    spoils: { clientConfig: { service: { name: null } } },
  },
  {
    name: 'a patch with a wrong type',
    arguments: { patch: '{timeoutSeconds: "3"}' },
    at: '"3"',
    message: 'timeoutSeconds must be an integer',
    spoils: { timeoutSeconds: '3' },
  },
  {
    name: 'a patch without rules',
    arguments: { patch: '{rules: []}' },
    at: '[]',
    message: 'rules is empty, so the webhook is never called',
  },
];
