import type { AcceptedSchema } from '../accepted-schemas.ts';

export const acceptedTags: readonly AcceptedSchema[] = [];
