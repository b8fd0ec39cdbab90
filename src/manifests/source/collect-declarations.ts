import type { CallExpression, Expression, ModuleExportName, Program, Statement } from 'oxc-parser';
import type { DocComment } from '../markers/doc-comment.ts';
import type { AttachedComments } from './attach-comments.ts';
import type { ExportBinding, ImportBinding, KindDefinition, Module, TypeDeclaration } from './module.ts';
import type { SourceText, Span } from './source-text.ts';

const NO_DOC: DocComment = { description: '', tags: [] };

/** Lists what a file declares, imports and exports at its top level. */
export function collectDeclarations(
  source: SourceText,
  program: Program,
  comments: AttachedComments,
): Module {
  const types = new Map<string, TypeDeclaration>();
  const imports = new Map<string, ImportBinding>();
  const exports = new Map<string, ExportBinding>();
  const starExports: { specifier: string; span: Span }[] = [];
  const kindDefinitions: KindDefinition[] = [];
  const typeSpans: Span[] = [];
  const docAt = (offset: number) => comments.above.get(offset) ?? NO_DOC;
  const module: Module = {
    source,
    types,
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
      if (!statement.exported)
        starExports.push({ specifier: statement.source.value, span: spanOf(statement) });
    } else if (statement.type === 'ExportNamedDeclaration') {
      for (const specifier of statement.specifiers) {
        exports.set(exportName(specifier.exported), {
          local: exportName(specifier.local),
          ...(statement.source ? { specifier: statement.source.value } : {}),
          span: spanOf(specifier),
        });
      }
      if (statement.declaration) declare(statement.declaration, statement, 'named');
    } else if (statement.type === 'ExportDefaultDeclaration') {
      if (statement.declaration.type === 'TSInterfaceDeclaration')
        declare(statement.declaration, statement, 'default');
    } else {
      declare(statement, statement, undefined);
    }
  }
  return module;

  function declare(node: Statement, statement: Span, exported: 'named' | 'default' | undefined): void {
    if (node.type === 'VariableDeclaration') {
      for (const { init } of node.declarations) {
        const definition = init && kindDefinition(module, init);
        if (definition) kindDefinitions.push(definition);
      }
      return;
    }
    const type = typeDeclaration(node);
    if (!type) return;
    if (type.node.type !== 'other') {
      typeSpans.push({
        start: comments.above.get(statement.start)?.start ?? statement.start,
        end: statement.end,
      });
    }
    const merged = types.has(type.name)
      ? { type: 'other' as const, what: 'declared in several parts' }
      : type.node;
    types.set(type.name, { module, ...type, node: merged, doc: docAt(statement.start) });
    if (exported) {
      const span = type.nameSpan;
      exports.set(exported === 'default' ? 'default' : type.name, { local: type.name, span });
    }
  }
}

function typeDeclaration(node: Statement): Pick<TypeDeclaration, 'name' | 'node' | 'nameSpan'> | undefined {
  switch (node.type) {
    case 'TSInterfaceDeclaration':
    case 'TSTypeAliasDeclaration':
      return { name: node.id.name, node, nameSpan: spanOf(node.id) };
    case 'TSEnumDeclaration':
      return { name: node.id.name, node: { type: 'other', what: 'an enum' }, nameSpan: spanOf(node.id) };
    case 'ClassDeclaration':
      return node.id
        ? { name: node.id.name, node: { type: 'other', what: 'a class' }, nameSpan: spanOf(node.id) }
        : undefined;
    default:
      return undefined;
  }
}

/** `f<T>({ … })`, if that is what the expression is; whether `f` is defineKind is for the module graph to find out. */
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
