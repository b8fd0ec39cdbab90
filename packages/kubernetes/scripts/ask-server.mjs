import { isDeepStrictEqual } from 'node:util';
import { fieldsOf, valueAt, withValue } from './object-fields.mjs';
import { otherValues, structs } from './other-values.mjs';

/** Fields that can only change together with others, which a change of one field does not show. */
const changedWithOthers = new Set(['io.k8s.api.batch.v1.JobSpec.completions']);

/** This many values suffice to decide whether a field can change. */
const enoughValues = 4;

/**
 * @typedef {object} Behavior what a server does with a field
 * @property {Map<string, unknown[]>} written what it writes where the field is not set, in each kind: one value for each outcome
 * @property {Set<string>} immutableIn the kinds in which it refuses every change
 * @property {Set<string>} mutableIn the kinds in which it accepts a change
 */

/**
 * Creates samples on a server, and learns from its answers to dry runs, without reading its messages. A field is
 * immutable where the server accepts a create with another value but refuses updates to such values, or where that
 * holds for everything below the field.
 *
 * @param {object[]} samples
 * @param {import('./object-fields.mjs').Definitions} definitions
 * @param {{ group: string, version: string, resources: object[] }[]} served what discovery lists
 * @param {import('./connect.mjs').Call} call
 * @returns {Promise<Map<string, Behavior>>} by full name of the definition, a dot, and the name of the field
 */
export async function askServer(samples, definitions, served, call) {
  const behaviors = new Map();
  const behaviorOf = (name) => {
    const unknown = { written: new Map(), immutableIn: new Set(), mutableIn: new Set() };
    if (!behaviors.has(name)) behaviors.set(name, unknown);
    return behaviors.get(name);
  };
  const subjects = samples.map((sample) => subjectOf(sample, definitions, served, call));
  for (const subject of subjects) await learnDefaults(subject, definitions, behaviorOf);
  for (const subject of subjects) subject.changes = await validChanges(subject, definitions);
  for (const subject of subjects) await subject.store();
  const tried = new Map();
  for (const subject of subjects) {
    const { kind } = subject.sample;
    tried.set(kind, [...(tried.get(kind) ?? []), ...(await triedChanges(subject))]);
  }
  for (const [kind, changes] of tried) learnChanges(treeOf(changes), kind, behaviorOf);
  return behaviors;
}

/** A sample, and the requests about it. */
function subjectOf(sample, definitions, served, call) {
  const { group, version, resource } = resourceOf(sample, served);
  const root = group ? `/apis/${group}/${version}` : `/api/${version}`;
  const all = `${root}${resource.scope === 'Namespaced' ? '/namespaces/default' : ''}/${resource.resource}`;
  const one = `${all}/${sample.metadata.name}`;
  const send = async (method, target, body) => {
    const { status, text } = await call(target, { method, body });
    return status < 300 ? { object: JSON.parse(text) } : { problem: `${method} ${target}: ${text}` };
  };
  return {
    sample,
    definition: definitionOf(group, version, sample.kind, definitions),
    create: (body) => send('POST', `${all}?dryRun=All`, body),
    update: (body) => send('PUT', `${one}?dryRun=All`, body),
    updateParts: (body) =>
      Promise.all(partsOf(resource).map((part) => send('PUT', `${one}/${part}?dryRun=All`, body))),
    read: async () => accepted(await send('GET', one)),
    async store() {
      const stored = accepted(await send('POST', all, sample));
      if (!sample.status) return;
      accepted(await send('PUT', `${one}/status`, { ...stored, status: sample.status }));
    },
  };
}

function accepted({ object, problem }) {
  if (!object) throw new Error(problem);
  return object;
}

/** The subresources that can change fields of the spec, such as resize of Pods. */
function partsOf({ responseKind, subresources = [] }) {
  return subresources
    .filter(({ verbs, responseKind: { kind } }) => verbs.includes('update') && kind === responseKind.kind)
    .map(({ subresource }) => subresource)
    .filter((subresource) => !['status', 'approval'].includes(subresource));
}

function resourceOf({ apiVersion, kind }, served) {
  const [version, group = ''] = apiVersion.split('/').toReversed();
  const { resources } = served.find((entry) => entry.group === group && entry.version === version);
  return { group, version, resource: resources.find(({ responseKind }) => responseKind.kind === kind) };
}

function definitionOf(group, version, kind, definitions) {
  return Object.keys(definitions).find((name) =>
    definitions[name]['x-kubernetes-group-version-kind']?.some(
      (each) => each.group === group && each.version === version && each.kind === kind,
    ),
  );
}

async function learnDefaults({ sample, definition, create }, definitions, behaviorOf) {
  const object = accepted(await create(sample));
  for (const { names, path, value, isStruct } of fieldsOf(object, definition, definitions)) {
    // Elements that a server adds are not defaults of their fields.
    const isOfAddedElement = path.some(
      (key, n) => typeof key === 'number' && !valueAt(sample, path.slice(0, n + 1)),
    );
    if (isStruct || isOfAddedElement || valueAt(sample, path) !== undefined) continue;
    const { written } = behaviorOf(names.at(-1));
    const outcomes = written.get(sample.kind) ?? [];
    if (outcomes.some((other) => isDeepStrictEqual(other, value))) continue;
    written.set(sample.kind, [...outcomes, value]);
  }
}

/** For each field the other values with which the server would have created the sample. */
async function validChanges({ sample, definition, create }, definitions) {
  const object = accepted(await create(sample));
  const changes = [];
  for (const { path, names, schema, isStruct } of fieldsOf(object, definition, definitions)) {
    const before = valueAt(object, path);
    const values = [];
    for (const value of isStruct ? structs(schema, before, definitions) : otherValues(schema, before)) {
      const answer = await create(withValue(sample, path, value));
      // A server drops fields of disabled features.
      if (answer.object && !isDeepStrictEqual(valueAt(answer.object, path), before)) values.push(value);
      if (values.length === enoughValues) break;
    }
    if (values.length > 0) changes.push({ path, names, values });
  }
  return changes;
}

/** @returns {Promise<{ names: string[], isRefused: boolean }[]>} whether the server refuses each change of a stored sample */
async function triedChanges({ sample, changes, read, update, updateParts }) {
  const stored = await read();
  // What a server has written beside a field may not be compatible with another value of it.
  const bare = { ...sample, metadata: stored.metadata };
  accepted(await update(stored));
  const tried = [];
  for (const { path, names, values } of changes) {
    const whole = [];
    const parts = [];
    for (const value of values) {
      const changed = withValue(stored, path, value);
      whole.push(await update(changed), await update(withValue(bare, path, value)));
      parts.push(...(await updateParts(changed)));
    }
    const hasChanged = ({ object }) =>
      object && !isDeepStrictEqual(valueAt(object, path), valueAt(stored, path));
    const isRefused = ![...whole, ...parts].some(hasChanged);
    // A server that accepts an update without the change tells nothing about the field.
    const isIgnored = isRefused && whole.some(({ object }) => object);
    if (!isIgnored) tried.push({ names, isRefused });
  }
  return tried;
}

/** A tree of fields by name. A leaf is refused if every change of it was, in all samples of a kind. */
function treeOf(tried) {
  const root = { fields: new Map(), isRefused: true };
  for (const { names, isRefused } of tried) {
    let node = root;
    for (const name of names) {
      if (!node.fields.has(name)) node.fields.set(name, { fields: new Map(), isRefused: true });
      node = node.fields.get(name);
    }
    node.isRefused &&= isRefused;
  }
  return root;
}

function learnChanges({ fields }, kind, behaviorOf) {
  for (const [name, node] of fields) {
    const { immutableIn, mutableIn } = behaviorOf(name);
    if (isImmutable(node) && !changedWithOthers.has(name)) immutableIn.add(kind);
    else {
      mutableIn.add(kind);
      learnChanges(node, kind, behaviorOf);
    }
  }
}

function isImmutable({ fields, isRefused }) {
  return isRefused && [...fields.values()].every(isImmutable);
}
