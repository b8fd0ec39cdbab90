import type { RefusedSpec } from '../refused-specs.ts';

export const refusedTypes: readonly RefusedSpec[] = [];
