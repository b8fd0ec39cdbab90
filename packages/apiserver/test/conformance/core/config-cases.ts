const base64 = (text: string) => Buffer.from(text).toString('base64');
const mebibyte = 1024 * 1024;

/** ConfigMaps, by what is special about them. */
export const configMapCases: Record<string, any> = {
  'a key with a space': { data: { 'a b': 'x' } },
  'keys of dots and slashes': { data: { '..': 'x', '.': 'y', '..a': 'z', 'a/b': 'q', '': 'e' } },
  'a key that is too long': { data: { ['a'.repeat(254)]: 'x' } },
  'a key that is just not too long': { data: { ['a'.repeat(253)]: 'x' } },
  'a key in both maps': { data: { a: 'x' }, binaryData: { a: 'eA==' } },
  'binary data under a bad key': { binaryData: { 'a b': 'eA==', a: 'eA==' } },
  'too much text': { data: { a: 'x'.repeat(mebibyte + 1) } },
  'too much of both': { data: { a: 'x'.repeat(mebibyte - 6) }, binaryData: { b: base64('y'.repeat(7)) } },
  'too many bytes of not too many characters': { data: { a: 'é'.repeat(mebibyte / 2 + 1) } },
  'binary data that is no base64': { binaryData: { a: '$' } },
  'immutable data': { immutable: true, data: { a: 'x' } },
  'a flag that is a text': { immutable: 'x' },
  'keys of JavaScript': JSON.parse('{"data":{"__proto__":"x","constructor":"y"}}'),
  'empty data': { data: {} },
  'no data': { data: null },
  'no value': { data: { a: null } },
  'a value that is a number': { data: { a: 1 } },
};

const docker = (text: string) => ({
  type: 'kubernetes.io/dockerconfigjson',
  stringData: { '.dockerconfigjson': text },
});

/** Secrets, by what is special about them. */
export const secretCases: Record<string, any> = {
  'plain data': { data: { a: 'eA==' } },
  'data as text': { stringData: { a: 'x', b: 'é' } },
  'data and text': { data: { a: 'eA==', c: 'eA==' }, stringData: { a: 'y' } },
  'keys of JavaScript': JSON.parse('{"stringData":{"__proto__":"x","constructor":"y"}}'),
  'a bad key': { stringData: { 'a b': 'x' } },
  'no base64': { data: { a: '$$' } },
  'a type of its own': { type: 'x' },
  'an empty type': { type: '' },
  'no certificate': { type: 'kubernetes.io/tls' },
  'no key': { type: 'kubernetes.io/tls', data: { 'tls.crt': 'eA==' } },
  'no certificate in the certificate': {
    type: 'kubernetes.io/tls',
    stringData: { 'tls.crt': 'x', 'tls.key': '' },
  },
  'no docker configuration': { type: 'kubernetes.io/dockerconfigjson' },
  'a docker configuration': docker('{}'),
  'a docker configuration that is a list': docker('[]'),
  'a docker configuration that is empty': docker(''),
  'a docker configuration that is a word': docker('abc'),
  'a docker configuration that is a text': docker('"x"'),
  'a docker configuration that is null': docker('null'),
  'a docker configuration that is a number': docker('1'),
  'a docker configuration that is cut off': docker('{'),
  'no old docker configuration': { type: 'kubernetes.io/dockercfg' },
  'an old docker configuration that is true': {
    type: 'kubernetes.io/dockercfg',
    stringData: { '.dockercfg': 'true' },
  },
  'neither user nor password': { type: 'kubernetes.io/basic-auth' },
  'a user': { type: 'kubernetes.io/basic-auth', stringData: { username: 'x' } },
  'no SSH key': { type: 'kubernetes.io/ssh-auth' },
  'an empty SSH key': { type: 'kubernetes.io/ssh-auth', stringData: { 'ssh-privatekey': '' } },
  'an SSH key': { type: 'kubernetes.io/ssh-auth', stringData: { 'ssh-privatekey': 'x' } },
  'a token of nobody': { type: 'kubernetes.io/service-account-token' },
  'too much': { stringData: { a: 'x'.repeat(mebibyte + 1) } },
  immutable: { immutable: true },
  'no text': { stringData: null },
  'empty text': { stringData: {} },
  'a bootstrap token': { type: 'bootstrap.kubernetes.io/token' },
};
