import type { NameRule } from 'ots-apimachinery/names';

/** Names of environment variables: printable characters except the equals sign. */
export const variableName: NameRule = (text) => {
  if (text === '') return ['environment variable name must be non-empty'];
  if (/^[ -<>-~]*$/.test(text)) return [];
  return ["a valid environment variable name must consist only of printable ASCII characters other than '='"];
};

/** Keys of ConfigMaps and Secrets: file names. */
export const dataKey: NameRule = (text) => [
  ...(text.length > 253 ? ['must be no more than 253 characters'] : []),
  ...(/^[-._a-zA-Z0-9]+$/.test(text)
    ? []
    : [
        "a valid config key must consist of alphanumeric characters, '-', '_' or '.' (e.g. 'key.name',  or 'KEY_NAME',  or 'key-name', regex used for validation is '[-._a-zA-Z0-9]+')",
      ]),
  ...(text === '.' || text === '..' ? [`must not be '${text}'`] : []),
  ...(text.startsWith('..') && text !== '..' ? ["must not start with '..'"] : []),
];

/** Names of HTTP headers. */
export const headerName: NameRule = (text) =>
  /^[-A-Za-z0-9]+$/.test(text)
    ? []
    : [
        "a valid HTTP header must consist of alphanumeric characters or '-' (e.g. 'X-Header-Name', regex used for validation is '[-A-Za-z0-9]+')",
      ];

/** Domains in the search path of a resolver, which may have underscores. */
export const searchDomain: NameRule = (text) => [
  ...(text.length > 253 ? ['must be no more than 253 characters'] : []),
  ...(/^_?[a-z0-9]([-_a-z0-9]*[a-z0-9])?(\._?[a-z0-9]([-_a-z0-9]*[a-z0-9])?)*$/.test(text)
    ? []
    : [
        "a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '_', '-' or '.', and must start and end with an alphanumeric character (e.g. 'example.com', regex used for validation is '_?[a-z0-9]([-_a-z0-9]*[a-z0-9])?(\\._?[a-z0-9]([-_a-z0-9]*[a-z0-9])?)*')",
      ]),
];
