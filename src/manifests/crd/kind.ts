import type { TSInterfaceDeclaration } from 'oxc-parser';
import type { KindDefinition, TypeDeclaration } from '../source/module.ts';
import type { Span } from '../source/source-text.ts';
import type { Diagnostics } from '../diagnostics/diagnostics.ts';
import { valueSpan, writtenName } from '../tag-syntax/tag.ts';
import type { Tag } from '../tag-syntax/tag.ts';
import type { Schema } from '../schema/schema.ts';

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

/** What the readers of a kind's tags share. */
export interface KindContext {
  readonly kind: Kind;
  readonly schema: Schema;
  readonly diagnostics: Diagnostics;
}

/** Reports what is wrong with the value of a tag. */
export function failTag({ diagnostics }: KindContext, tag: Tag, message: string, hint?: string): void {
  diagnostics.error(tag.source, valueSpan(tag), 'tag-value', `${writtenName(tag)} ${message}`, hint);
}
