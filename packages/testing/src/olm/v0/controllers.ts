import type { OlmContext } from '../olm-context.ts';

/** Adds the controllers of OLM v0. */
export function addV0Controllers(_context: OlmContext): void {}
