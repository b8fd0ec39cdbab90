import { goQuote } from 'ots-apimachinery/go/go-quote';
import { imageNameProblem } from '../images/image-name-problem.ts';
import type { ContainerRun } from './container-run.ts';
import { syncRetryMs } from './sync-retry.ts';

/** Simulated images have a size, too. */
const imageBytes = 10_485_760;
/** When a kubelet looks again at a container whose image it could not pull. */
const lookAgainMs = 1000;

/** What a kubelet pulls an image with. */
export interface Pull {
  /** The images that the node has. */
  readonly images: Set<string>;
  /** What the registry says; undefined if it has the image. */
  readonly error: string | undefined;
  /** In milliseconds since 1970. */
  readonly now: number;
  readonly record: (type: 'Normal' | 'Warning', reason: string, message: string) => void;
}

/**
 * Makes the image of a container available on its node and says so, as a kubelet does. A container whose image cannot be pulled waits.
 *
 * @returns whether the image is there
 */
export function ensureImage(run: ContainerRun, pull: Pull): boolean {
  const { images, error, record } = pull;
  const { image = '', imagePullPolicy } = run.spec;
  if (!hasValidName(run, pull)) return false;
  if (isBackingOff(run, pull)) return false;
  if (error !== undefined) {
    failToPull(run, error, pull);
    return false;
  }
  run.failedPull = undefined;
  const name = goQuote(image);
  const isPresent = images.has(image) || imagePullPolicy === 'Never';
  images.add(image);
  if (isPresent && imagePullPolicy !== 'Always') {
    record(
      'Normal',
      'Pulled',
      `Container image ${name} already present on machine and can be accessed by the pod`,
    );
    return true;
  }
  record('Normal', 'Pulling', `Pulling image ${name}`);
  const took = `in 0s (0s including waiting). Image size: ${imageBytes} bytes.`;
  record('Normal', 'Pulled', `Successfully pulled image ${name} ${took}`);
  return true;
}

/** A name that no registry can have is not pulled at all. */
function hasValidName(run: ContainerRun, { now, record }: Pull): boolean {
  const { image = '' } = run.spec;
  const problem = imageNameProblem(image);
  if (problem === undefined) return true;
  const name = goQuote(image);
  const message = `Failed to apply default image tag ${name}: couldn't parse image name ${name}: ${problem}`;
  record('Warning', 'InspectFailed', message);
  record('Warning', 'Failed', 'Error: InvalidImageName');
  run.wait('InvalidImageName', message);
  run.retryAt = now + syncRetryMs;
  return false;
}

function isBackingOff(run: ContainerRun, { now, record }: Pull): boolean {
  if (!run.failedPull) return false;
  const until = run.pulls.until(run.failedPull.at);
  if (now >= until) return false;
  const message = `Back-off pulling image ${goQuote(run.spec.image ?? '')}`;
  record('Normal', 'BackOff', message);
  record('Warning', 'Failed', 'Error: ImagePullBackOff');
  run.wait('ImagePullBackOff', `${message}: ErrImagePull: ${run.failedPull.error}`);
  run.retryAt = until;
  return true;
}

function failToPull(run: ContainerRun, error: string, { now, record }: Pull): void {
  const name = goQuote(run.spec.image ?? '');
  record('Normal', 'Pulling', `Pulling image ${name}`);
  record('Warning', 'Failed', `Failed to pull image ${name}: ${error}`);
  record('Warning', 'Failed', 'Error: ErrImagePull');
  run.pulls.attempt(now, now);
  run.failedPull = { at: now, error };
  run.wait('ErrImagePull', error);
  run.retryAt = now + lookAgainMs;
}
