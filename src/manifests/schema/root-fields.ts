import type { Schema } from './schema.ts';

/** The fields that every kind has. The API server knows their types. */
export const rootFields: ReadonlyMap<string, Schema> = new Map<string, Schema>([
  [
    'apiVersion',
    { type: 'string', description: 'The group and version of the API that this object is written for.' },
  ],
  ['kind', { type: 'string', description: 'The kind of this object.' }],
  ['metadata', { type: 'object' }],
]);
