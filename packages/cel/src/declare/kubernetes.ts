import { comparableTypes, forTypes, type Declarations } from './overload.ts';

/** The libraries of Kubernetes: lists, regular expressions, URLs, quantities, addresses, formats, versions, authorization. */
export const kubernetesFunctions: Declarations = {
  string: `
    ip_to_string (ip) string
    cidr_to_string (cidr) string
  `,
  add: `
    quantity_add quantity.(quantity) quantity
    quantity_add_int quantity.(int) quantity
  `,
  allowed: 'decision_allowed decision.() bool',
  asApproximateFloat: 'quantity_get_float quantity.() double',
  asInteger: 'quantity_get_int quantity.() int',
  check: `
    pathcheck_check pathCheck.(string) decision
    resourcecheck_check resourceCheck.(string) decision
  `,
  cidr: 'string_to_cidr (string) cidr',
  compareTo: `
    quantity_compare_to quantity.(quantity) int
    semver_compare_to semver.(semver) int
  `,
  containsCIDR: `
    cidr_contains_cidr_string cidr.(string) bool
    cidr_contains_cidr cidr.(cidr) bool
  `,
  containsIP: `
    cidr_contains_ip_string cidr.(string) bool
    cidr_contains_ip_ip cidr.(ip) bool
  `,
  error: 'decision_error decision.() string',
  errored: 'decision_errored decision.() bool',
  family: 'ip_family ip.() int',
  fieldSelector: 'authorizer_fieldselector resourceCheck.(string) resourceCheck',
  find: 'string_find_string string.(string) string',
  findAll: `
    string_find_all_string string.(string) list(string)
    string_find_all_string_int string.(string,int) list(string)
  `,
  'format.byte': 'format.byte () format',
  'format.date': 'format.date () format',
  'format.datetime': 'format.datetime () format',
  'format.dns1035Label': 'format.dns1035Label () format',
  'format.dns1035LabelPrefix': 'format.dns1035LabelPrefix () format',
  'format.dns1123Label': 'format.dns1123Label () format',
  'format.dns1123LabelPrefix': 'format.dns1123LabelPrefix () format',
  'format.dns1123Subdomain': 'format.dns1123Subdomain () format',
  'format.dns1123SubdomainPrefix': 'format.dns1123SubdomainPrefix () format',
  'format.labelValue': 'format.labelValue () format',
  'format.named': 'format-named (string) optional(format)',
  'format.qualifiedName': 'format.qualifiedName () format',
  'format.uri': 'format.uri () format',
  'format.uuid': 'format.uuid () format',
  getEscapedPath: 'url_get_escaped_path url.() string',
  getHost: 'url_get_host url.() string',
  getHostname: 'url_get_hostname url.() string',
  getPort: 'url_get_port url.() string',
  getQuery: 'url_get_query url.() map(string,list(string))',
  getScheme: 'url_get_scheme url.() string',
  group: 'authorizer_group authorizer.(string) groupCheck',
  indexOf: `
    list_a_index_of_int list(A).(A) int
    string_index_of_string string.(string) int
    string_index_of_string_int string.(string,int) int
  `,
  ip: `
    string_to_ip (string) ip
    cidr_ip cidr.() ip
  `,
  'ip.isCanonical': 'ip_is_canonical (string) bool',
  isCIDR: 'is_cidr (string) bool',
  isGlobalUnicast: 'ip_is_global_unicast ip.() bool',
  isGreaterThan: `
    quantity_is_greater_than quantity.(quantity) bool
    semver_is_greater_than semver.(semver) bool
  `,
  isIP: 'is_ip (string) bool',
  isInteger: 'quantity_is_integer quantity.() bool',
  isLessThan: `
    quantity_is_less_than quantity.(quantity) bool
    semver_is_less_than semver.(semver) bool
  `,
  isLinkLocalMulticast: 'ip_is_link_local_multicast ip.() bool',
  isLinkLocalUnicast: 'ip_is_link_local_unicast ip.() bool',
  isLoopback: 'ip_is_loopback ip.() bool',
  isQuantity: 'is_quantity_string (string) bool',
  isSemver: `
    is_semver_string (string) bool
    is_semver_string_bool (string,bool) bool
  `,
  isSorted: forTypes(comparableTypes, (type) => `list_${type}_is_sorted_bool list(${type}).() bool`),
  isURL: 'is_url_string (string) bool',
  isUnspecified: 'ip_is_unspecified ip.() bool',
  labelSelector: 'authorizer_labelselector resourceCheck.(string) resourceCheck',
  lastIndexOf: `
    list_a_last_index_of_int list(A).(A) int
    string_last_index_of_string string.(string) int
    string_last_index_of_string_int string.(string,int) int
  `,
  major: 'semver_major semver.() int',
  masked: 'cidr_masked cidr.() cidr',
  max: forTypes(comparableTypes, (type) => `list_${type}_max_${type} list(${type}).() ${type}`),
  min: forTypes(comparableTypes, (type) => `list_${type}_min_${type} list(${type}).() ${type}`),
  minor: 'semver_minor semver.() int',
  name: 'resourcecheck_name resourceCheck.(string) resourceCheck',
  namespace: 'resourcecheck_namespace resourceCheck.(string) resourceCheck',
  patch: 'semver_patch semver.() int',
  path: 'authorizer_path authorizer.(string) pathCheck',
  prefixLength: 'cidr_prefix_length cidr.() int',
  quantity: 'string_to_quantity (string) quantity',
  reason: 'decision_reason decision.() string',
  resource: 'groupcheck_resource groupCheck.(string) resourceCheck',
  semver: `
    string_to_semver (string) semver
    string_bool_to_semver (string,bool) semver
  `,
  serviceAccount: 'authorizer_serviceaccount authorizer.(string,string) authorizer',
  sign: 'quantity_sign (quantity) int',
  sub: `
    quantity_sub quantity.(quantity) quantity
    quantity_sub_int quantity.(int) quantity
  `,
  subresource: 'resourcecheck_subresource resourceCheck.(string) resourceCheck',
  sum: forTypes('int uint double duration', (type) => `list_${type}_sum_${type} list(${type}).() ${type}`),
  url: 'string_to_url (string) url',
  validate: 'format-validate format.(string) optional(list(string))',
};
