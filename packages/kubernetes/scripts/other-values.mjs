import { referenceOf } from './object-fields.mjs';

/**
 * Other values that a field may have, the likeliest to be valid first.
 *
 * @param {object} schema of the field
 * @param {unknown} value the current value; undefined where it is not set
 * @returns {unknown[]}
 */
export function otherValues(schema, value) {
  return candidates(schema, value).filter((other) => JSON.stringify(other) !== JSON.stringify(value));
}

/**
 * Other values that a struct or a list of structs may have. The fields of an existing one are fields themselves,
 * so here it loses an element at most.
 *
 * @param {object} schema of the field
 * @param {unknown} value the current value; undefined where it is not set
 * @param {import('./object-fields.mjs').Definitions} definitions
 * @returns {unknown[]}
 */
export function structs(schema, value, definitions) {
  if (value !== undefined) return Array.isArray(value) ? [value.slice(1)] : [];
  const { properties, required = [] } = definitions[referenceOf(schema.items ?? schema)];
  const plain = Object.entries(properties).filter(
    ([, each]) => !definitions[referenceOf(each.items ?? each)]?.properties,
  );
  const needed = plain.filter(([name]) => required.includes(name));
  const values = [needed, plain.slice(0, 1), plain]
    .filter((fields) => fields.length > 0)
    .map((fields) => Object.fromEntries(fields.map(([name, each]) => [name, candidates(each)[0]])));
  return schema.items ? values.map((element) => [element]) : values;
}

function candidates(schema, value) {
  const type = referenceOf(schema)?.split('.').at(-1) ?? schema.type;
  switch (type) {
    case 'array':
      return lists(schema.items, value ?? []);
    case 'boolean':
      return [!value];
    case 'integer':
    case 'number':
      return value === undefined ? [1, 5, 100] : [value + 1, value - 1];
    case 'object':
      return maps(schema.additionalProperties ?? {}, value ?? {});
    case 'string':
      return schema.enum ?? strings(schema.format, value);
    case 'IntOrString':
      return [2, '50%', 'other'];
    case 'Quantity':
      return ['2Gi', '2'];
    case 'Time':
      return ['2030-01-01T00:00:00Z'];
    case 'MicroTime':
      return ['2030-01-01T00:00:00.000000Z'];
    default:
      return [{ other: 'value' }];
  }
}

function strings(format, value = '') {
  return format === 'byte'
    ? ['Yg==']
    : [`${value}x`, `x${value}`, `/x`, '10.0.0.77', '10.99.0.0/16', '1', '*/2 * * * *', 'false'];
}

function lists(items, value) {
  const others = candidates(items, undefined).filter((other) => !value.includes(other));
  return [...others.map((other) => [...value, other]), ...others.map((other) => [other]), value.slice(1)];
}

function maps(values, value) {
  const [first, ...others] = Object.entries(value);
  const [other] = candidates(values, undefined);
  return [
    // A selector must keep matching the labels of a template, and a subset does.
    ...(others.length > 0 ? [Object.fromEntries(others)] : []),
    ...(first ? [{ ...value, [first[0]]: other }] : []),
    { ...value, other },
  ];
}
