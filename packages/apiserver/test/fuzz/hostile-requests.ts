import { body, field, metadata } from '../support/protobuf-writer.ts';
import type { Randomness } from '../support/randomness.ts';
import type { Sending } from '../support/session.ts';
import { configMaps, crdsPath, pathOf } from '../support/fixtures.ts';
import { hostileJson, hostileWords, hostileYaml } from './hostile-texts.ts';

/** A hostile request. */
export interface HostileRequest {
  readonly name: string;
  readonly method: string;
  readonly path: string;
  readonly sending: Sending;
}

const pots = pathOf('Pot');
const pods = '/api/v1/namespaces/default/pods';
const deployments = '/apis/apps/v1/namespaces/default/deployments';
const revisions = '/apis/apps/v1/namespaces/default/controllerrevisions';
const collections = [pots, configMaps, pods, deployments, revisions, crdsPath];
const objects = [`${pots}/pot`, `${configMaps}/map`, `${deployments}/web`, `${pots}/pot/status`];
const patchTypes = ['json-patch+json', 'merge-patch+json', 'strategic-merge-patch+json', 'apply-patch+yaml'];
const parameters = [
  'labelSelector',
  'fieldSelector',
  'continue',
  'limit',
  'resourceVersion',
  'resourceVersionMatch',
  'fieldManager',
  'fieldValidation',
  'dryRun',
  'timeout',
  'timeoutSeconds',
  'gracePeriodSeconds',
  'propagationPolicy',
  'pretty',
];
const headers = ['accept', 'content-type', 'user-agent', 'accept-encoding', 'audit-id', 'if-none-match'];
/** Fields of an object that can contain a value. */
const places = ['spec', 'metadata', 'data', 'status', 'kind', 'x', 'revision'];

/** The types of the objects at each path, so bodies pass the first check. */
const types: ReadonlyMap<string, string> = new Map([
  [pots, '"apiVersion":"conformance.example.com/v1","kind":"Pot"'],
  [configMaps, '"apiVersion":"v1","kind":"ConfigMap"'],
  [pods, '"apiVersion":"v1","kind":"Pod"'],
  [deployments, '"apiVersion":"apps/v1","kind":"Deployment"'],
  [revisions, '"apiVersion":"apps/v1","kind":"ControllerRevision"'],
  [crdsPath, '"apiVersion":"apiextensions.k8s.io/v1","kind":"CustomResourceDefinition"'],
]);

/**
 * Makes a request.
 *
 * @param size approximate maximum number of levels, items or characters in the hostile part
 */
export function hostileRequest(random: Randomness, size: number): HostileRequest {
  const make = random.pick([
    jsonBody,
    jsonBody,
    yamlBody,
    yamlBody,
    protobufBody,
    patch,
    patch,
    patch,
    growth,
    words,
  ]);
  return make(random, random.pick([3, 50, 500, Math.min(5000, size), size]));
}

function typeOf(path: string): string {
  return types.get(path) ?? types.get(path.split('/').slice(0, -1).join('/')) ?? '"apiVersion":"v1"';
}

function jsonBody(random: Randomness, size: number): HostileRequest {
  const path = random.pick(collections);
  const place = random.pick(places);
  const value = random.pick(hostileJson(size));
  const raw = mutated(
    random,
    `{${typeOf(path)},"metadata":{"name":"fuzz"},"${place}":${wrapped(random, value)}}`,
  );
  const method = random.pick(['POST', 'POST', 'PUT', 'DELETE']);
  const target = method === 'POST' ? path : `${path}/fuzz`;
  return { name: `JSON in ${place}`, method, path: withDryRun(random, target), sending: { raw } };
}

function yamlBody(random: Randomness, size: number): HostileRequest {
  const path = random.pick(collections);
  const place = random.pick(places);
  const type = typeOf(path).replaceAll('"', '').replaceAll(',', '\n').replaceAll(':', ': ');
  const value = random.pick(random.chance(0.3) ? hostileJson(size) : hostileYaml(size));
  const raw = mutated(random, `${type}\nmetadata: {name: fuzz}\n${place}: ${value}\n`);
  const isApplied = random.chance(0.5);
  return {
    name: `YAML in ${place}`,
    method: isApplied ? 'PATCH' : random.pick(['POST', 'DELETE']),
    path: isApplied ? `${path}/fuzz?fieldManager=fuzz` : withDryRun(random, path),
    sending: { raw, contentType: isApplied ? 'application/apply-patch+yaml' : 'application/yaml' },
  };
}

/** Nested fields with meaningful numbers, groups without an end, and wrong lengths. */
function protobufBody(random: Randomness, size: number): HostileRequest {
  const number = random.pick([1, 2, 3, 4, 5, 6, 7, 8, 15, 16, 100]);
  let inner: Buffer = Buffer.from(random.pick(['', 'a', '\u0080']));
  for (let depth = 0; depth < Math.min(size, 2000); depth += 1) inner = field(number, inner);
  const hostile = random.pick([
    inner,
    Buffer.alloc(size, number * 8 + 3),
    Buffer.alloc(size, 0xff),
    Buffer.concat(Array.from({ length: Math.min(size, 20_000) }, () => field(number, ''))),
    Buffer.from([number * 8 + 2, 0xff, 0xff, 0xff, 0xff, 0x0f]),
  ]);
  const [apiVersion, kind, path] = random.pick([
    ['v1', 'ConfigMap', configMaps],
    ['v1', 'Pod', pods],
    ['apps/v1', 'Deployment', deployments],
    ['apiextensions.k8s.io/v1', 'CustomResourceDefinition', crdsPath],
  ] as const);
  const raw = body(
    apiVersion,
    kind,
    metadata('fuzz'),
    random.pick([hostile, field(2, hostile), field(3, hostile)]),
  );
  const contentType = 'application/vnd.kubernetes.protobuf';
  return { name: `protobuf of ${kind}`, method: 'POST', path, sending: { raw, contentType } };
}

function patch(random: Randomness, size: number): HostileRequest {
  const path = random.pick(objects);
  const type = random.pick(patchTypes);
  const value = random.pick(hostileJson(size));
  const place = random.pick(places);
  const raw =
    type === 'json-patch+json'
      ? `[{"op":"add","path":"/spec/x","value":${value}},{"op":"${random.pick(['add', 'test', 'replace', 'remove', 'move', 'copy'])}","from":"/spec","path":"${random.pick(['/spec/x', `/spec/x${'/0'.repeat(size)}`, '/'.repeat(size), ''])}","value":${random.pick(['1', value])}}]`
      : `{${type === 'apply-patch+yaml' ? `${typeOf(path)},"metadata":{"name":"fuzz"},` : ''}"${place}":${wrapped(random, value)}}`;
  const query = type === 'apply-patch+yaml' ? '?fieldManager=fuzz&force=true' : '';
  return {
    name: `${type} of ${place}`,
    method: 'PATCH',
    path: path + query,
    sending: { raw: mutated(random, raw), contentType: `application/${type}` },
  };
}

/** Operations that make an object larger or deeper with each step. */
function growth(random: Randomness, size: number): HostileRequest {
  const count = Math.min(size, 10_000);
  const operation = (index: number) =>
    random.pick([
      { op: 'copy', from: '/spec', path: `/spec/c${index}` },
      { op: 'copy', from: '/spec', path: '/spec/c' },
      { op: 'copy', from: '', path: '/spec/c' },
    ]);
  const shape = random.pick([
    (index: number) => ({ op: 'copy', from: '/spec', path: `/spec/c${index}` }),
    (index: number) => ({ op: 'copy', from: '/spec/l', path: `/spec/l/${index % 2 === 0 ? '-' : '0'}` }),
    (index: number) => ({ op: 'add', path: `/spec/d${'/0'.repeat(index % 5000)}/0`, value: [] }),
    operation,
  ]);
  const first = { op: 'add', path: '/spec', value: { a: 'x', l: [1], d: [[]] } };
  const operations = [first, ...Array.from({ length: count }, (_, index) => shape(index))];
  let text = JSON.stringify(operations);
  if (text.length > 3_000_000) text = JSON.stringify(operations.slice(0, 500));
  return {
    name: 'a patch that grows',
    method: 'PATCH',
    path: `${pots}/pot`,
    sending: { raw: text, contentType: 'application/json-patch+json' },
  };
}

/** Selectors, parameters, names and headers. */
function words(random: Randomness, size: number): HostileRequest {
  const word = random.pick(hostileWords(Math.min(size, 200_000)));
  const path = random.pick([...collections, ...objects]);
  const method = random.pick(['GET', 'GET', 'DELETE', 'POST']);
  const place = random.pick(['parameter', 'parameter', 'header', 'path', 'query']);
  const text = random.chance(0.7) ? encodeURIComponent(word) : word.replaceAll(/[^!-~]/g, '%00');
  if (place === 'header') {
    const value = word.replaceAll(/[^ -~]/g, '?');
    const header = random.pick(headers);
    return { name: `a header ${header}`, method, path, sending: { headers: { [header]: value } } };
  }
  if (place === 'path') return { name: 'a path', method, path: `${path}/${text}`, sending: {} };
  if (place === 'query') return { name: 'a query', method, path: `${path}?${text}`, sending: {} };
  const parameter = random.pick(parameters);
  return { name: `the parameter ${parameter}`, method, path: `${path}?${parameter}=${text}`, sending: {} };
}

function withDryRun(random: Randomness, path: string): string {
  return random.chance(0.3) ? `${path}?dryRun=All` : path;
}

/** A value, or the same value nested some levels deep. */
function wrapped(random: Randomness, value: string): string {
  return random.pick([
    value,
    `{"a":${value}}`,
    `[${value}]`,
    `{"open":${value}}`,
    `{"template":{"spec":${value}}}`,
  ]);
}

/** A text, or the text cut off, or with a repeated part. */
function mutated(random: Randomness, text: string): string {
  const shares = [0, 0.1, 0.5, 0.9, 1];
  const at = Math.floor(random.pick(shares) * text.length);
  if (random.chance(0.7)) return text;
  return random.pick([
    text.slice(0, at),
    text.slice(0, at) + text.slice(Math.floor(at / 2)),
    `${text.slice(0, at)}${random.pick(['"', '}', ']', ':', ',', '\\', '\u0000', '\n', '-', '&a', '*a', '#'])}${text.slice(at)}`,
  ]);
}
