import { Document, type Pair, isMap, isNode, isScalar, parseDocument } from 'yaml';
import { OtsError } from '../../errors/ots-error.ts';
import { oneLine } from '../../output/one-line.ts';
import { toYaml } from './to-yaml.ts';

/** What the annotations of a bundle say. */
export interface BundleMetadata {
  readonly packageName: string;
  readonly channels: readonly string[];
  /** Undefined: the catalog chooses. */
  readonly defaultChannel: string | undefined;
  readonly layout: string;
  readonly builder: string;
  readonly hasScorecard: boolean;
}

const prefix = 'operators.operatorframework.io.';

function coreLabels(metadata: BundleMetadata): Record<string, string> {
  const { packageName, channels, defaultChannel, builder, layout } = metadata;
  return {
    'bundle.mediatype.v1': 'registry+v1',
    'bundle.manifests.v1': 'manifests/',
    'bundle.metadata.v1': 'metadata/',
    'bundle.package.v1': packageName,
    'bundle.channels.v1': channels.join(','),
    ...(defaultChannel !== undefined && { 'bundle.channel.default.v1': defaultChannel }),
    'metrics.builder': builder,
    'metrics.mediatype.v1': 'metrics+v1',
    'metrics.project_layout': layout,
  };
}

const testLabels = { 'test.mediatype.v1': 'scorecard+v1', 'test.config.v1': 'tests/scorecard/' };

/** The annotations and labels of this program; others belong to the author. */
const ownLabels = new Set(
  [
    ...Object.keys(
      coreLabels({
        packageName: '',
        channels: [],
        defaultChannel: '',
        layout: '',
        builder: '',
        hasScorecard: true,
      }),
    ),
    ...Object.keys(testLabels),
  ].map((label) => prefix + label),
);

/**
 * The text of metadata/annotations.yaml.
 *
 * @param former the text of the file that is there: annotations and keys that ots does not know stay
 * @throws OtsError `INVALID_ANNOTATIONS` if it is not YAML
 */
export function annotationsFile(metadata: BundleMetadata, former: string | undefined, file: string): string {
  const tests = metadata.hasScorecard ? `\n  # Annotations for testing.\n${yamlLines(testLabels)}` : '';
  const text = `annotations:\n  # Core bundle annotations.\n${yamlLines(coreLabels(metadata))}${tests}`;
  return text + keptAnnotations(former ?? '', file);
}

function yamlLines(labels: Record<string, string>): string {
  return Object.entries(labels)
    .map(([key, value]) => `  ${prefix}${key}: ${toYaml(value)}`)
    .join('');
}

function keptAnnotations(former: string, file: string): string {
  const document = parseDocument(former, { version: '1.1' });
  const { contents, errors } = document;
  if (errors.length > 0 || (contents !== null && !isMap(contents))) {
    throw new OtsError(
      'INVALID_ANNOTATIONS',
      `${file} cannot be read: ${oneLine(errors[0]?.message.split('\n')[0]?.replace(/:$/, '') ?? 'it is not a map')}`,
      {
        hint: 'Correct the file, or remove it: ots generates it again, but cannot keep annotations of your own.',
      },
    );
  }
  const annotations = document.get('annotations');
  const own = isMap(annotations) ? annotations.items.filter((pair) => !ownLabels.has(keyOf(pair))) : [];
  const others = isMap(contents) ? contents.items.filter((pair) => keyOf(pair) !== 'annotations') : [];
  return indented(textOf(own)) + textOf(others);
}

function keyOf({ key }: Pair): string {
  return String(isScalar(key) ? key.value : key);
}

/** The pairs with their comments, below an empty line. */
function textOf(pairs: readonly Pair[]): string {
  const [first] = pairs;
  if (!first) return '';
  if (isNode(first.key)) first.key.spaceBefore = false;
  const document = new Document({}, { version: '1.1' });
  if (isMap(document.contents)) document.contents.items.push(...pairs);
  const text = document.toString({ lineWidth: 0, directives: false });
  return `\n${text.replace(/^\n+/, '')}`;
}

function indented(text: string): string {
  return text.replaceAll(/^(?=.)/gm, '  ');
}

/**
 * The text of bundle.Dockerfile.
 *
 * @param directory of the bundle, relative to the file
 * @param former the text of the file that is there: labels and instructions that ots does not know stay
 */
export function dockerfile(metadata: BundleMetadata, directory: string, former: string | undefined): string {
  const folders = ['manifests', 'metadata', ...(metadata.hasScorecard ? ['tests/scorecard'] : [])];
  const kept = instructionsIn(former ?? '').filter((instruction) => !isOwn(instruction));
  return [
    'FROM scratch\n',
    `# Core bundle labels.\n${labelLines(coreLabels(metadata))}`,
    ...(metadata.hasScorecard ? [`# Labels for testing.\n${labelLines(testLabels)}`] : []),
    `# Copy files to locations specified by labels.\n${folders.map((folder) => `COPY ${directory}/${folder} /${folder}/\n`).join('')}`,
    ...(kept.length > 0 ? [kept.join('')] : []),
  ].join('\n');
}

function labelLines(labels: Record<string, string>): string {
  return Object.entries(labels)
    .map(([key, value]) => `LABEL ${prefix}${key}=${value}\n`)
    .join('');
}

/** The instructions of a Dockerfile, each with the comments above it and the lines that continue it. */
function instructionsIn(text: string): string[] {
  const instructions: string[] = [];
  let current = '';
  for (const line of text.split('\n')) {
    if (line.trim() === '') continue;
    current += `${line}\n`;
    if (line.trim().startsWith('#') || line.trimEnd().endsWith('\\')) continue;
    instructions.push(current);
    current = '';
  }
  return instructions;
}

function isOwn(instruction: string): boolean {
  const text = instruction
    .split('\n')
    .filter((line) => line !== '' && !line.trim().startsWith('#'))
    .join('\n')
    .trim();
  if (/^FROM\s+scratch$/i.test(text)) return true;
  const [, label] = /^LABEL\s+([^=\s]+)=\S*$/i.exec(text) ?? [];
  if (label !== undefined) return ownLabels.has(label);
  return /^COPY\s+\S+\s+\/(?:manifests|metadata|tests\/scorecard)\/$/i.test(text);
}
