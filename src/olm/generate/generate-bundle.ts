import { OtsError } from '../../errors/ots-error.ts';
import { oneLine } from '../../output/one-line.ts';
import { BundleFile } from '../bundle/bundle-files.ts';
import type { JsonObject } from '../bundle/json.ts';
import { bundleOf } from '../bundle/read-bundle.ts';
import { validateCsv } from '../validate/csv.ts';
import { chooseBase, csvFileName } from './base-csv.ts';
import { bundleObjects } from './bundle-objects.ts';
import { collect } from './collection.ts';
import { type CsvOptions, generateCsv } from './generate-csv.ts';
import { keepHandmade } from './handmade.ts';
import { splitPermissions } from './permissions.ts';
import type { Input } from './read-input.ts';
import { type PinnedImages, imagesOf, pinImages } from './pin-images.ts';
import { scorecardConfig } from './scorecard.ts';
import { toYaml } from './to-yaml.ts';

/** What a bundle is made of, beside the objects. */
export interface BundleSources extends CsvOptions {
  /** The ClusterServiceVersion in config/manifests/bases. */
  readonly base: JsonObject | undefined;
  /** The ClusterServiceVersion that is in the bundle, and its path. */
  readonly former: JsonObject | undefined;
  readonly formerFile: string;
  /** Further service accounts whose rights the ClusterServiceVersion gets. */
  readonly extraServiceAccounts: readonly string[];
  /** What the bundle has instead of tags. */
  readonly pinned?: PinnedImages;
}

/** A bundle, apart from its metadata. */
export interface GeneratedBundle {
  /** The text of the ClusterServiceVersion with a time of creation. */
  readonly csv: (createdAt: string) => string;
  /** The other manifests, by file name. */
  readonly objects: ReadonlyMap<string, string>;
  /** The text of tests/scorecard/config.yaml. */
  readonly scorecard: string | undefined;
  /** The images in the ClusterServiceVersion. */
  readonly images: readonly string[];
  /** What is missing in the bundle although it is in the input: errors in strict mode. */
  readonly problems: readonly string[];
  readonly notes: readonly string[];
}

/**
 * Makes a bundle from the objects of an operator.
 *
 * @throws OtsError `INVALID_CSV` if OLM would refuse the ClusterServiceVersion, and of the parts
 */
export function generateBundle(input: Input, sources: BundleSources): GeneratedBundle {
  const collection = collect(input.objects);
  const split = splitPermissions(collection, sources.extraServiceAccounts);
  const base = chooseBase(sources.packageName, collection.csvs, sources.base);
  const generated = generateCsv(base, collection, split, sources);
  // First, so that a digest in the former bundle does not replace the one of now; and again, for the images that are kept.
  const pin = (csv: JsonObject) => (sources.pinned ? pinImages(csv, sources.pinned) : csv);
  const kept = keepHandmade(pin(generated.csv), sources.former, sources.formerFile);
  const whole = pin(kept.csv);
  const others = bundleObjects(collection, split);
  const missing =
    collection.deployments.length === 0 ? ['the input has no Deployment: OLM installs nothing'] : [];
  const csv = (createdAt: string) => toYaml(withCreatedAt(whole, createdAt));
  refuseInvalid(csvFileName(sources.packageName), csv('2000-01-01T00:00:00Z'));
  return {
    csv,
    objects: new Map(Array.from(others.objects, ([name, object]) => [name, toYaml(object)])),
    images: imagesOf(whole),
    scorecard: collection.scorecard && toYaml(scorecardConfig(collection.scorecard)),
    problems: [
      input.problems,
      missing,
      base.problems,
      collection.problems,
      generated.problems,
      others.problems,
    ]
      .flat()
      .map(oneLine),
    notes: [...base.notes, ...collection.notes, ...kept.notes].map(oneLine),
  };
}

function withCreatedAt(csv: JsonObject, createdAt: string): JsonObject {
  const metadata = csv['metadata'] as JsonObject;
  return {
    ...csv,
    metadata: { ...metadata, annotations: { ...(metadata['annotations'] as JsonObject), createdAt } },
  };
}

/** The rules for a ClusterServiceVersion by itself, as it will be read. */
function refuseInvalid(name: string, text: string): void {
  const bundle = bundleOf({
    files: [new BundleFile(`manifests/${name}`, Buffer.from(text))],
    directories: new Set(['manifests']),
  });
  const findings = [...bundle.problems, ...validateCsv(bundle, { values: {} })];
  const errors = findings.filter(({ level }) => level === 'error').map(({ detail }) => oneLine(detail));
  if (errors.length === 0) return;
  throw new OtsError('INVALID_CSV', `OLM would refuse the ClusterServiceVersion: ${errors.join('; ')}`, {
    hint: `Correct it in config/manifests/bases/${name}, or the flag that the value comes from.`,
    details: { errors },
  });
}
