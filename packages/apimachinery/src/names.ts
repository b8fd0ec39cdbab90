/**
 * Names of Kubernetes objects, labels and annotations, by the rules and in the words of kube-apiserver
 * (k8s.io/apimachinery/pkg/util/validation).
 */

/** Returns what is wrong with a text, in the words of kube-apiserver. An empty list means that the text is valid. */
export type NameRule = (text: string) => string[];

export const maxDnsLabelLength = 63;
export const maxDnsSubdomainLength = 253;
/** Of a label value, and of a label key without its prefix. */
const maxLabelLength = 63;

const dnsLabelSyntax = '[a-z0-9]([-a-z0-9]*[a-z0-9])?';
const dns1035LabelSyntax = '[a-z]([-a-z0-9]*[a-z0-9])?';
const subdomainSyntax = `${dnsLabelSyntax}(\\.${dnsLabelSyntax})*`;
const labelNameSyntax = '([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]';

const dnsLabelPattern = new RegExp(`^${dnsLabelSyntax}$`);
const dns1035LabelPattern = new RegExp(`^${dns1035LabelSyntax}$`);
const subdomainPattern = new RegExp(`^${subdomainSyntax}$`);
const labelNamePattern = new RegExp(`^${labelNameSyntax}$`);

/**
 * Tells whether a text is an RFC 1123 label: the name of a namespace, container or volume.
 *
 * @param maxLength in characters; a part of a name may have another limit than the name
 */
export function isDnsLabel(text: string, maxLength = maxDnsLabelLength): boolean {
  return text.length <= maxLength && dnsLabelPattern.test(text);
}

/** Tells whether a text is an RFC 1035 label, which starts with a letter: the name of a resource or an API version. */
export function isDns1035Label(text: string): boolean {
  return text.length <= maxDnsLabelLength && dns1035LabelPattern.test(text);
}

/** Tells whether a text is an RFC 1123 subdomain: the name of most objects. Only the whole is limited in length. */
export function isSubdomain(text: string): boolean {
  return text.length <= maxDnsSubdomainLength && subdomainPattern.test(text);
}

/** Tells whether a text is a qualified name, `[prefix/]name`: a label key, an annotation key or a finalizer. */
export function isQualifiedName(text: string): boolean {
  const slash = text.indexOf('/');
  return isLabelName(text.slice(slash + 1)) && (slash === -1 || isSubdomain(text.slice(0, slash)));
}

/** Tells whether a text can be the value of a label. */
export function isLabelValue(text: string): boolean {
  return text === '' || isLabelName(text);
}

function isLabelName(text: string): boolean {
  return text.length <= maxLabelLength && labelNamePattern.test(text);
}

const dnsLabelMessage = `a lowercase RFC 1123 label must consist of lower case alphanumeric characters or '-', and must start and end with an alphanumeric character ${examples(dnsLabelSyntax, 'my-name', '123-abc')}`;
const dns1035LabelMessage = `a DNS-1035 label must consist of lower case alphanumeric characters or '-', start with an alphabetic character, and end with an alphanumeric character ${examples(dns1035LabelSyntax, 'my-name', 'abc-123')}`;
const subdomainMessage = `a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', and must start and end with an alphanumeric character ${examples(subdomainSyntax, 'example.com')}`;
const labelNameMessage = `must consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character ${examples(labelNameSyntax, 'MyName', 'my.name', '123-abc')}`;
const labelValueMessage = `a valid label must be an empty string or consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character ${examples(`(${labelNameSyntax})?`, 'MyValue', 'my_value', '12345')}`;
const emptyMessage = 'must be non-empty';

/** Checks an RFC 1123 label: the name of a namespace, container or volume. */
export const dnsLabel: NameRule = (text) => {
  if (isDnsLabel(text)) return [];
  const syntax = dnsLabelPattern.test(text)
    ? []
    : [subdomainPattern.test(text) ? 'must not contain dots' : dnsLabelMessage];
  return [...tooLong(text, maxDnsLabelLength, 'characters'), ...syntax];
};

/** Checks an RFC 1035 label, which starts with a letter: the name of a resource or an API version. */
export const dns1035Label: NameRule = (text) => {
  if (isDns1035Label(text)) return [];
  const syntax = dns1035LabelPattern.test(text) ? [] : [dns1035LabelMessage];
  return [...tooLong(text, maxDnsLabelLength, 'characters'), ...syntax];
};

/** Checks an RFC 1123 subdomain: the name of most objects. */
export const subdomain: NameRule = (text) => subdomainProblems(text, 'characters');

function subdomainProblems(text: string, unit: 'bytes' | 'characters'): string[] {
  if (isSubdomain(text)) return [];
  const syntax = subdomainPattern.test(text) ? [] : [subdomainMessage];
  return [...tooLong(text, maxDnsSubdomainLength, unit), ...syntax];
}

/** Checks a name that only has to fit into a URL path, such as the name of an RBAC object. */
export const pathSegment: NameRule = (text) => {
  if (text === '.' || text === '..') return [`may not be '${text}'`];
  return ['/', '%']
    .filter((character) => text.includes(character))
    .map((character) => `may not contain '${character}'`);
};

/** Checks the value of a label. */
export const labelValue: NameRule = (text) => {
  if (isLabelValue(text)) return [];
  const syntax = labelNamePattern.test(text) ? [] : [labelValueMessage];
  return [...tooLong(text, maxLabelLength, 'bytes'), ...syntax];
};

/** Checks a qualified name, `[prefix/]name`: a label key, an annotation key or a finalizer. */
export const qualifiedName: NameRule = (text) => {
  if (isQualifiedName(text)) return [];
  const [prefix = '', ...names] = text.split('/');
  if (names.length > 1) {
    return [
      `a valid label key ${labelNameMessage} with an optional DNS subdomain prefix and '/' (e.g. 'example.com/MyName')`,
    ];
  }
  const [name] = names;
  const ofPrefix =
    name === undefined ? [] : prefix === '' ? [emptyMessage] : subdomainProblems(prefix, 'bytes');
  return [
    ...ofPrefix.map((problem) => `prefix part ${problem}`),
    ...labelNameProblems(name ?? prefix).map((problem) => `name part ${problem}`),
  ];
};

function labelNameProblems(name: string): string[] {
  const syntax = labelNamePattern.test(name) ? [] : [labelNameMessage];
  return [...(name === '' ? [emptyMessage] : tooLong(name, maxLabelLength, 'bytes')), ...syntax];
}

/** The server counts bytes, even where its message says characters. */
function tooLong(text: string, maxBytes: number, unit: 'bytes' | 'characters'): string[] {
  return Buffer.byteLength(text) > maxBytes ? [`must be no more than ${maxBytes} ${unit}`] : [];
}

function examples(syntax: string, ...shown: string[]): string {
  const list = shown.map((example) => `'${example}', `).join(' or ');
  return `(e.g. ${list}regex used for validation is '${syntax}')`;
}
