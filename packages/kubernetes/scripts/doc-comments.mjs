import { referenceOf } from './object-fields.mjs';

const kindsKey = 'x-kubernetes-group-version-kind';
const units = [
  [/Seconds$|^ttlSecondsAfter/, 'Seconds.'],
  [/Percent(age)?$/, 'Percent.'],
  [/Bytes$/, 'Bytes.'],
];
/** Values that Go writes for unset fields: as a default they say nothing. */
const zeros = new Set(['""', '{}', 'null']);

/**
 * @typedef {object} Facts
 * @property {string} version of the server, such as 1.36
 * @property {import('./object-fields.mjs').Definitions} definitions
 * @property {{ group: string, version: string, resources: object[] }[]} served what discovery lists
 * @property {Map<string, import('./ask-server.mjs').Behavior>} behaviors
 */

/**
 * Comments made of facts: names, keywords of the documents, and a server's answers. They do not contain text of
 * the documents.
 *
 * @param {Facts} facts
 */
export function docComments({ version, definitions, served, behaviors }) {
  const roots = rootsOf(definitions);
  return {
    /** @returns {string} the comment of a definition, with its line break */
    ofType(name) {
      const schema = definitions[name];
      const words = [
        ...kindWords(schema, served),
        ...atomicWords(schema),
        referenceUrl(name, version, served),
      ];
      return `/** ${words.join(' ')} */\n`;
    },
    /** @returns {string} the comment of a field, with its line break; empty where no fact is known */
    ofField(definition, field) {
      const schema = definitions[definition].properties[field];
      const behavior = behaviors.get(`${definition}.${field}`);
      const words = [
        ...(definitions[definition].required?.includes(field) ? ['Required.'] : []),
        ...units.filter(([pattern]) => isNumber(schema) && pattern.test(field)).map(([, unit]) => unit),
        ...(schema.format === 'byte' ? ['Base64.'] : []),
        ...enumWords(schema),
        ...defaultWords(schema, behavior),
        ...immutableWords(behavior, roots.get(definition)),
        ...listWords(schema),
      ];
      return words.length > 0 ? `  /** ${words.join(' ')} */\n` : '';
    },
  };
}

/** @returns {Map<string, Set<string>>} the kinds whose objects can contain each definition */
function rootsOf(definitions) {
  const roots = new Map(Object.keys(definitions).map((name) => [name, new Set()]));
  const visit = (name, kind) => {
    if (!roots.has(name) || roots.get(name).has(kind)) return;
    roots.get(name).add(kind);
    for (const schema of Object.values(definitions[name].properties ?? {})) {
      visit(referenceOf(schema.items ?? schema.additionalProperties ?? schema), kind);
    }
  };
  for (const [name, { [kindsKey]: kinds = [], properties }] of Object.entries(definitions)) {
    if (kinds.length === 1 && properties?.metadata && !properties.items) visit(name, kinds[0].kind);
  }
  return roots;
}

function kindWords(schema, served) {
  const [kind, ...others] = schema[kindsKey] ?? [];
  if (!kind || others.length > 0) return [];
  const { group, version } = kind;
  const resource = served
    .find((each) => each.group === group && each.version === version)
    ?.resources.find(({ responseKind }) => responseKind.kind === kind.kind);
  const scope = resource && `, ${resource.scope === 'Namespaced' ? 'namespaced' : 'cluster-scoped'}`;
  return [`Kind of ${group ? `${group}/` : ''}${version}${scope ?? ''}.`];
}

/** The URL of a definition in the API reference, which has one page per minor version and one anchor per definition. */
function referenceUrl(name, version, served) {
  const [type, apiVersion, pack] = name.split('.').toReversed();
  const group = served.find((each) => each.group.split('.')[0] === pack)?.group ?? pack;
  const anchor = `${type}-${apiVersion}-${group.replaceAll('.', '-')}`.toLowerCase();
  return `https://kubernetes.io/docs/reference/generated/kubernetes-api/v${version}/#${anchor}`;
}

function isNumber({ type }) {
  return type === 'integer' || type === 'number';
}

function enumWords(schema) {
  const values = schema.enum ?? schema.items?.enum;
  if (!values) return [];
  // An empty value is also allowed.
  const names = values.map((value) => (value === '' ? "''" : value));
  return [`${schema.enum ? 'One' : 'Some'} of: ${names.join(', ')}.`];
}

function defaultWords(schema, behavior) {
  const outcomes = [...(behavior?.written.values() ?? [])].flatMap((values) =>
    values.some((value) => value !== undefined) ? values : [],
  );
  if (outcomes.length === 0 && schema.default && !zeros.has(JSON.stringify(schema.default))) {
    outcomes.push(schema.default);
  }
  const texts = new Set(outcomes.map((value) => JSON.stringify(value)));
  const [text] = texts;
  if (texts.size !== 1 || zeros.has(text)) return [];
  return [`Default: ${[outcomes[0]].flat().join(', ')}.`];
}

function immutableWords(behavior, roots) {
  const kinds = [...(behavior?.immutableIn ?? [])].filter((kind) => !behavior.mutableIn.has(kind));
  if (kinds.length === 0) return [];
  return [roots.size === 1 ? 'Immutable.' : `Immutable in ${kinds.join(', ')}.`];
}

function atomicWords(schema) {
  return schema['x-kubernetes-map-type'] === 'atomic' ? ['Atomic.'] : [];
}

function listWords(schema) {
  const keys = schema['x-kubernetes-list-map-keys'];
  switch (schema['x-kubernetes-list-type']) {
    case 'atomic':
      return ['Atomic list.'];
    case 'map':
      return [`List keyed by ${keys.join(', ')}.`];
    case 'set':
      return ['Set.'];
    default:
      return atomicWords(schema);
  }
}
