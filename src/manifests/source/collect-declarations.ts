import type { CallExpression, Expression, ModuleExportName, Program, Statement } from 'oxc-parser';
import type { DocComment } from '../tag-syntax/tag.ts';
import type { AttachedComments } from './attach-comments.ts';
import type {
  ClassDeclaration,
  ExportBinding,
  ImportBinding,
  KindDefinition,
  Module,
  TypeDeclaration,
  ValueDeclaration,
} from './module.ts';
import type { SourceText, Span } from './source-text.ts';

const noDoc: DocComment = { description: '', tags: [] };

/** Lists what a file declares, imports and exports at its top level. */
export function collectDeclarations(
  source: SourceText,
  program: Program,
  comments: AttachedComments,
): Module {
  const types = new Map<string, TypeDeclaration>();
  const values = new Map<string, ValueDeclaration>();
  const classes: ClassDeclaration[] = [];
  const imports = new Map<string, ImportBinding>();
  const exports = new Map<string, ExportBinding>();
  const starExports: { specifier: string; span: Span }[] = [];
  const kindDefinitions: KindDefinition[] = [];
  const typeSpans: Span[] = [];
  const docAt = (offset: number) => comments.above.get(offset) ?? noDoc;
  const module: Module = {
    source,
    types,
    values,
    classes,
    imports,
    exports,
    starExports,
    kindDefinitions,
    tags: comments.tags,
    typeSpans,
    docAt,
  };

  for (const statement of program.body) {
    if (statement.type === 'ImportDeclaration') {
      for (const specifier of statement.specifiers) {
        const imported =
          specifier.type === 'ImportSpecifier'
            ? exportName(specifier.imported)
            : specifier.type === 'ImportDefaultSpecifier'
              ? 'default'
              : '*';
        imports.set(specifier.local.name, {
          specifier: statement.source.value,
          imported,
          span: spanOf(specifier),
        });
      }
    } else if (statement.type === 'ExportAllDeclaration') {
      const specifier = statement.source.value;
      const span = spanOf(statement);
      if (statement.exported) exports.set(exportName(statement.exported), { local: '*', specifier, span });
      else starExports.push({ specifier, span });
    } else if (statement.type === 'ExportNamedDeclaration') {
      for (const specifier of statement.specifiers) {
        exports.set(exportName(specifier.exported), {
          local: exportName(specifier.local),
          ...(statement.source ? { specifier: statement.source.value } : {}),
          span: spanOf(specifier),
        });
      }
      if (statement.declaration) addDeclaration(statement.declaration, statement, 'named');
    } else if (statement.type === 'ExportDefaultDeclaration') {
      const { declaration } = statement;
      if (declaration.type === 'TSInterfaceDeclaration' || declaration.type === 'ClassDeclaration')
        addDeclaration(declaration, statement, 'default');
      else if (declaration.type === 'Identifier')
        exports.set('default', { local: declaration.name, span: spanOf(declaration) });
    } else {
      addDeclaration(statement, statement, undefined);
    }
  }
  return module;

  function addDeclaration(node: Statement, statement: Span, exported: 'named' | 'default' | undefined): void {
    if (node.type === 'VariableDeclaration') {
      for (const { id, init } of node.declarations) {
        const definition = init && kindDefinition(module, init);
        if (definition) kindDefinitions.push(definition);
        if (node.kind !== 'const' || !init || id.type !== 'Identifier') continue;
        values.set(id.name, { module, name: id.name, init });
        // A type of the same name is exported by its own declaration.
        if (exported && !exports.has(id.name)) exports.set(id.name, { local: id.name, span: spanOf(id) });
      }
      return;
    }
    if (node.type === 'ClassDeclaration') {
      const doc = docAt(statement.start);
      classes.push({ module, name: node.id?.name, implements: node.implements ?? [], doc });
    }
    const type = typeDeclaration(node);
    if (!type) return;
    if (type.node.type !== 'other') {
      typeSpans.push({
        start: comments.above.get(statement.start)?.start ?? statement.start,
        end: statement.end,
      });
    }
    const declaration: TypeDeclaration = { module, ...type, parts: [], doc: docAt(statement.start) };
    const earlier = types.get(type.name);
    types.set(type.name, earlier ? mergeDeclarations(earlier, declaration) : declaration);
    if (exported) {
      const span = type.nameSpan;
      exports.set(exported === 'default' ? 'default' : type.name, { local: type.name, span });
    }
  }
}

/** Merges interfaces of the same name into one. Other declarations with several parts cannot be read. */
function mergeDeclarations(first: TypeDeclaration, second: TypeDeclaration): TypeDeclaration {
  if (first.node.type !== 'TSInterfaceDeclaration' || second.node.type !== 'TSInterfaceDeclaration')
    return { ...first, node: { type: 'other', what: 'declared in several parts' } };
  return {
    ...first,
    parts: [...first.parts, second.node],
    doc: {
      description: first.doc.description || second.doc.description,
      tags: [...first.doc.tags, ...second.doc.tags],
    },
  };
}

function typeDeclaration(node: Statement): Pick<TypeDeclaration, 'name' | 'node' | 'nameSpan'> | undefined {
  switch (node.type) {
    case 'TSInterfaceDeclaration':
    case 'TSTypeAliasDeclaration':
    case 'TSEnumDeclaration':
      return { name: node.id.name, node, nameSpan: spanOf(node.id) };
    case 'ClassDeclaration':
      return node.id ? unsupported(node.id, 'a class') : undefined;
    case 'TSModuleDeclaration':
      return node.id.type === 'Identifier' && node.kind !== 'global'
        ? unsupported(node.id, 'a namespace')
        : undefined;
    case 'TSImportEqualsDeclaration':
      return unsupported(node.id, 'imported with `import =`');
    default:
      return undefined;
  }
}

function unsupported(
  id: Span & { name: string },
  what: string,
): Pick<TypeDeclaration, 'name' | 'node' | 'nameSpan'> {
  return { name: id.name, node: { type: 'other', what }, nameSpan: spanOf(id) };
}

/**
 * Returns `f<T>({ … })`, if that is what the expression is. The module graph decides whether `f` is
 * defineKind.
 */
function kindDefinition(module: Module, init: Expression): KindDefinition | undefined {
  const call = withoutAssertions(init);
  if (call.type !== 'CallExpression') return undefined;
  const callee = calleeName(call);
  const [argument] = call.arguments;
  if (callee === undefined || argument?.type !== 'ObjectExpression') return undefined;
  const properties = new Map<string, { value: string | undefined; span: Span }>();
  for (const property of argument.properties) {
    if (property.type !== 'Property' || property.computed) continue;
    const { key } = property;
    const name =
      key.type === 'Identifier' ? key.name : key.type === 'Literal' ? String(key.value) : undefined;
    if (name !== undefined)
      properties.set(name, { value: stringValue(property.value), span: spanOf(property.value) });
  }
  const typeArgument = call.typeArguments?.params[0];
  return { module, callee, span: spanOf(call), ...(typeArgument ? { typeArgument } : {}), properties };
}

function calleeName(call: CallExpression): string | undefined {
  const { callee } = call;
  if (callee.type === 'Identifier') return callee.name;
  if (callee.type !== 'MemberExpression' || callee.computed || callee.object.type !== 'Identifier')
    return undefined;
  return callee.property.type === 'Identifier' ? `${callee.object.name}.${callee.property.name}` : undefined;
}

function stringValue(expression: Expression): string | undefined {
  const value = withoutAssertions(expression);
  if (value.type === 'Literal' && typeof value.value === 'string') return value.value;
  if (value.type === 'TemplateLiteral' && value.expressions.length === 0) {
    return value.quasis[0]?.value.cooked ?? undefined;
  }
  return undefined;
}

function withoutAssertions(expression: Expression): Expression {
  let current = expression;
  while (current.type === 'TSAsExpression' || current.type === 'TSSatisfiesExpression')
    current = current.expression;
  return current;
}

function exportName(name: ModuleExportName): string {
  return name.type === 'Literal' ? name.value : name.name;
}

function spanOf(node: Span): Span {
  return { start: node.start, end: node.end };
}
