/** A part of a structural schema. */
export interface Schema {
  readonly type?: string;
  readonly [field: string]: unknown;
}

type Properties = Readonly<Record<string, Schema>>;

export const text: Schema = { type: 'string' };
export const flag: Schema = { type: 'boolean' };
export const integer: Schema = { type: 'integer' };
export const time: Schema = { type: 'string', format: 'date-time' };

/** An object of any content. */
export const anything: Schema = { type: 'object', 'x-kubernetes-preserve-unknown-fields': true };

export const oneOf = (...values: readonly string[]): Schema => ({ type: 'string', enum: values });

export const list = (items: Schema): Schema => ({ type: 'array', items });

/** An object without other fields. @param required the names of those that must be there */
export function object(properties: Properties, required: readonly string[] = []): Schema {
  return { type: 'object', properties, ...(required.length > 0 && { required }) };
}

/** An object with other fields beside these. @param required the names of those that must be there */
export function open(properties: Properties, required: readonly string[] = []): Schema {
  return { ...object(properties, required), 'x-kubernetes-preserve-unknown-fields': true };
}
