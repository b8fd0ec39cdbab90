import type { AcceptedSchema } from '../accepted-schemas.ts';

export const acceptedBuiltins: readonly AcceptedSchema[] = [];
