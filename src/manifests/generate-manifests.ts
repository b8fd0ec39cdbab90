import { buildCrds } from './crd/build-crds.ts';
import { checkClashes } from './crd/check-clashes.ts';
import { checkFinished } from './crd/check-finished.ts';
import { crdDir } from './crd/custom-resource-definition.ts';
import type { CustomResourceDefinition } from './crd/custom-resource-definition.ts';
import { findKinds } from './crd/find-kinds.ts';
import { readConversions } from './crd/read-conversions.ts';
import type { Diagnostic } from './diagnostics/diagnostic.ts';
import { Diagnostics } from './diagnostics/diagnostics.ts';
import { definitionOf } from './tag-syntax/registry.ts';
import { reportLeftovers } from './tag-syntax/report-leftovers.ts';
import { markConsumed } from './tag-syntax/tag.ts';
import type { Tag } from './tag-syntax/tag.ts';
import { buildRoles } from './rbac/build-roles.ts';
import { type TaggedRule, readRules } from './rbac/read-rules.ts';
import type { ClassDeclaration, Module } from './source/module.ts';
import { ModuleGraph } from './source/module-graph.ts';
import type { SourceFiles } from './source/source-files.ts';
import { TypeEvaluator } from './types/type-evaluator.ts';
import { buildWebhooks } from './webhook/build-webhooks.ts';
import type { ServedKind } from './webhook/check-paths.ts';
import { generatedHeader, renderYaml } from './yaml.ts';

export interface ManifestOptions {
  /** Whether the manager is restricted to its namespace, as `namespaced` in PROJECT says. Default false. */
  readonly namespaced?: boolean;
  /**
   * The domain in PROJECT, which is part of the names of webhooks for built-in kinds. Without it, such a tag
   * must state its `name`.
   */
  readonly domain?: string;
}

export interface ManifestResult {
  /** The files to write, by project-relative path; empty if there are diagnostics. */
  readonly files: Map<string, string>;
  /** Existing generated files that would no longer be generated; empty if there are diagnostics. */
  readonly orphans: string[];
  /** The generated CRDs with their sources; empty if there are diagnostics. */
  readonly crds: readonly CustomResourceDefinition[];
  /** The rules of the @rbac tags; empty if there are diagnostics. */
  readonly rules: readonly TaggedRule[];
  /** The classes of the sources, whose comments may have tags; empty if there are diagnostics. */
  readonly classes: readonly ClassDeclaration[];
  /** The errors, by position. */
  readonly diagnostics: Diagnostic[];
}

/** The declarations of other projects' kinds, for use in controllers. ots generates no CRDs for them. */
const externalDir = 'src/external/';
const roleFile = 'config/rbac/role.yaml';
const webhookFile = 'config/webhook/manifests.yaml';

/** Only files that match can matter, unless another file imports them. */
const relevant = /@[A-Za-z]|\+kubebuilder|KubernetesObject|defineKind/;

/**
 * Generates the CRDs, the role and the webhook configurations of a project from the TypeScript files below `src/`.
 * @param source the files of the project; the generator reads nothing else and writes nothing
 */
export function generateManifests(source: SourceFiles, options: ManifestOptions = {}): ManifestResult {
  const diagnostics = new Diagnostics();
  const graph = new ModuleGraph(source, diagnostics);
  const texts = readSources(source);
  const modules = loadModules(texts, graph);
  const own = modules.filter((module) => !module.source.path.startsWith(externalDir));
  const found = own.map((module) => findKinds(module, graph, diagnostics));
  const areKindsFound = !diagnostics.hasErrors;
  const kinds = found.flatMap((result) => result.kinds);
  const tags = (name: string) => modules.flatMap((module) => consume(module, name));

  const converted = readConversions(tags('conversion'), kinds, diagnostics);
  const evaluator = new TypeEvaluator(graph, diagnostics);
  for (const { declaration } of found.flatMap((result) => result.broken)) {
    evaluator.evaluateKind(declaration);
    markConsumed(declaration.doc.tags);
  }
  const crds = buildCrds(kinds, evaluator, converted, diagnostics);
  checkClashes(crds, kinds, diagnostics);
  checkFinished(crds, kinds, diagnostics);
  const namespaced = options.namespaced ?? false;
  const rules = readRules(tags('rbac'), namespaced, diagnostics);
  const webhooks = buildWebhooks(
    tags('webhook'),
    tags('webhookConfiguration'),
    { kinds: modules.flatMap(servedKinds), texts },
    { classes: modules.flatMap(({ classes }) => classes), graph, domain: options.domain },
    diagnostics,
  );
  if (graph.hasUnreadable) return failure(diagnostics);
  const isComplete = areKindsFound && !evaluator.hasFailed;
  for (const module of graph.modules)
    reportLeftovers(module, { isApi: evaluator.modules.has(module), isComplete }, diagnostics);
  if (diagnostics.hasErrors) return failure(diagnostics);

  const files = new Map<string, string>();
  for (const crd of crds)
    files.set(`${crdDir}/${crd.spec.group}_${crd.spec.names.plural}.yaml`, renderYaml([crd]));
  files.set(roleFile, renderYaml(buildRoles(rules, namespaced)));
  if (webhooks.length > 0) files.set(webhookFile, renderYaml(webhooks));
  const classes = modules.flatMap((module) => module.classes);
  return { files, orphans: findOrphans(source, files), crds, rules, classes, diagnostics: [] };
}

function failure(diagnostics: Diagnostics): ManifestResult {
  return {
    files: new Map(),
    orphans: [],
    crds: [],
    rules: [],
    classes: [],
    diagnostics: diagnostics.sorted(),
  };
}

/** Returns the texts of the source files, by path. */
function readSources(source: SourceFiles): Map<string, string> {
  const paths = source.list('src').toSorted();
  return new Map(
    paths
      .filter((path) => path.endsWith('.ts') && !path.endsWith('.test.ts') && !path.endsWith('.d.ts'))
      .map((path) => [path, source.read(path) ?? '']),
  );
}

function loadModules(texts: ReadonlyMap<string, string>, graph: ModuleGraph): Module[] {
  return Array.from(texts)
    .filter(([, text]) => relevant.test(text))
    .flatMap(([path, text]) => graph.load(path, text) ?? []);
}

/** Returns the kinds that a file defines or declares, as far as their names can be read. */
function servedKinds({ kindDefinitions }: Module): ServedKind[] {
  return kindDefinitions.flatMap(({ properties }) => {
    const [group = '', version] = properties.get('apiVersion')?.value?.split('/') ?? [];
    const [kind, plural] = [properties.get('kind')?.value, properties.get('plural')?.value];
    return kind === undefined || version === undefined ? [] : [{ group, version, kind, plural }];
  });
}

/** Returns the tags of a name that is valid in any comment and marks them as consumed. */
function consume(module: Module, name: string): Tag[] {
  const tags = module.tags.filter((tag) => definitionOf(tag)?.name === name);
  markConsumed(tags);
  return tags;
}

function findOrphans(source: SourceFiles, files: ReadonlyMap<string, string>): string[] {
  const candidates = [...source.list(crdDir).filter((path) => path.endsWith('.yaml')), webhookFile];
  return candidates
    .filter((path) => !files.has(path) && source.read(path)?.startsWith(generatedHeader))
    .toSorted();
}
