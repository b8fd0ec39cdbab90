import type { NodeSelectorTerm, PodSpec } from 'ots-kubernetes/core/v1';
import type { Platform } from '../../images/image-manifest.ts';
import type { Bundle, BundleCsv } from '../bundle/bundle.ts';
import { type Level, reporter } from '../finding.ts';
import type { InspectedImages, Validator } from './validator.ts';

const report = reporter('multiarch');
const architecturePrefix = 'operatorframework.io/arch.';
const systemPrefix = 'operatorframework.io/os.';
/** The container that projects of kubebuilder and operator-sdk had beside the manager. */
const proxy = 'kube-rbac-proxy';

/** The images of a bundle, by what they are for. */
interface BundleImages {
  /** Those of the containers `manager`; in a Deployment without one, of all containers. */
  readonly manager: readonly string[];
  readonly others: readonly string[];
  readonly related: readonly string[];
  /** The pods that run an image. */
  readonly pods: ReadonlyMap<string, Partial<PodSpec>>;
}

/** What a bundle says that it runs on. */
interface Stated {
  readonly systems: readonly string[];
  readonly architectures: readonly string[];
}

/**
 * Whether the images run where the labels of the ClusterServiceVersion say, and whether the labels and the node affinity say where the
 * images run. Without labels, that is linux on amd64.
 */
export const validateMultiarch: Validator = ({ csv }, { images = new Map() }) => {
  if (!csv) return [];
  const own = imagesOf(csv);
  const stated = statedBy(csv);
  const finding = (level: Level, detail: string) =>
    report[level]({
      type: 'ValidationFailed',
      value: csv.csv.metadata?.name ?? '',
      file: csv.file,
      detail,
    });
  return [
    ...unknownImages(images).map((detail) => finding('warning', detail)),
    ...missingPlatforms(own, stated, images).map((detail) => finding('error', detail)),
    ...[
      ...missingLabels(own, stated, images),
      ...narrowerImages(own, stated, images),
      ...affinityProblems(own, images),
    ].map((detail) => finding('warning', detail)),
  ];
};

/** The images of a bundle, each once. */
export function imagesToInspect({ csv }: Bundle): string[] {
  if (!csv) return [];
  const { manager, others, related } = imagesOf(csv);
  return [...new Set([...manager, ...others, ...related])];
}

function imagesOf({ csv }: BundleCsv): BundleImages {
  const pods = new Map<string, Partial<PodSpec>>();
  const manager = new Set<string>();
  const all = new Set<string>();
  for (const { spec } of csv.spec?.install?.spec?.deployments ?? []) {
    const pod: Partial<PodSpec> = spec?.template?.spec ?? {};
    const containers = (pod.containers ?? []).filter(({ image = '' }) => image !== '');
    const managers = containers.filter(({ name }) => name === 'manager');
    const operators = managers.length > 0 ? managers : containers.filter(({ name }) => name !== proxy);
    for (const { image } of operators) manager.add(image!);
    for (const { image } of containers) {
      all.add(image!);
      if (!pods.has(image!)) pods.set(image!, pod);
    }
  }
  const related = (csv.spec?.relatedImages ?? []).flatMap(({ image = '' }) => (image === '' ? [] : [image]));
  return {
    manager: [...manager],
    others: [...all].filter((image) => !manager.has(image)),
    related: [...new Set(related)],
    pods,
  };
}

function statedBy({ csv }: BundleCsv): Stated {
  const labels = Object.entries(csv.metadata?.labels ?? {}).filter(([, value]) => value === 'supported');
  const after = (prefix: string) =>
    labels.flatMap(([key]) => (key.startsWith(prefix) ? [key.slice(prefix.length)] : [])).toSorted();
  return { systems: after(systemPrefix), architectures: after(architecturePrefix) };
}

function unknownImages(images: InspectedImages): string[] {
  return [...images].flatMap(([image, read]) =>
    'problem' in read ? [`the platforms of the image ${image} are not known: ${read.problem}`] : [],
  );
}

/** @returns undefined for an image that could not be read */
function platformsOf(image: string, images: InspectedImages): readonly Platform[] | undefined {
  const read = images.get(image);
  return read && 'platforms' in read ? read.platforms : undefined;
}

function missingPlatforms(
  { manager, others, related }: BundleImages,
  { systems, architectures }: Stated,
  images: InspectedImages,
): string[] {
  const wanted = orDefault(systems, 'linux').flatMap((os) =>
    orDefault(architectures, 'amd64').map((architecture) => ({ os, architecture })),
  );
  const all = [...new Set([...manager, ...others, ...related])];
  return wanted.flatMap((platform) => {
    const lacking = all.filter((image) => !has(platformsOf(image, images) ?? [platform], platform));
    const text = `the bundle supports ${shown(platform)} by its labels, but these images do not: ${lacking.join(', ')}`;
    return lacking.length > 0 ? [text] : [];
  });
}

function orDefault(values: readonly string[], value: string): readonly string[] {
  return values.length > 0 ? values : [value];
}

/** Linux and amd64 need no label as long as they are alone. */
function missingLabels(
  { manager }: BundleImages,
  { systems, architectures }: Stated,
  images: InspectedImages,
): string[] {
  const platforms = manager.flatMap((image) => platformsOf(image, images) ?? []);
  const missing = (
    prefix: string,
    stated: readonly string[],
    usual: string,
    key: keyof Platform,
  ): string[] => {
    const supported = new Set([...orDefault(stated, usual), ...platforms.map((platform) => platform[key])]);
    const unlabeled = [...supported].filter((value) => !stated.includes(value)).toSorted();
    if (unlabeled.length === 0 || (supported.size === 1 && supported.has(usual))) return [];
    const labels = unlabeled.map((value) => `${prefix}${value}: supported`).join(', ');
    return [`metadata.labels lacks what the image of the manager supports, or the default: ${labels}`];
  };
  return [
    ...missing(architecturePrefix, architectures, 'amd64', 'architecture'),
    ...missing(systemPrefix, systems, 'linux', 'os'),
  ];
}

/** Images that do not run everywhere where the manager does. */
function narrowerImages(
  { manager, others, related }: BundleImages,
  { systems, architectures }: Stated,
  images: InspectedImages,
): string[] {
  const platforms = manager.flatMap((image) => platformsOf(image, images) ?? []);
  const wanted = {
    architecture: [
      ...orDefault(architectures, 'amd64'),
      ...platforms.map(({ architecture }) => architecture),
    ],
    os: [...orDefault(systems, 'linux'), ...platforms.map(({ os }) => os)],
  };
  return [...new Set([...others, ...related])].flatMap((image) =>
    (['architecture', 'os'] as const).flatMap((key) => {
      const found = platformsOf(image, images)?.map((platform) => platform[key]);
      const lacking = [...new Set(wanted[key])].filter((value) => found && !found.includes(value)).toSorted();
      return lacking.length === 0
        ? []
        : [`the image ${image} does not support ${lacking.join(', ')}, which the manager or the labels do`];
    }),
  );
}

/** Without an affinity, a pod may be scheduled to a node on which its image does not run. */
function affinityProblems({ manager, others, pods }: BundleImages, images: InspectedImages): string[] {
  return [...manager, ...others].flatMap((image) => {
    const found = platformsOf(image, images);
    const allowed = affinityOf(pods.get(image) ?? {});
    const supports = `it supports ${found?.map(shown).join(', ')}`;
    if (allowed.length === 0)
      return [
        `the pod of the image ${image} has no required node affinity for kubernetes.io/os and kubernetes.io/arch${found ? `; ${supports}` : ''}`,
      ];
    if (!found) return [];
    const extra = allowed.filter((platform) => !has(found, platform));
    const missing = found.filter((platform) => !has(allowed, platform));
    return [
      ...(extra.length > 0
        ? [`the node affinity allows ${extra.map(shown).join(', ')} for the image ${image}; ${supports}`]
        : []),
      ...(missing.length > 0
        ? [`the node affinity excludes ${missing.map(shown).join(', ')}, which the image ${image} supports`]
        : []),
    ];
  });
}

function affinityOf({ affinity }: Partial<PodSpec>): Platform[] {
  const terms =
    affinity?.nodeAffinity?.requiredDuringSchedulingIgnoredDuringExecution?.nodeSelectorTerms ?? [];
  return terms.flatMap((term) => {
    const architectures = valuesOf(term, 'kubernetes.io/arch');
    return valuesOf(term, 'kubernetes.io/os').flatMap((os) =>
      architectures.map((architecture) => ({ os, architecture })),
    );
  });
}

function valuesOf({ matchExpressions = [] }: NodeSelectorTerm, key: string): readonly string[] {
  return matchExpressions.find((each) => each.key === key && each.operator === 'In')?.values ?? [];
}

function has(platforms: readonly Platform[], { os, architecture }: Platform): boolean {
  return platforms.some((each) => each.os === os && each.architecture === architecture);
}

function shown({ os, architecture }: Platform): string {
  return `${os}/${architecture}`;
}
