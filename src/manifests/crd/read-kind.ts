import type { TSInterfaceDeclaration } from 'oxc-parser';
import type { Diagnostics } from '../diagnostics/diagnostics.ts';
import type { KindDefinition, TypeDeclaration } from '../source/module.ts';
import type { Span } from '../source/source-text.ts';
import type { Kind } from './kind.ts';

/** The literal type of a property of an interface. */
interface Literal {
  readonly value: string;
  readonly span: Span;
}

/**
 * Reads an interface that extends KubernetesObject, together with its defineKind call.
 * @param definition the call, if the file has one
 * @returns `parent` for an interface that other kinds extend; undefined after errors, which are in the
 * diagnostics
 */
export function readKind(
  declaration: TypeDeclaration,
  node: TSInterfaceDeclaration,
  definition: KindDefinition | undefined,
  diagnostics: Diagnostics,
): Kind | 'parent' | undefined {
  const { source } = declaration.module;
  const apiVersion = literalProperty(node, 'apiVersion');
  const kind = literalProperty(node, 'kind');
  if (!apiVersion && !kind && !definition) return 'parent';
  const name = node.id.name;
  if (!apiVersion || !kind) {
    const missing = apiVersion ? `kind: '${name}'` : `apiVersion: 'group.example.com/v1'`;
    diagnostics.error(
      source,
      declaration.nameSpan,
      'kind-literal',
      `${name} does not declare its ${apiVersion ? 'kind' : 'apiVersion'}`,
      `declare it with a literal type: ${missing};`,
    );
    return undefined;
  }
  if (!definition) {
    const hint = `add: export const ${name} = defineKind<${name}>({ apiVersion: '${apiVersion.value}', kind: '${kind.value}', plural: '…', scope: 'Namespaced' });`;
    diagnostics.error(
      source,
      declaration.nameSpan,
      'kind-undefined',
      `${name} has no defineKind call in this file, which sets its plural and scope`,
      hint,
    );
    return undefined;
  }
  const [group, version, ...rest] = apiVersion.value.split('/');
  if (!group || !version || rest.length > 0) {
    diagnostics.error(
      source,
      apiVersion.span,
      'kind-name',
      `'${apiVersion.value}' is not group/version`,
      `write it like 'batch.example.com/v1'`,
    );
    return undefined;
  }
  const plural = definitionProperty(definition, 'plural', diagnostics);
  const scope = definitionProperty(definition, 'scope', diagnostics);
  const checked = [
    definitionProperty(definition, 'apiVersion', diagnostics, apiVersion.value),
    definitionProperty(definition, 'kind', diagnostics, kind.value),
  ];
  if (plural === undefined || scope === undefined || checked.includes(undefined)) return undefined;
  if (scope !== 'Namespaced' && scope !== 'Cluster') {
    const span = definition.properties.get('scope')!.span;
    diagnostics.error(
      source,
      span,
      'kind-definition',
      `scope cannot be '${scope}'`,
      `write 'Namespaced' or 'Cluster'`,
    );
    return undefined;
  }
  return {
    group,
    version,
    kind: kind.value,
    plural,
    scope,
    declaration,
    node,
    definition,
    apiVersionSpan: apiVersion.span,
  };
}

function literalProperty(node: TSInterfaceDeclaration, name: string): Literal | undefined {
  for (const member of node.body.body) {
    if (member.type !== 'TSPropertySignature' || member.key.type !== 'Identifier' || member.key.name !== name)
      continue;
    const type = member.typeAnnotation?.typeAnnotation;
    if (type?.type !== 'TSLiteralType' || type.literal.type !== 'Literal') return undefined;
    const { value } = type.literal;
    return typeof value === 'string' ? { value, span: { start: type.start, end: type.end } } : undefined;
  }
  return undefined;
}

/** Returns a string of the defineKind call. It must be `expected` if the interface also states it. */
function definitionProperty(
  { module, span, properties }: KindDefinition,
  name: string,
  diagnostics: Diagnostics,
  expected?: string,
): string | undefined {
  const property = properties.get(name);
  if (property?.value !== undefined && (expected === undefined || expected === property.value))
    return property.value;
  const message = !property
    ? `the defineKind call does not set ${name}`
    : property.value === undefined
      ? `${name} is not a string literal, so it cannot be read without running the code`
      : `${name} is '${property.value}' here and '${expected}' in the interface`;
  diagnostics.error(
    module.source,
    property?.span ?? span,
    'kind-definition',
    message,
    `write ${name}: '${expected ?? '…'}'`,
  );
  return undefined;
}
