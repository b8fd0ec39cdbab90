import type { AcceptedSchema } from '../accepted-schemas.ts';

export const acceptedTypes: readonly AcceptedSchema[] = [];
