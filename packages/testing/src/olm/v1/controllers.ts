import type { OlmContext } from '../olm-context.ts';

/** Adds the controllers of OLM v1. */
export function addV1Controllers(_context: OlmContext): void {}
