import type { RefusedSpec } from '../refused-specs.ts';

export const refusedTags: readonly RefusedSpec[] = [];
