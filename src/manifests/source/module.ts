import type {
  Expression,
  TSClassImplements,
  TSEnumDeclaration,
  TSInterfaceDeclaration,
  TSType,
  TSTypeAliasDeclaration,
} from 'oxc-parser';
import type { DocComment, Tag } from '../tag-syntax/tag.ts';
import type { SourceText, Span } from './source-text.ts';

/** A top-level declaration of a type. */
export interface TypeDeclaration {
  readonly module: Module;
  readonly name: string;
  /** Other declarations (class, namespace) have no place in an API, but are known, to be named in an error. */
  readonly node:
    | TSInterfaceDeclaration
    | TSTypeAliasDeclaration
    | TSEnumDeclaration
    | { readonly type: 'other'; readonly what: string };
  /** The further interfaces of this name, which the language merges with the first. */
  readonly parts: readonly TSInterfaceDeclaration[];
  readonly nameSpan: Span;
  /** What stands above the declaration, or above the parts of an interface. */
  readonly doc: DocComment;
}

/** A top-level class: what it says to implement, and the comment above it. */
export interface ClassDeclaration {
  readonly module: Module;
  /** Undefined for a default export without a name. */
  readonly name: string | undefined;
  readonly implements: readonly TSClassImplements[];
  readonly doc: DocComment;
}

/** A top-level `const`, whose literal value a `typeof` can refer to. */
export interface ValueDeclaration {
  readonly module: Module;
  readonly name: string;
  readonly init: Expression;
}

/** What a name of this module stands for in another one. */
export interface ImportBinding {
  readonly specifier: string;
  /** The exported name; `*` for the namespace itself. */
  readonly imported: string;
  readonly span: Span;
}

/** `export { local as name }`, or with a specifier `export { local as name } from '…'`. */
export interface ExportBinding {
  /** The name in this module, or in that of the specifier; `*` for `export * as name from '…'`. */
  readonly local: string;
  readonly specifier?: string;
  readonly span: Span;
}

/** A call of defineKind that is the value of a top-level constant. */
export interface KindDefinition {
  readonly module: Module;
  /** The local name of what is called. */
  readonly callee: string;
  readonly span: Span;
  readonly typeArgument?: TSType;
  readonly properties: ReadonlyMap<string, { readonly value: string | undefined; readonly span: Span }>;
}

/** One source file: what it declares, imports and says in comments. */
export interface Module {
  readonly source: SourceText;
  readonly types: ReadonlyMap<string, TypeDeclaration>;
  readonly values: ReadonlyMap<string, ValueDeclaration>;
  readonly classes: readonly ClassDeclaration[];
  readonly imports: ReadonlyMap<string, ImportBinding>;
  readonly exports: ReadonlyMap<string, ExportBinding>;
  /** The specifiers of `export * from '…'`. */
  readonly starExports: readonly { readonly specifier: string; readonly span: Span }[];
  readonly kindDefinitions: readonly KindDefinition[];
  /** Every tag of the file, attached to a declaration or not. */
  readonly tags: readonly Tag[];
  /** The statements that declare types, with the comments above them. */
  readonly typeSpans: readonly Span[];
  /** The doc comment of the node that begins at an offset. */
  docAt(offset: number): DocComment;
}
