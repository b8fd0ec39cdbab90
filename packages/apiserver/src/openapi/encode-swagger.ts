import { type JsonObject, isObject } from '../json/json-object.ts';
import { doubleField, lengthDelimited, varintField } from './protobuf-fields.ts';

/** Encodes the value of a JSON member as the field with that number. */
type Encode = (number: number, value: unknown) => Buffer;
/** The members of an object that have a field in the message. All others, except those with `x-`, are omitted. */
type Message = Readonly<Record<string, readonly [number: number, encode: Encode]>>;

const text: Encode = (number, value) => lengthDelimited(number, String(value));
const truth: Encode = (number, value) => varintField(number, value === true);
const integer: Encode = (number, value) => varintField(number, Math.trunc(Number(value)));
const double: Encode = (number, value) => doubleField(number, Number(value));
/** A value of any type is stored as YAML, and JSON is valid YAML. */
const any: Encode = (number, value) => lengthDelimited(number, lengthDelimited(2, JSON.stringify(value)));
const all =
  (encode: Encode): Encode =>
  (number, value) =>
    Buffer.concat((Array.isArray(value) ? value : []).map((item: unknown) => encode(number, item)));
/** A message that wraps other messages. */
const within =
  (path: readonly number[], encode: Encode): Encode =>
  (number, value) => {
    const [inner, ...rest] = path;
    if (inner === undefined) return encode(number, value);
    return lengthDelimited(number, within(rest, encode)(inner, value));
  };
/** An object with arbitrary keys, as a message that repeats name and value. */
const named =
  (inner: number, encode: Encode): Encode =>
  (number, value) => {
    const entries = Object.entries(isObject(value) ? value : {}).map(([name, item]) =>
      lengthDelimited(inner, Buffer.concat([text(1, name), encode(2, item)])),
    );
    return lengthDelimited(number, Buffer.concat(entries));
  };
const message =
  (fields: () => Message, extensions: number): Encode =>
  (number, value) =>
    lengthDelimited(number, isObject(value) ? encodeMembers(value, fields(), extensions) : '');

const schema: Encode = message(() => schemaFields, 31);

const schemaFields: Message = {
  $ref: [1, text],
  format: [2, text],
  title: [3, text],
  description: [4, text],
  multipleOf: [6, double],
  maximum: [7, double],
  exclusiveMaximum: [8, truth],
  minimum: [9, double],
  exclusiveMinimum: [10, truth],
  maxLength: [11, integer],
  minLength: [12, integer],
  pattern: [13, text],
  maxItems: [14, integer],
  minItems: [15, integer],
  uniqueItems: [16, truth],
  maxProperties: [17, integer],
  minProperties: [18, integer],
  required: [19, all(text)],
  enum: [20, all(any)],
  additionalProperties: [
    21,
    (number, value) => (isObject(value) ? within([1], schema) : within([2], truth))(number, value),
  ],
  type: [22, within([1], text)],
  items: [23, within([1], schema)],
  properties: [25, named(1, schema)],
  example: [30, any],
};
const parameterFields: Message = {
  in: [2, text],
  name: [4, text],
  type: [6, text],
  uniqueItems: [20, truth],
};
const responseFields: Message = { description: [1, text] };
const operationFields: Message = {
  consumes: [7, all(text)],
  parameters: [
    8,
    all(
      within(
        [1, 2, 3],
        message(() => parameterFields, 23),
      ),
    ),
  ],
  responses: [
    9,
    named(
      1,
      within(
        [1],
        message(() => responseFields, 5),
      ),
    ),
  ],
};
const pathFields: Message = { patch: [8, message(() => operationFields, 13)] };
const infoFields: Message = { title: [1, text], version: [2, text] };
const documentFields: Message = {
  swagger: [1, text],
  info: [2, message(() => infoFields, 7)],
  paths: [
    8,
    named(
      2,
      message(() => pathFields, 10),
    ),
  ],
  definitions: [9, named(1, schema)],
};

/**
 * Encodes an OpenAPI 2 document as the message that Go clients decode. Source: the field numbers are those of
 * gnostic's OpenAPIv2.proto.
 *
 * @param document as JSON text
 */
export function encodeSwagger(document: string): Buffer {
  const value: unknown = JSON.parse(document);
  return isObject(value) ? encodeMembers(value, documentFields, 16) : Buffer.alloc(0);
}

/** @param extensions the number of the field for members that begin with `x-` */
function encodeMembers(object: JsonObject, fields: Message, extensions: number): Buffer {
  const parts: Buffer[] = [];
  for (const [name, value] of Object.entries(object)) {
    const field = Object.hasOwn(fields, name) ? fields[name] : undefined;
    if (field) parts.push(field[1](field[0], value));
    else if (name.startsWith('x-'))
      parts.push(lengthDelimited(extensions, Buffer.concat([text(1, name), any(2, value)])));
  }
  return Buffer.concat(parts);
}
