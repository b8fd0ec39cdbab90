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
  /** An API cannot use other declarations (class, namespace), but an error can name them. */
  readonly node:
    | TSInterfaceDeclaration
    | TSTypeAliasDeclaration
    | TSEnumDeclaration
    | { readonly type: 'other'; readonly what: string };
  /** The other interfaces of this name, which TypeScript merges with the first. */
  readonly parts: readonly TSInterfaceDeclaration[];
  readonly nameSpan: Span;
  /** The comment above the declaration, or above the parts of an interface. */
  readonly doc: DocComment;
}

/** A top-level class: its `implements` clauses and the comment above it. */
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

/** A name of this module for an export of another module. */
export interface ImportBinding {
  readonly specifier: string;
  /** The exported name; `*` for the whole module. */
  readonly imported: string;
  readonly span: Span;
}

/** `export { local as name }`, or with a specifier `export { local as name } from '…'`. */
export interface ExportBinding {
  /** The name in this module, or in the module of the specifier; `*` for `export * as name from '…'`. */
  readonly local: string;
  readonly specifier?: string;
  readonly span: Span;
}

/** A defineKind call that initializes a top-level constant. */
export interface KindDefinition {
  readonly module: Module;
  /** The local name of the called function. */
  readonly callee: string;
  readonly span: Span;
  readonly typeArgument?: TSType;
  readonly properties: ReadonlyMap<string, { readonly value: string | undefined; readonly span: Span }>;
}

/** One source file: what it declares and imports, and its comments. */
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
  /** Every tag of the file, whether attached to a declaration or not. */
  readonly tags: readonly Tag[];
  /** The statements that declare types, including the comments above them. */
  readonly typeSpans: readonly Span[];
  /** Returns the doc comment of the node that begins at an offset. */
  docAt(offset: number): DocComment;
}
