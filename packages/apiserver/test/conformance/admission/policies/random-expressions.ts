import type { Randomness } from '../../../support/randomness.ts';

const keys = ['a', 'b', 'c', 'max'];
const texts = ['""', '"a"', '"b"', '"abc"', '"2"', '"10"', '"x-1"', '"ä"'];
const ints = ['0', '1', '2', '3', '-1', '9223372036854775807'];

/** What random expressions may use. */
export interface Vocabulary {
  readonly params: boolean;
  readonly variables: readonly string[];
}

/** A random condition about a ConfigMap. Some fail at run time, and some do not compile. */
export function randomCondition(random: Randomness, words: Vocabulary, depth = 3): string {
  const bool = () => randomCondition(random, words, depth - 1);
  const text = () => randomText(random, words, depth - 1);
  const int = () => randomInt(random, words, depth - 1);
  const key = random.pick(keys);
  const leaves = [
    () => random.pick(['true', 'false']),
    () => `has(object.data.${key})`,
    () => `"${key}" in object.metadata.labels`,
    () => `object.?metadata.?labels.?${key}.hasValue()`,
    () => `request.operation == "${random.pick(['CREATE', 'UPDATE', 'DELETE'])}"`,
    () => 'oldObject == null',
    () => `object.data["${key}"] == "1"`,
    () => `object.metadata.${key} == 1`,
  ];
  if (depth <= 0) return random.pick(leaves)();
  return random.pick([
    ...leaves,
    () => `${text()} == ${text()}`,
    () => `${text()} != ${text()}`,
    () => `${text()}.${random.pick(['startsWith', 'endsWith', 'contains'])}(${text()})`,
    () => `${text()}.matches("^[a-c]+$")`,
    () => `${int()} ${random.pick(['<', '<=', '>', '>=', '==', '!='])} ${int()}`,
    () => `!(${bool()})`,
    () => `(${bool()} && ${bool()})`,
    () => `(${bool()} || ${bool()})`,
    () => `(${bool()} ? ${bool()} : ${bool()})`,
    () => `object.data.${random.pick(['all', 'exists', 'exists_one'])}(k, k == ${text()} || ${bool()})`,
    () => `[${text()}, ${text()}].exists(x, x == ${text()})`,
    () => `${int()} in [1, 2, ${int()}]`,
    () =>
      `object.data.map(k, object.data[k]).${random.pick(['size() > 1', 'exists(v, v == "1")', 'filter(v, v != "").size() == 1'])}`,
    ...(words.variables.length > 0 ? [() => `variables.${random.pick(words.variables)} == ${text()}`] : []),
    ...(words.params ? [() => `params.data.${key} == ${text()}`, () => 'params == null'] : []),
  ])();
}

/** A random text. */
export function randomText(random: Randomness, words: Vocabulary, depth: number): string {
  const text = () => randomText(random, words, depth - 1);
  const int = () => randomInt(random, words, depth - 1);
  const key = random.pick(keys);
  const leaves = [
    () => random.pick(texts),
    () => `object.data.${key}`,
    () => 'object.metadata.name',
    () => 'request.name',
    () => 'namespaceObject.metadata.name',
    () => `object.metadata.labels["${key}"]`,
    () => `object.?data.?${key}.orValue("z")`,
    () => `oldObject.data.${key}`,
  ];
  if (depth <= 0) return random.pick(leaves)();
  return random.pick([
    ...leaves,
    () => `string(${int()})`,
    () => `(${text()} + ${text()})`,
    () => `${text()}.lowerAscii()`,
    () => `${text()}.replace("a", ${text()})`,
    () => `${text()}.substring(${int()})`,
    () => `${text()}.split("-")[${random.pick(['0', '1'])}]`,
    () => `"%s-%d".format([${text()}, ${int()}])`,
    ...(words.variables.length > 0 ? [() => `string(variables.${random.pick(words.variables)})`] : []),
    ...(words.params ? [() => `params.data.${key}`, () => 'params.metadata.name'] : []),
  ])();
}

function randomInt(random: Randomness, words: Vocabulary, depth: number): string {
  const text = () => randomText(random, words, depth - 1);
  const int = () => randomInt(random, words, depth - 1);
  const leaves = [() => random.pick(ints), () => 'size(object.data)', () => 'object.data.size()'];
  if (depth <= 0) return random.pick(leaves)();
  return random.pick([
    ...leaves,
    () => `size(${text()})`,
    () => `int(${text()})`,
    () => `(${int()} ${random.pick(['+', '-', '*', '/', '%'])} ${int()})`,
    () => `${text()}.indexOf(${text()})`,
  ])();
}
