import type { PrecompiledTemplate } from './render.ts';

/** The templates by name, compiled. Empty in the sources, where they are compiled when used; the build fills it. */
export const precompiled: Readonly<Record<string, PrecompiledTemplate>> = {};
