import type { PrecompiledTemplate } from './render.ts';

/** The compiled templates by name. The build fills it; in the sources it is empty, and templates are compiled on use. */
export const precompiled: Readonly<Record<string, PrecompiledTemplate>> = {};
