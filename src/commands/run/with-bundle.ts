import type { Context } from '../../context.ts';
import type { Cluster } from '../../deploy/cluster.ts';
import { OtsError } from '../../errors/ots-error.ts';
import { UsageError } from '../../errors/usage-error.ts';
import type { Bundle } from '../../olm/bundle/bundle.ts';
import { channelOf, defaultServerImage } from '../../olm/cluster/catalog-objects.ts';
import type { RunOptions } from '../../olm/cluster/run-bundle.ts';
import type { ExtensionOptions } from '../../olm/cluster/v1/run-extension.ts';
import { imageProblem } from '../../images/image-problem.ts';
import { oneLine } from '../../output/one-line.ts';
import { withCluster } from '../shared/with-cluster.ts';
import type { RunBundleOptions } from './run-bundle-options.ts';
import { validBundle } from './valid-bundle.ts';

/** What a command does with OLM v0, and with OLM v1. */
export interface BundleSteps {
  readonly v0: (cluster: Cluster, bundle: Bundle, options: RunOptions) => Promise<void>;
  readonly v1: (cluster: Cluster, bundle: Bundle, options: ExtensionOptions) => Promise<void>;
}

/**
 * Runs a command that gives a bundle to OLM.
 *
 * @param command such as `run bundle`
 * @throws UsageError `CATALOG_IMAGE` if flags do not fit together, OtsError `INVALID_IMAGE`, and those of the steps
 */
export async function withBundle(
  command: string,
  options: RunBundleOptions,
  context: Context,
  { v0, v1 }: BundleSteps,
): Promise<void> {
  checkImages(options);
  const { bundle, image } = await validBundle(options, `ots ${command} bundle`, context);
  const name = oneLine(bundle.name);
  const undoSignal = (): AbortSignal => untilNextSignal(context);
  await withCluster(command, { timeout: '5m', ...options }, context, async (work) => {
    const { cluster, namespace, deadline, report } = work;
    const { dryRun, keep } = options;
    const onUndone = (): void => void (report.isUndone = true);
    const common = { namespace, deadline, progress: report, dryRun, keep, undoSignal, onUndone };
    if (options.v1) {
      const { catalogImage = '', serviceAccount } = options;
      await v1(cluster, bundle, { ...common, catalogImage, serviceAccount });
    } else {
      const { installMode, pullSecret, catalogServer: serverImage = defaultServerImage } = options;
      await v0(cluster, bundle, { ...common, image, serverImage, pullSecret, installMode });
    }
    if (!dryRun) report.line(`${name} runs in the namespace ${namespace}.`);
    const { package: packageName } = bundle;
    return { namespace, package: packageName, bundle: bundle.name, channel: channelOf(bundle) };
  });
}

function checkImages({
  v1,
  catalogImage,
  serviceAccount,
  installMode,
  catalogServer,
}: RunBundleOptions): void {
  if (v1 && catalogImage === undefined)
    throw new UsageError(
      'CATALOG_IMAGE',
      'OLM v1 reads catalogs only from images, and --catalog-image is missing',
      {
        hint: 'Make one with ots catalog build, docker build and docker push, and name it with --catalog-image.',
      },
    );
  const other = v1
    ? (installMode && '--install-mode') || (catalogServer && '--catalog-server')
    : (catalogImage && '--catalog-image') || (serviceAccount && '--service-account');
  if (other)
    throw new UsageError('CATALOG_IMAGE', `${other} is for ${v1 ? 'OLM v0' : 'OLM v1'}`, {
      hint: v1 ? 'Remove it.' : 'Remove it, or add --v1.',
    });
  for (const [flag, image] of [
    ['--catalog-image', catalogImage],
    ['--catalog-server', catalogServer],
  ] as const) {
    const problem = image === undefined ? undefined : imageProblem(image);
    if (problem !== undefined)
      throw new OtsError('INVALID_IMAGE', `The image of ${flag} ${oneLine(problem)}`, {
        hint: 'Use a reference such as registry.example.com/my-catalog:v0.0.1.',
      });
  }
}

/** Aborts with the next signal: the user does not want to wait for the end of what follows. */
function untilNextSignal(context: Context): AbortSignal {
  const aborted = new AbortController();
  void context.untilSignal().then(() => aborted.abort());
  return aborted.signal;
}
