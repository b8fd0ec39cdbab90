import type { TSInterfaceDeclaration } from 'oxc-parser';
import type { KindDefinition, TypeDeclaration } from '../source/module.ts';
import type { Span } from '../source/source-text.ts';

/** One version of a kind, as its author declares it. */
export interface Kind {
  readonly group: string;
  readonly version: string;
  readonly kind: string;
  readonly plural: string;
  readonly scope: 'Namespaced' | 'Cluster';
  readonly declaration: TypeDeclaration;
  readonly node: TSInterfaceDeclaration;
  readonly definition: KindDefinition;
  /** Where the literal type of apiVersion is. */
  readonly apiVersionSpan: Span;
}
