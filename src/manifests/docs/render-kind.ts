import { constraints, rules } from './constraints.ts';
import { code, paragraphs, prose } from './markdown.ts';
import { keyOf, namedTypeOf } from './named-types.ts';
import type { KindVersion } from './render-docs.ts';
import type { Field, Section } from './sections.ts';
import { typeName } from './type-name.ts';

/** The anchors on a page. */
export interface Anchors {
  /** By the path of a section of the kind. */
  readonly sections: ReadonlyMap<string, string>;
  /** By the key of a named type. */
  readonly types: ReadonlyMap<string, string>;
}

/**
 * Renders the part of a page about one kind.
 * @param anchors where the sections of the kind and the named types are on the page
 * @returns blocks, to be separated by empty lines
 */
export function kindSections(member: KindVersion, sections: readonly Section[], anchors: Anchors): string[] {
  const { kind } = member.crd.spec.names;
  return sections.flatMap((section) => [
    section.path === '' ? `## ${kind}` : `### ${code(kind + section.path)}`,
    ...(section.schema.description === undefined ? [] : [paragraphs(section.schema.description)]),
    ...(section.path === '' ? [facts(member)] : []),
    ...(rules(section.schema).length > 0 ? [bullets(rules(section.schema))] : []),
    table(section.fields, anchors),
  ]);
}

function facts({ crd, version }: KindVersion): string {
  const { group, names, scope } = crd.spec;
  const words = [names.plural, names.singular, ...(names.shortNames ?? [])];
  const lines = [
    `apiVersion: ${code(`${group}/${version.name}`)}`,
    `kind: ${code(names.kind)}`,
    `scope: ${scope}`,
    `kubectl: ${[...new Set(words)].map(code).join(', ')}`,
  ];
  const subresources = Object.keys(version.subresources ?? {}).toSorted();
  if (subresources.length > 0) lines.push(`subresources: ${subresources.join(', ')}`);
  if (crd.spec.versions.length > 1 && version.storage) lines.push('objects are stored in this version');
  if (!version.served) lines.push('this version is **not served**');
  if (version.deprecated) {
    const warning = version.deprecationWarning;
    lines.push(`this version is **deprecated**${warning === undefined ? '' : `: ${prose(warning)}`}`);
  }
  return bullets(lines);
}

function bullets(lines: readonly string[]): string {
  return lines.map((line) => `- ${line}`).join('\n');
}

function table(fields: readonly Field[], anchors: Anchors): string {
  const rows = fields.map((field) => `| ${row(field, anchors).join(' | ')} |`);
  return [
    '| Field | Type | Required | Default | Constraints | Description |',
    '| --- | --- | --- | --- | --- | --- |',
    ...rows,
  ].join('\n');
}

function row({ path, schema, required, section }: Field, anchors: Anchors): string[] {
  const type = path === '.metadata' ? 'ObjectMeta' : typeName(schema);
  const named = namedTypeOf(schema);
  const anchor =
    section === undefined ? named && anchors.types.get(keyOf(named)) : anchors.sections.get(section);
  return [
    code(path),
    anchor === undefined ? type : `[${type.replaceAll('[]', '\\[\\]')}](#${anchor})`,
    required ? 'yes' : 'no',
    schema.default === undefined ? '' : code(JSON.stringify(schema.default)),
    constraints(section === path ? { ...schema, 'x-kubernetes-validations': [] } : schema).join('<br>'),
    prose(schema.description ?? ''),
  ];
}
